"""`hcat plan`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from core.display.numbers import counted
from dashboard.commands.estimates import (
    CriterionName,
    LabelsFile,
    MethodName,
    MetricNames,
    RunFile,
    names_in,
)
from dashboard.commands.label_files import (
    LevelNames,
    Passing,
    Positive,
    labelled_criterion,
    level_settings,
    read_label_file,
    stated_criterion,
)
from dashboard.commands.output import AsJson, document, print_document, print_table
from dashboard.commands.runs import open_columns, warn_of_clusters
from dashboard.commands.score_files import Directions, Ranges, ScoresFile, statements

if TYPE_CHECKING:
    from core.types import JsonValue


def plan(
    scores: ScoresFile,
    labels: LabelsFile,
    criterion: CriterionName,
    metrics: MetricNames,
    method: MethodName = "logistic",
    positive: Positive = None,
    levels: LevelNames = None,
    passing: Passing = None,
    run_file: RunFile = None,
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
    directions: Directions = None,
    ranges: Ranges = None,
    as_json: AsJson = False,
) -> None:
    """How many labels are needed, judging by those so far, and whether more could change a decision."""
    from core.analysis.estimate import prepare
    from core.analysis.files import run_from_files
    from core.estimates.forecast import label_forecast
    from core.estimates.plans import plan_labels
    from core.estimates.stopping import decide
    from core.wording.clusters import cluster_count
    from core.wording.planning import decision_sentence, looks_sentence, plan_note, question_title

    columns = open_columns(run_file, scores, statements(directions, ranges))
    stated = stated_criterion(criterion, levels, positive)
    judged = read_label_file(
        labels, criterion=criterion, positive=positive, run=None, levels=stated, scores=columns.scores
    )
    on = labelled_criterion(judged, criterion, passing=passing)
    warn_of_clusters(columns)
    opened = run_from_files(columns, judged.labels)
    prepared = prepare(opened, on, metrics=names_in(metrics), method=method)
    ahead = label_forecast(prepared.run)
    now, plans = ahead.estimates, plan_labels(ahead, width=width, differences=(difference,), alpha=alpha)
    decision = None if threshold is None else decide(prepared.run, threshold, looks=looks)
    if as_json:
        said: dict[str, JsonValue] = {
            "plans": [
                {
                    "question": question_title(question),
                    "needed": p.needed,
                    "more": p.more,
                    "reachable": p.reachable,
                    "note": plan_note(p),
                }
                for question, p in plans
            ]
        }
        if decision is not None:
            said["decision"] = {
                "verdict": decision.verdict,
                "stop": decision.stop,
                "reason": decision_sentence(decision),
                "looks": looks_sentence(looks, now.n_labels),
            }
        settings: dict[str, JsonValue] = {"width": width, "difference": difference, "alpha": alpha}
        settings |= {"threshold": threshold, "looks": looks, **level_settings(levels, passing)}
        print_document({**document(inputs={"scores": scores, "labels": labels}, settings=settings), **said})
        return
    print_table(
        f"{counted(now.n_labels, 'label')} of {counted(now.n_samples, 'sample')}",
        ("to get", "labels in total", "additional"),
        [
            (question_title(question), f"{p.needed:,}" if p.reachable else "not in this run", f"{p.more:,}")
            for question, p in plans
        ],
    )
    if columns.shared_clusters is not None:
        typer.echo(cluster_count(columns.shared_clusters))
    for question, plan in plans:
        if note := plan_note(plan):
            typer.echo(f"{question_title(question)}: {note}")
    if decision is not None:
        typer.echo(f"Pass rate ≥ {threshold:g}: {decision.verdict}. {decision_sentence(decision)}")
        typer.echo(looks_sentence(looks, now.n_labels))
