"""`hcat retrieval`: both stages of a run's retrieval."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import HcatError
from hcat.dashboard.commands.labelled_runs import ProjectRun, StoredRun, stored_run
from hcat.dashboard.commands.output import AsJson, print_json

if TYPE_CHECKING:
    from hcat.core.types import Estimate, JsonValue


def retrieval(
    run: Annotated[Path | None, typer.Argument(help="Run file whose samples name what is relevant.")] = None,
    project: ProjectRun = None,
    stored: StoredRun = None,
    as_json: AsJson = False,
) -> None:
    """Measure both stages of retrieval, the ceiling that stage 1 sets, and the share of it that stage 2 reaches."""
    from hcat.core.metrics.funnel import run_funnel
    from hcat.core.views.retrieval import retrieval_view
    from hcat.core.weakness.sample_columns import ColumnsOfSamples
    from hcat.dashboard.commands.printed_view import print_view
    from hcat.dashboard.commands.runs import read_samples

    if project is not None:
        with stored_run(project, stored, None, (run,)) as held:
            measured = run_funnel(held.run.columns.sample_columns)
    elif run is None:
        raise HcatError("give a run file, or --project and --run")
    else:
        measured = run_funnel(ColumnsOfSamples(read_samples(run)))
    if not measured.funnels:
        name = stored if run is None else run
        raise HcatError(f"no sample of {name} names relevant ids and has contexts, so retrieval can't be measured")
    if as_json:
        estimates: dict[str, Estimate] = dict(measured.measures)
        if measured.given:
            estimates["ceiling"] = measured.ceiling
            estimates |= {f"share of ceiling@{k}": estimate for k, estimate in measured.reached.items()}
        print_json(
            inputs={} if run is None else {"run": run},
            settings={} if project is None else {"project": project, "run": stored},
            n=len(measured.funnels),
            left_out=measured.left_out,
            with_candidates=measured.given,
            measures={name: _numbers(estimate) for name, estimate in estimates.items()},
        )
        return
    print_view(retrieval_view(measured))


def _numbers(estimate: Estimate) -> JsonValue:
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high, "n": estimate.n}
