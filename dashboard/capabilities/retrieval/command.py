"""`hcat retrieval`: both stages of a run's retrieval."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import HcatError
from hcat.core.inputs.inputs import Inputs, opened
from hcat.dashboard.commands.file_options import reads_files
from hcat.dashboard.commands.labelled_runs import ProjectRun, StoredRun
from hcat.dashboard.commands.output import AsJson, print_json

if TYPE_CHECKING:
    from hcat.core.types import Estimate, JsonValue


@reads_files
def retrieval(
    run: Annotated[Path | None, typer.Argument(help="Run file whose samples name what is relevant.")] = None,
    project: ProjectRun = None,
    stored: StoredRun = None,
    as_json: AsJson = False,
) -> None:
    """Measure both stages of retrieval, the ceiling that stage 1 sets, and the share of it that stage 2 reaches."""
    from hcat.core.capabilities.retrieval.view import retrieval_view
    from hcat.core.metrics.funnel import run_funnel
    from hcat.dashboard.commands.printed_view import print_view

    source = Inputs(project=project, name=stored, run=run, warns=False)
    with opened(source, needs=["run"]) as (asked,):
        measured = run_funnel(asked.columns.sample_columns)
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
            settings=source.place,
            n=len(measured.funnels),
            left_out=measured.left_out,
            with_candidates=measured.given,
            measures={name: _numbers(estimate) for name, estimate in estimates.items()},
        )
        return
    print_view(retrieval_view(measured))


def _numbers(estimate: Estimate) -> JsonValue:
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high, "n": estimate.n}
