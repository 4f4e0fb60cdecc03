"""`hcat import`: run files into the workspace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from core.display.numbers import counted
from core.errors import FileFormatError, NotFoundError
from core.records.atomic import write_whole
from dashboard.commands.file_options import chosen_sheet, level_values
from dashboard.commands.output import AsJson, existing, print_json, print_note
from dashboard.commands.score_files import Directions, Ranges, hint_at_scores, import_scores, statements

if TYPE_CHECKING:
    from core.importers import Preview
    from core.records.project import RunInfo
    from core.scoring.statements import Statement
    from core.types import JsonValue
    from core.workspace import Workspace


def import_(
    file: Annotated[
        Path, typer.Argument(help="Run file, or label file with --format labels, or scores with --format scores.")
    ],
    project: Annotated[str, typer.Option(help="The project; created if there is none of this name.")],
    run: Annotated[str, typer.Option(help="The run's name in the project.")],
    format: Annotated[str | None, typer.Option(help="Format, if not recognised; labels or scores.")] = None,  # noqa: A002
    columns: Annotated[
        list[str] | None,
        typer.Option(
            "--map",
            help="COLUMN=FIELD, once per column: a field of a run file such as query or answer; or dimension, kept, "
            "left out. Remembered by the project for files with the same columns.",
        ),
    ] = None,
    criterion: Annotated[str, typer.Option(help="For labels: their criterion.")] = "correctness",
    positive: Annotated[
        str | None, typer.Option(help="For labels: the label that counts as a pass, if there are two.")
    ] = None,
    keep_good: Annotated[
        bool, typer.Option("--keep-good", help="Import the usable rows of a file and skip the others.")
    ] = False,
    problems: Annotated[Path | None, typer.Option(help="Write the list of problems to this file (CSV).")] = None,
    bad_rows: Annotated[
        Path | None, typer.Option(help="Write the skipped rows to this file (JSON Lines), to be corrected.")
    ] = None,
    directions: Directions = None,
    ranges: Ranges = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="For scores: take the place of metrics of these names from other files.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Import a run file into a project of the workspace, or labels or scores of one of its runs."""
    existing(file)  # before a store is made for it
    target = _Target(file, project, run, as_json)
    if format == "labels":
        _labels_into(target, criterion, positive, level_values(), keep_good=keep_good)
    elif format == "scores":
        _scores_into(target, statements(directions, ranges), keep_good=keep_good, overwrite=overwrite)
    else:
        _samples_into(target, format, columns or (), ProblemFiles(problems, bad_rows), keep_good=keep_good)


class _Target(NamedTuple):
    """A file, the run of a project that it goes into, and whether this is told as JSON."""

    file: Path
    project: str
    run: str
    as_json: bool

    def settings(self, format: str | None, *, keep_good: bool) -> dict[str, JsonValue]:  # noqa: A002
        """What the JSON document says of every import."""
        return {"project": self.project, "run": self.run, "format": format, "keep_good": keep_good}


def _labels_into(
    target: _Target, criterion: str, positive: str | None, values: Mapping[str, str], *, keep_good: bool
) -> None:
    """Import labels, and say how many."""
    file, project, run, as_json = target
    count, skipped = _import_labels(file, project, run, criterion, positive, values)
    if as_json:
        settings = {**target.settings("labels", keep_good=keep_good), "criterion": criterion}
        print_json(inputs={"file": file}, settings=settings, labels=count, skipped=skipped)
        return
    without = f", {counted(skipped, 'row')} skipped" if skipped else ""
    typer.echo(f"{counted(count, 'label')} on {criterion} → {project} / {run}{without}")


def _scores_into(target: _Target, stated: Mapping[str, Statement], *, keep_good: bool, overwrite: bool) -> None:
    """Import scores, and say of which metrics."""
    file, project, run, as_json = target
    names = import_scores(file, project, run, stated, overwrite=overwrite)
    if as_json:
        print_json(inputs={"file": file}, settings=target.settings("scores", keep_good=keep_good), metrics=[*names])
        return
    typer.echo(f"{', '.join(names)} → {project} / {run}")


