"""`hcat import`: run files into the workspace."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.errors import FileFormatError, NotFoundError
from dashboard.commands.output import existing

if TYPE_CHECKING:
    from core.workspace import Workspace


def import_(
    file: Annotated[Path, typer.Argument(help="Run file, or label file with --format labels.")],
    project: Annotated[str, typer.Option(help="The project; it is made where there is none of this name.")],
    run: Annotated[str, typer.Option(help="The run's name in the project.")],
    format: Annotated[str | None, typer.Option(help="Format, where it is not recognised; labels for labels.")] = None,  # noqa: A002
    columns: Annotated[
        list[str] | None,
        typer.Option(
            "--map",
            help="COLUMN=FIELD, once a column: a field of a run file such as query or answer; or dimension, kept, "
            "left out. Remembered in the project for files with the same columns.",
        ),
    ] = None,
    criterion: Annotated[str, typer.Option(help="With labels: the criterion that they are on.")] = "correctness",
    positive: Annotated[str | None, typer.Option(help="With labels: the one that passes, against one other.")] = None,
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

    existing(file)  # before a store is made for it
    with Workspace.open() as workspace:
        mapping = _mapping(workspace, project, file, columns or (), format)
        preview = preview_run(file, format=format, mapping=mapping)
        if preview.problems and problems is not None:
            problems.write_bytes(problems_csv(preview.problems))
        if preview.problems and not keep_good:
            raise FileFormatError(describe_problems(file, preview))
        try:
            target = workspace.project(project)
        except NotFoundError:
            target = workspace.create_project(project)
            workspace.add_criterion(target, Criterion("correctness"))
        stored = workspace.import_run(target, run, preview.samples, source=file.name, format=preview.format.name)
        if columns:
            workspace.remember_mapping(target, preview.columns, mapping)
    left_out = f", {preview.bad} rows left out" if preview.bad else ""
    typer.echo(f"{stored.n} samples ({preview.format.title}) → {project} / {stored.name}{left_out}")


def _mapping(
    workspace: Workspace,
    project: str,
    file: Path,
    given: Sequence[str],
    format: str | None,  # noqa: A002
) -> dict[str, str]:
    """What is given, else what the project remembers of these columns; nothing where a format is named."""
    from core.importers import read_columns

    pairs = [pair.rpartition("=") for pair in given]
    wrong = [pair for pair, (column, _, _) in zip(given, pairs, strict=True) if not column]
    if wrong:
        raise FileFormatError(f"--map {wrong[0]!r} names no column: write COLUMN=FIELD, such as question_text=query")
    if given or format is not None:
        return {column: field.strip() for column, _, field in pairs}
    try:
        kept = workspace.remembered_mapping(project, read_columns(file, filename=file.name).columns)
    except NotFoundError:
        return {}
    if kept is not None:
        typer.echo(f"columns are read as mapped in this project on {kept.at:%Y-%m-%d}; --map changes that", err=True)
    return {} if kept is None else dict(kept.mapping)


def _import_labels(file: Path, project: str, run: str, criterion: str, positive: str | None) -> None:
    from core.workspace import Workspace
    from dashboard.commands.label_files import read_label_file

    existing(file)
    with Workspace.open() as workspace:
        target, known = workspace.run(project, run), workspace.criterion(project, criterion)
        preview = read_label_file(file, criterion=criterion, positive=positive, run=run, levels=known)
        stored = workspace.import_labels(target, known, workspace.with_names(project, preview.labels))
    typer.echo(f"{len(stored)} labels on {criterion} → {project} / {run}")
