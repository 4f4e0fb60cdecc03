"""`hcat import`: run files into the workspace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from hcat.core.display.numbers import counted
from hcat.core.inputs.files import level_values
from hcat.dashboard.capabilities.runs.commands.run_import import (
    Imported,
    MaxFileMb,
    MaxRows,
    ProblemFiles,
    RunFile,
    import_run,
    raised_limits,
)
from hcat.dashboard.commands.file_options import reads_files
from hcat.dashboard.commands.output import AsJson, existing, print_json, print_table
from hcat.dashboard.commands.score_files import Directions, Ranges, hint_at_scores, import_scores, statements

if TYPE_CHECKING:
    from hcat.core.importers import Preview
    from hcat.core.scoring.statements import Statement
    from hcat.core.types import JsonValue


@reads_files
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
            help="COLUMN=FIELD, once per column, or per path into one (outputs.documents[].text=contexts): a field of "
            "a run file such as query or answer; or dimension, kept, left out. Remembered by the project for files "
            "with the same columns.",
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
    max_file_mb: MaxFileMb = None,
    max_rows: MaxRows = None,
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
        limits = raised_limits(max_file_mb, max_rows)
        source = RunFile(file, project, run, format, columns or (), keep_good, limits)
        _samples_into(target, source, ProblemFiles(problems, bad_rows))


class _Target(NamedTuple):
    """A file, the run of a project that it is imported into, and whether the output is JSON."""

    file: Path
    project: str
    run: str
    as_json: bool

    def settings(self, format: str | None, *, keep_good: bool) -> dict[str, JsonValue]:  # noqa: A002
        """Settings in the JSON document of every import."""
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


def _samples_into(target: _Target, source: RunFile, files: ProblemFiles) -> None:
    """Import a run file, and say how many samples."""
    from hcat.core.inputs.inputs import warn_of_likely_trials
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        imported = import_run(workspace, source, files)
        trials = workspace.runs.columns(imported.stored).likely_trials()
    warn_of_likely_trials(trials)
    preview, stored = imported.preview, imported.stored
    if target.as_json:
        settings = target.settings(source.format, keep_good=source.keep_good)
        print_json(inputs={"file": target.file}, settings=settings, **_imported(imported))
        return
    _print_account(preview)
    left_out = f", {counted(imported.left_out, 'row')} skipped" if imported.left_out else ""
    typer.echo(f"{counted(stored.n, 'sample')} ({preview.format.title}) → {target.project} / {stored.name}{left_out}")
    hint_at_scores(target.file, preview, target.project, stored.name)


def _print_account(preview: Preview) -> None:
    """Print the use of each column and each line."""
    from hcat.core.wording.importing import account_columns, account_rows, lines_sentence

    print_table("", account_columns(), account_rows(preview.account))
    if sentence := lines_sentence(preview.account, preview.rows):
        typer.echo(sentence)


def _imported(imported: Imported) -> dict[str, JsonValue]:
    """Facts on the reading of the file: its format, its columns, and how many of its rows are samples."""
    from hcat.core.wording.importing import account_document

    preview = imported.preview
    return {
        "format": preview.format.name,
        "samples": imported.stored.n,
        "rows": preview.rows,
        "rows_left_out": imported.left_out,
        "columns": dict(preview.fields),
        "problems": [asdict(problem) for problem in preview.problems],
        "account": account_document(preview.account),
    }


def _import_labels(
    file: Path, project: str, run: str, criterion: str, positive: str | None, values: Mapping[str, str]
) -> tuple[int, int]:
    """Import labels. Returns the number imported, and the number of rows skipped since their label means no level."""
    from hcat.core.inputs.labels import read_label_file
    from hcat.core.workspace import Workspace

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
