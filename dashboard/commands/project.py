"""`hcat import`: run files into the workspace."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.errors import FileFormatError, NotFoundError


def import_(
    file: Annotated[Path, typer.Argument(help="Run file, or label file with --format labels.")],
    project: Annotated[str, typer.Option(help="The project; it is made where there is none of this name.")],
    run: Annotated[str, typer.Option(help="The run's name in the project.")],
    format: Annotated[str | None, typer.Option(help="Format, where it is not recognised; labels for labels.")] = None,  # noqa: A002
    criterion: Annotated[str, typer.Option(help="With labels: the criterion that they are on.")] = "correctness",
    positive: Annotated[str | None, typer.Option(help="With labels: the one that passes, against all others.")] = None,
    keep_good: Annotated[
        bool, typer.Option("--keep-good", help="Import the good rows of a file with bad ones.")
    ] = False,
    problems: Annotated[Path | None, typer.Option(help="Write the list of what is wrong here (CSV).")] = None,
) -> None:
    """Import a run file into a project of the workspace, or labels of one of its runs."""
    if format == "labels":
        _import_labels(file, project, run, criterion, positive)
        return
    from core.importers import problems_csv
    from core.types import Criterion
    from core.workspace import Workspace
    from dashboard.commands.runs import describe_problems, preview_run

    preview = preview_run(file, format=format)
    if preview.problems and problems is not None:
        problems.write_bytes(problems_csv(preview.problems))
    if preview.problems and not keep_good:
        raise FileFormatError(describe_problems(file, preview))
    workspace = Workspace.open()
    try:
        target = workspace.project(project)
    except NotFoundError:
        target = workspace.create_project(project)
        workspace.add_criterion(target, Criterion("correctness"))
    stored = workspace.import_run(target, run, preview.samples, source=file.name, format=preview.format.name)
    left_out = f", {preview.bad} rows left out" if preview.bad else ""
    typer.echo(f"{stored.n} samples ({preview.format.title}) → {project} / {stored.name}{left_out}")


def _import_labels(file: Path, project: str, run: str, criterion: str, positive: str | None) -> None:
    from core.workspace import Workspace
    from dashboard.commands.calibration import read_label_file

    workspace = Workspace.open()
    target, known = workspace.run(project, run), workspace.criterion(project, criterion)
    preview = read_label_file(file, criterion=criterion, positive=positive, run=run, levels=known)
    stored = workspace.import_labels(target, known, preview.labels)
    typer.echo(f"{len(stored)} labels on {criterion} → {project} / {run}")
