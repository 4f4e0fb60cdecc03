"""Files of runs and scores, as commands and Python read them.

How they are to be read (`FileOptions`) holds within `reading`, for all functions that read files.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from zipfile import is_zipfile

from hcat.core.display.control_characters import one_line
from hcat.core.display.numbers import counted
from hcat.core.errors import FileFormatError, HcatError, LimitError
from hcat.core.records.file_limits import check_bytes

if TYPE_CHECKING:
    from hcat.core.importers import Limits, Preview
    from hcat.core.scoring.file_metric import FileMetric
    from hcat.core.scoring.score_file import RunBeside
    from hcat.core.scoring.score_table import ScoreTable
    from hcat.core.scoring.statements import Statement
    from hcat.core.types import Sample

SHA256_DIGITS = 64


@dataclass(frozen=True, slots=True)
class FileOptions:
    """`sheets` by file name, that of any other workbook under ""; `levels` by the value in the file that means each;
    whether a model's thoughts are left out of answers."""

    sheets: Mapping[str, str] = field(default_factory=dict)
    levels: Mapping[str, str] = field(default_factory=dict)
    without_thoughts: bool = False


_ACTIVE: ContextVar[FileOptions] = ContextVar("file options", default=FileOptions())  # noqa: B039 - frozen


@contextmanager
def reading(options: FileOptions) -> Iterator[None]:
    """Files are read by these options until the end."""
    active = _ACTIVE.set(options)
    try:
        yield
    finally:
        _ACTIVE.reset(active)


def leaves_out_thoughts() -> bool:
    """Whether --without-thoughts is given."""
    return _ACTIVE.get().without_thoughts


def level_values() -> Mapping[str, str]:
    """The level that --level states for each label in a file."""
    return _ACTIVE.get().levels


@contextmanager
def chosen_sheet(path: Path) -> Iterator[Path]:
    """A file of the same name with the sheet that --sheet names, as long as it is needed; the file itself otherwise."""
    from hcat.core.importers import Limits
    from hcat.core.importers.reading.content import read_bytes
    from hcat.core.importers.reading.excel import sheet_csv
    from hcat.core.records.atomic import write_whole

    sheets = _ACTIVE.get().sheets
    sheet = sheets.get(path.name, sheets.get(""))
    if sheet is None or not is_zipfile(path):
        yield path
        return
    with TemporaryDirectory() as folder:
        only = Path(folder) / path.name
        write_whole(only, sheet_csv(read_bytes(path, Limits.from_settings()), sheet=sheet).encode())
        yield only


def print_note(text: str) -> None:
    """Print a note on standard error: one line of a readable length, whatever a file named its parts."""
    sys.stderr.write(f"{one_line(text)}\n")


def existing(path: Path) -> Path:
    """The path, if a file exists there."""
    if not path.is_file():
        raise FileFormatError(f"{path} is not a file: check the path")
    return path


def read_text(path: Path) -> str:
    """The text of a file. Raises FileFormatError if it does not exist or is not UTF-8."""
    try:
        check_bytes(existing(path).stat().st_size)
        return path.read_text("utf-8")
    except LimitError as error:
        raise LimitError(f"{path}: {error}") from None
    except UnicodeDecodeError:
        raise FileFormatError(f"{path} is not UTF-8 text: check the path") from None


def read_samples(
    path: Path,
    *,
    format: str | None = None,  # noqa: A002
    limits: Limits | None = None,
) -> tuple[Sample, ...]:
    """The samples of a run file; a file with any bad row is refused, with the first problems named."""
    preview = preview_run(path, format=format, limits=limits)
    if preview.problems:
        raise FileFormatError(describe_problems(path, preview))
    return preview.samples


def preview_run(
    path: Path,
    *,
    format: str | None = None,  # noqa: A002
    mapping: Mapping[str, str] | None = None,
    limits: Limits | None = None,
) -> Preview:
    """The samples and the problems in the file. Notes on how it was read go to standard error."""
    from hcat.core.importers import read_run
    from hcat.core.wording.importing import notes_on_texts

    with chosen_sheet(existing(path)) as file:
        preview = read_run(
            file,
            filename=path.name,
            format=format,
            mapping=mapping,
            limits=limits,
            leave_out_thoughts=leaves_out_thoughts(),
        )
    for note in notes_on_texts(preview):
        print_note(note)
    return preview