def _samples_into(
    target: _Target,
    format: str | None,  # noqa: A002
    columns: Sequence[str],
    files: ProblemFiles,
    *,
    keep_good: bool,
) -> None:
    """Import a run file, and say how many samples."""
    from core.records.samples.likely_trials import likely_trials
    from dashboard.commands.runs import warn_of_likely_trials

    file, project, run, as_json = target
    preview, stored = _import_run(file, project, run, format, columns, keep_good, files)
    warn_of_likely_trials(likely_trials(preview.samples))
    if as_json:
        settings = target.settings(format, keep_good=keep_good)
        print_json(inputs={"file": file}, settings=settings, **_imported(preview, stored))
        return
    left_out = f", {counted(preview.bad, 'row')} skipped" if preview.bad else ""
    typer.echo(f"{counted(stored.n, 'sample')} ({preview.format.title}) → {project} / {stored.name}{left_out}")
    hint_at_scores(file, preview, project, stored.name)


class ProblemFiles(NamedTuple):
    """Where to write a file's problems, and the rows that have them."""

    problems: Path | None
    bad_rows: Path | None

    def write(self, preview: Preview) -> None:
        """Write the requested files, if there is anything to write."""
        from core.importers import bad_rows_jsonl, problems_csv

        if preview.problems and self.problems is not None:
            write_whole(self.problems, problems_csv(preview.problems))
        if preview.bad_rows and self.bad_rows is not None:
            write_whole(self.bad_rows, bad_rows_jsonl(preview.bad_rows))


def _import_run(
    file: Path,
    project: str,
    run: str,
    format: str | None,  # noqa: A002
    columns: Sequence[str],
    keep_good: bool,
    files: ProblemFiles,
) -> tuple[Preview, RunInfo]:
    from core.types import Criterion
    from core.wording.importing import notes_on_samples
    from core.workspace import Workspace
    from core.workspace.runs import check_importable
    from dashboard.commands.runs import describe_problems, preview_run

    with Workspace.open(actor="command line") as workspace:
        mapping = _mapping(workspace, project, file, columns, format)
        preview = preview_run(file, format=format, mapping=mapping)
        for note in notes_on_samples(preview.samples):
            print_note(note)
        files.write(preview)
        if preview.problems and not keep_good:
            raise FileFormatError(describe_problems(file, preview))
        try:
            target = workspace.projects.get(project)
        except NotFoundError:
            check_importable(run, preview.samples)
            target = workspace.projects.create(project)
            workspace.criteria.add(target, Criterion("correctness"))
        stored = workspace.runs.add(target, run, preview.samples, source=file.name, format=preview.format.name)
        if columns:
            workspace.mappings.save(target, preview.columns, mapping)
    return preview, stored


def _imported(preview: Preview, stored: RunInfo) -> dict[str, JsonValue]:
    """How the file was read: its format, its columns, and how many of its rows are samples."""
    return {
        "format": preview.format.name,
        "samples": stored.n,
        "rows": preview.rows,
        "rows_left_out": preview.bad,
        "columns": dict(preview.fields),
        "problems": [asdict(problem) for problem in preview.problems],
    }


def _mapping(
    workspace: Workspace,
    project: str,
    file: Path,
    given: Sequence[str],
    format: str | None,  # noqa: A002
) -> dict[str, str]:
    """The mapping given, else the one the project remembers for these columns; none if a format is named."""
    from core.importers import read_columns

    pairs = [pair.rpartition("=") for pair in given]
    wrong = [pair for pair, (column, _, _) in zip(given, pairs, strict=True) if not column]
    if wrong:
        raise FileFormatError(
            f"--map {wrong[0]!r} is not a column mapping: write COLUMN=FIELD, such as question_text=query"
        )
    if given or format is not None:
        return {column: field.strip() for column, _, field in pairs}
    try:
        with chosen_sheet(file) as readable:
            kept = workspace.mappings.find(project, read_columns(readable, filename=file.name).columns)
    except NotFoundError:
        return {}
    if kept is not None:
        print_note(f"using the column mapping saved in this project on {kept.at:%Y-%m-%d}; change it with --map")
    return {} if kept is None else dict(kept.mapping)


def _import_labels(
    file: Path, project: str, run: str, criterion: str, positive: str | None, values: Mapping[str, str]
) -> tuple[int, int]:
    """How many labels were imported, and how many rows were skipped since their label stands for no level."""
    from core.workspace import Workspace
    from dashboard.commands.label_files import read_label_file

    with Workspace.open(actor="command line") as workspace:
        target, known = workspace.runs.get(project, run), workspace.criteria.get(project, criterion)
        remembered = {} if positive is not None else workspace.mappings.find_levels(project, known)
        preview = read_label_file(
            file, criterion=criterion, positive=positive, run=run, levels=known, values={**remembered, **values}
        )
        labels = workspace.labels.add(target, known, workspace.exports.with_names(project, preview.labels))
        if values:
            workspace.mappings.save_levels(project, known, values)
        return len(labels), preview.skipped
