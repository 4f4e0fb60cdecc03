"""A run file into a project: a small one whole, after all of it was checked; a large one row by row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from hcat.core.errors import FileFormatError, NotFoundError
from hcat.core.inputs.files import chosen_sheet, leaves_out_thoughts
from hcat.core.records.atomic import write_whole
from hcat.dashboard.commands.output import print_note

if TYPE_CHECKING:
    from hcat.core.importers import Limits, Preview
    from hcat.core.records.project import ProjectInfo, RunInfo
    from hcat.core.workspace import Workspace

MaxFileMb = Annotated[
    float | None, typer.Option("--max-file-mb", help="Read a file of up to so many MB, whatever HCAT_MAX_FILE_MB says.")
]
MaxRows = Annotated[
    int | None, typer.Option("--max-rows", help="Read up to so many rows, whatever HCAT_MAX_ROWS says.")
]


class RunFile(NamedTuple):
    """A file, the run of a project that it becomes, and how it is read."""

    file: Path
    project: str
    run: str
    format: str | None
    columns: Sequence[str]
    keep_good: bool
    limits: Limits


class Imported(NamedTuple):
    """The run that a file became, what the file contains (of a large one, the first rows), and the rows left out."""

    preview: Preview
    stored: RunInfo
    left_out: int


class ProblemFiles(NamedTuple):
    """Files for the problems of a run file, and for the rows that have them."""

    problems: Path | None
    bad_rows: Path | None

    def write(self, preview: Preview) -> None:
        """Write the requested files, if there is anything to write."""
        from hcat.core.importers import bad_rows_jsonl, problems_csv

        if preview.problems and self.problems is not None:
            write_whole(self.problems, problems_csv(preview.problems))
        if preview.bad_rows and self.bad_rows is not None:
            write_whole(self.bad_rows, bad_rows_jsonl(preview.bad_rows))


def raised_limits(max_file_mb: float | None, max_rows: int | None) -> Limits:
    """The limits of the settings, or those that the command names."""
    from hcat.core.importers import Limits

    limits = Limits.from_settings()
    if max_file_mb is not None:
        limits = replace(limits, max_file_mb=max_file_mb)
    return limits if max_rows is None else replace(limits, max_rows=max_rows)


def import_run(workspace: Workspace, source: RunFile, files: ProblemFiles) -> Imported:
    """Import the file. FileFormatError if rows are wrong, unless the good ones are to be stored."""
    from hcat.core.importers import streamed
    from hcat.core.importers.reading.row_stream import row_stream

    if source.file.stat().st_size >= streamed.STREAMED_BYTES:
        stream = row_stream(source.file, source.limits)
        if stream is not None:
            mapping = _mapping(workspace, source, streamed.columns_of(stream))
            return _import_streamed(workspace, source, files, mapping)
        print_note(f"{source.file.name} is read whole: only JSON Lines, CSV and Parquet are read row by row")
    return _import_whole(workspace, source, files)


def _import_whole(workspace: Workspace, source: RunFile, files: ProblemFiles) -> Imported:
    from hcat.core.importers import read_columns
    from hcat.core.inputs.files import describe_problems, preview_run
    from hcat.core.wording.importing import notes_on_samples

    file = source.file
    with chosen_sheet(file) as readable:
        needed = not source.columns and source.format is None
        columns = read_columns(readable, filename=file.name, limits=source.limits).columns if needed else ()
    mapping = _mapping(workspace, source, columns)
    preview = preview_run(file, format=source.format, mapping=mapping, limits=source.limits)
    for note in notes_on_samples(preview.samples):
        print_note(note)
    files.write(preview)
    if preview.problems and not source.keep_good:
        raise FileFormatError(describe_problems(file, preview))
    target = _project(workspace, source)
    stored = workspace.runs.add(target, source.run, preview.samples, source=file.name, format=preview.format.name)
    if source.columns:
        workspace.mappings.save(workspace.projects.of(stored), preview.columns, mapping)
    return Imported(preview, stored, preview.bad)


def _import_streamed(
    workspace: Workspace, source: RunFile, files: ProblemFiles, mapping: Mapping[str, str]
) -> Imported:
    from hcat.core.importers.streamed import stream_run
    from hcat.core.inputs.files import describe_problems
    from hcat.core.wording.importing import notes_on_columns, notes_on_texts

    file = source.file
    _check_room(workspace, source, mapping)
    with stream_run(
        file,
        filename=file.name,
        format=source.format,
        limits=source.limits,
        mapping=mapping,
        leave_out_thoughts=leaves_out_thoughts(),
    ) as streamed:
        assert streamed is not None
        preview = streamed.preview
        for note in notes_on_texts(preview):
            print_note(note)
        files.write(preview)
        if preview.problems and not source.keep_good:
            raise FileFormatError(describe_problems(file, preview, n_problems=streamed.n_problems))
        stored = workspace.runs.add_each(
            _project(workspace, source),
            source.run,
            streamed.samples(),
            several=streamed.several,
            source=file.name,
            format=preview.format.name,
        )
    if source.columns:
        workspace.mappings.save(workspace.projects.of(stored), preview.columns, mapping)
    for note in notes_on_columns(workspace.runs.columns(stored)):
        print_note(note)
    return Imported(preview, stored, preview.rows - streamed.n)


def _check_room(workspace: Workspace, source: RunFile, mapping: Mapping[str, str]) -> None:
    """Print the resources for the import; LimitError if this machine has too little room."""
    from hcat.core.importers.reading.row_stream import row_stream
    from hcat.core.jobs import forecast as forecasting
    from hcat.core.project.import_forecast import import_forecast
    from hcat.core.wording.importing import forecast_sentence

    stream = row_stream(source.file, source.limits)
    if stream is not None:
        forecast = import_forecast(stream, workspace.store, format=source.format, mapping=mapping)
        print_note(f"{source.file.name}: {forecast_sentence(forecast.totals)}")
        forecasting.check_room(forecast, forecasting.room_for(forecast))


def _project(workspace: Workspace, source: RunFile) -> ProjectInfo | Callable[[], ProjectInfo]:
    """The project, or what makes it where there is none of this name."""
    from hcat.core.project.projects import checked_name
    from hcat.core.types import Criterion

    def make() -> ProjectInfo:
        made = workspace.projects.create(source.project)
        workspace.criteria.add(made, Criterion("correctness"))
        return made

    try:
        return workspace.projects.get(source.project)
    except NotFoundError:
        checked_name(source.project, "project")
        return make


def _mapping(workspace: Workspace, source: RunFile, columns: Sequence[str]) -> dict[str, str]:
    """The mapping given, else the one the project remembers for these columns; none if a format is named."""
    pairs = [pair.rpartition("=") for pair in source.columns]
    wrong = [pair for pair, (column, _, _) in zip(source.columns, pairs, strict=True) if not column]
    if wrong:
        raise FileFormatError(
            f"--map {wrong[0]!r} is not a column mapping: write COLUMN=FIELD, such as question_text=query"
        )
    if source.columns or source.format is not None:
        return {column: field.strip() for column, _, field in pairs}
    try:
        kept = workspace.mappings.find(source.project, columns)
    except NotFoundError:
        return {}
    if kept is not None:
        print_note(f"using the column mapping saved in this project on {kept.at:%Y-%m-%d}; change it with --map")
    return {} if kept is None else dict(kept.mapping)