def describe_problems(path: Path, preview: Preview, *, n_problems: int | None = None) -> str:
    """One line on what is wrong with the file's rows; `n_problems` where there are more than those of the preview."""
    count = counted(len(preview.problems) if n_problems is None else n_problems, "problem")
    first = preview.problems[0]
    place = f"row {first.row}, column {first.column}" if first.column else f"row {first.row}"
    return (
        f"{path.name}: {count} in {counted(preview.rows, 'row')}. The first: "
        f"{place}: expected {first.expected}, found {first.found}. `hcat import --keep-good` imports the usable rows, "
        "--bad-rows FILE writes the others"
    )


def read_score_table(path: Path, run: Callable[[], RunBeside] | None, stated: Mapping[str, Statement]) -> ScoreTable:
    """The scores in a file: as hcat wrote them, or as anybody else gives them; `run` gives the ids of its samples.

    What is not known of metrics from a file, and what of the file could not be used, is said on standard error.
    """
    from hcat.core.importers.scores.read_scores import read_scores
    from hcat.core.scoring.score_file import file_score_table
    from hcat.core.scoring.score_table import ScoreTable, is_score_file
    from hcat.core.scoring.statements import with_statements

    if not path.is_file() or is_score_file(path):
        return with_statements(ScoreTable.read(path), stated)
    try:
        with chosen_sheet(path) as readable:
            file = read_scores(readable, filename=path.name)
        if not file.columns:
            raise FileFormatError(f"{path.name}: none of its columns holds scores")
    except (FileFormatError, LimitError) as error:
        raise type(error)(f"{path} is not a score file of hcat, nor a table of scores: {error}") from None
    table = with_statements(file_score_table(file, run=None if run is None else run()), stated)
    for line in score_remarks(table, table.provenance.from_files):
        print_note(line)
    return table


def read_run_scores(path: Path, samples: Sequence[Sample], stated: Mapping[str, Statement]) -> ScoreTable:
    """The same of a run with these samples."""
    from hcat.core.records.run_file import content_hash
    from hcat.core.scoring.score_file import run_beside
    from hcat.core.slices.sample_columns import ColumnsOfSamples

    table = read_score_table(path, lambda: run_beside(ColumnsOfSamples(samples), content_hash(samples)), stated)
    _check_run(path, table, samples)
    return table


def _check_run(path: Path, table: ScoreTable, samples: Sequence[Sample]) -> None:
    """HcatError where the scores are of other samples than the run's; a note where the run file was changed since."""
    from hcat.core.records.run_file import content_hash

    of_run, scored = {sample.id for sample in samples}, set(table.sample_ids)
    strangers = [name for name in table.sample_ids if name not in of_run]
    if strangers:
        raise HcatError(
            f"{path.name} has scores of another run: of its {counted(len(scored), 'sample')} the run lacks "
            f"{len(strangers):,}, such as {strangers[0]!r}; score this run with `hcat score`"
        )
    of_hash = table.provenance.run_hash
    if len(of_hash) == SHA256_DIGITS and not table.provenance.from_files and of_hash != content_hash(samples):
        print_note(f"{path.name} was made of other content under the same sample ids: is it of this run?")


def score_remarks(table: ScoreTable, declared: Mapping[str, FileMetric]) -> list[str]:
    """Remarks on metrics from files: those without a stated direction, samples without a score, rows that are not of
    the run."""
    unknown = [name for name, metric in declared.items() if metric.direction is None]
    lines = []
    if unknown:
        names = ", ".join(unknown)
        lines.append(f"which way is better is not stated for {names}: add --direction {unknown[0]}=higher (or lower)")
    for name in declared:
        reasons = table.reasons(name)
        if reasons:
            said = "; ".join(f"{count} {reason}" for reason, count in reasons.items())
            lines.append(f"{name}: {counted(sum(reasons.values()), 'sample')} unscored: {said}")
    return lines + list(dict.fromkeys(_not_in_run(metric) for metric in declared.values() if metric.not_in_run))


def _not_in_run(metric: FileMetric) -> str:
    return f"{metric.file}: {counted(metric.not_in_run, 'row')} of samples that the run does not have left out"
