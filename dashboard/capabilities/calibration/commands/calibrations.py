"""`hcat calibration …`: the calibration in force on a run of a project."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hcat.core.errors import HcatError
from hcat.dashboard.commands.output import AsJson, print_json, read_text
from hcat.dashboard.commands.project_options import ProjectOption, RunOption

app = typer.Typer(help="Put a calibration in force on a run, and see which one is.", no_args_is_help=True)

ReasonOption = Annotated[
    str, typer.Option("--reason", help="Why it is used, where it is not shown to be fit for use; stored with it.")
]


@app.command()
def save(
    calibration: Annotated[Path, typer.Argument(help="The calibration from `hcat calibrate` (JSON).")],
    project: ProjectOption,
    run: RunOption,
    author: Annotated[str, typer.Option(help="Who puts it in force.")],
    reason: ReasonOption = "",
) -> None:
    """Put a calibration in force: overview, weaknesses, estimates and report use it from now on. One that is not shown
    to be fit for use takes a reason."""
    from hcat.core.calibration.calibration import Calibration
    from hcat.core.capabilities.calibration.wording.in_force import in_force_sentence
    from hcat.core.workspace import Workspace

    fitted = Calibration.from_json(read_text(calibration))
    with Workspace.open(actor="command line") as workspace:
        stored = workspace.runs.get(project, run)
        table = workspace.scoring.required(stored)
        workspace.criteria.get(project, fitted.criterion)
        if fitted.inputs.get("run") != table.provenance.run_hash:
            raise HcatError(f"this calibration was made on other samples than those of run {run!r}")
        record = workspace.calibrations.save(stored, fitted, author=author, reason=reason)
        saved = workspace.calibrations.read(record)
    typer.echo(in_force_sentence(saved))


@app.command()
def show(project: ProjectOption, run: RunOption, as_json: AsJson = False) -> None:
    """Say which calibration is in force on a run, who saved it, and whether it is fit for use."""
    from hcat.core.capabilities.calibration.wording.in_force import in_force_sentence
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        stored = workspace.runs.get(project, run)
        fitted = workspace.calibrations.newest(stored)
    if not as_json:
        typer.echo(in_force_sentence(fitted))
        return
    use = fitted.use
    print_json(
        inputs={},
        settings={"project": project, "run": run},
        criterion=fitted.criterion,
        method=fitted.method,
        metrics=list(fitted.metrics),
        labelled_samples=fitted.labelled_samples,
        fit_for_use=fitted.fit_for_use.value,
        author=None if use is None else use.author,
        reason=None if use is None else use.reason,
        saved_at=None if use is None or use.at is None else use.at.isoformat(),
    )
