"""`hcat plan`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.inputs.inputs import Inputs, opened
from hcat.dashboard.capabilities.estimates.commands.estimates import (
    CriterionName,
    MethodName,
    MetricNames,
    RunFile,
)
from hcat.dashboard.commands.file_options import reads_files
from hcat.dashboard.commands.label_files import level_settings
from hcat.dashboard.commands.labelled_runs import LABELLED, takes_inputs
from hcat.dashboard.commands.output import AsJson, document, names_in, print_document

if TYPE_CHECKING:
    from hcat.core.estimates.stopping import StopDecision
    from hcat.core.types import JsonValue


@reads_files
@takes_inputs({"run": RunFile} | LABELLED)
def plan(
    source: Inputs,
    criterion: CriterionName,  # noqa: ARG001  the source is on it
    metrics: MetricNames,
    method: MethodName = "logistic",
    width: Annotated[float, typer.Option(help="Width of the interval you want.")] = 0.1,
    difference: Annotated[float, typer.Option(help="Difference from another run that must be detected.")] = 0.1,
    alpha: Annotated[float, typer.Option(help="Error rate of the conformal sets.")] = 0.1,
    threshold: Annotated[
        float | None, typer.Option(help="Pass rate the system must reach; tells when labelling can stop.")
    ] = None,
    looks: Annotated[
        int | None,
        typer.Option(help="Number of looks at growing labels, fixed before the first; without it, any number."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Forecast how many labels are needed, judging by those so far, and whether more could change a decision. Exit code
    1 where the pass rate misses --threshold."""
    from hcat.core.capabilities.estimates.estimate import prepare
    from hcat.core.capabilities.estimates.views.label_plan import decision_view, label_plan_view
    from hcat.core.capabilities.estimates.wording.planning import plan_document
    from hcat.core.estimates.forecast import label_forecast
    from hcat.core.estimates.plans import plan_labels
    from hcat.core.estimates.stopping import decide, look_level
    from hcat.core.wording.clusters import cluster_count
    from hcat.dashboard.commands.printed_view import print_view

    with opened(source, needs=["scores", "labels"]) as (asked,):
        [on] = asked.criteria
        prepared = prepare(asked, on, metrics=names_in(metrics), method=method)
        ahead = label_forecast(prepared.run)
        shared = asked.columns.shared_clusters
    plans = plan_labels(ahead, width=width, differences=(difference,), alpha=alpha)
    decision = None if threshold is None else decide(prepared.run, threshold, looks=looks)
    if as_json:
        settings: dict[str, JsonValue] = {"width": width, "difference": difference, "alpha": alpha}
        settings |= {"threshold": threshold, "looks": looks, **level_settings(source.levels, source.passing)}
        settings |= source.place
        about = document(inputs=source.files("scores", "labels"), settings=settings)
        print_document({**about, **plan_document(plans, decision, looks)})
        _exit_where_missed(decision)
        return
    print_view(label_plan_view(plans, ahead))
    if shared is not None:
        typer.echo(cluster_count(shared))
    if decision is not None:
        at_look = label_forecast(prepared.run, level=look_level(decision.n_labels, looks=looks))
        print_view(decision_view(decision, looks=looks, ahead=at_look))
    _exit_where_missed(decision)


def _exit_where_missed(decision: StopDecision | None) -> None:
    """Exit code 1 where the pass rate is shown to be below the threshold, so that a script can stop there."""
    if decision is not None and decision.verdict == "missed":
        raise typer.Exit(1)
