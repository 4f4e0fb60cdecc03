"""Scores from a file: any table of sample ids and numbers, or the export of a tool that scores answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.importers.extras import Use, says_how_good, says_how_much
from hcat.core.importers.formats.native import FIELDS, NATIVE
from hcat.core.importers.limits import Limits
from hcat.core.importers.mapping import MAPPED, TABLE, may_be_record
from hcat.core.importers.preview import Preview, read_run
from hcat.core.importers.problems import describe
from hcat.core.importers.reading.cells import CellError, as_identifier
from hcat.core.importers.reading.content import read_bytes, read_table, shown_name
from hcat.core.importers.reading.table import Row, Table
from hcat.core.importers.recognition import recognise
from hcat.core.importers.scores.known_metrics import is_technical, known_metric
from hcat.core.importers.scores.named_scores import unfolded, with_names
from hcat.core.importers.scores.score_cells import DECIMAL_COMMA, EMPTY, score_cell
from hcat.core.importers.suggestion import names_contexts, words
from hcat.core.records.hashing import sha256_of_bytes
from hcat.core.scoring.score_file import ScoreColumn, ScoreFile
from hcat.core.scoring.score_table import CLUSTER_COLUMN, OWN_COLUMNS, REASON_SUFFIX
from hcat.core.types import JsonValue, Score

ID = "sample_id"
NO_SCORES = frozenset({*FIELDS, *OWN_COLUMNS, "run", "criterion", "label", "annotator", "at", "source"})
"""Columns of hcat's own files that describe a sample or a label, and are never scores."""
_PLACES = frozenset({"id", "ids", "idx", "index", "uuid", "guid", "hash", "row", "line", "position", "seed", "page"})
"""Last words of names of columns that identify the sample of a row, or its position."""
CLUSTER_KEYS = (CLUSTER_COLUMN, "test_case", "group")
"""Columns that define clusters of samples; the first that exists counts."""
LEAST_NUMERIC = 0.5
"""The least share of a column's filled cells that must be numbers for it to be a score."""


def read_scores(
    source: bytes | Path,
    *,
    filename: str,
    format: str | None = None,  # noqa: A002
    limits: Limits | None = None,
) -> ScoreFile:
    """The scores in a file: a table with `sample_id` (or `id`) and columns of numbers, or a tool's export of a run.

    In an export, samples have the ids that the import of a run gives them. A cell that is not a finite number leaves
    its sample unscored, with the reason; a column without numbers is left out. FileFormatError if a row has no id, an
    id occurs twice, no column has numbers, or the file can't be read; LimitError if it is too large."""
    limits = limits or Limits.from_settings()
    name = shown_name(filename)
    try:
        data = read_bytes(source, limits)
        table = read_table(data, limits, is_record=_is_record)
        names_rows = any(column in table.columns for column in (ID, "id"))
        if format is None and recognise(table.columns) is None and (names_rows or not may_be_record(table.columns)):
            return _plain(table, data, name)
    except (FileFormatError, LimitError) as error:
        raise type(error)(f"{name}: {error}") from None
    preview = read_run(data, filename=filename, format=format, limits=limits)
    if preview.problems:
        first = preview.problems[0]
        raise FileFormatError(f"{name}: row {first.row}: expected {first.expected}, found {first.found}")
    return scores_in(preview, filename=filename, sha256=sha256_of_bytes([data]))


def scores_in(preview: Preview, *, filename: str, sha256: str) -> ScoreFile:
    """The tool's scores for the samples of a run file; without columns if it has none."""
    times = Counter(sample.id for sample in preview.samples)
    ids = tuple(s.id if times[s.id] == 1 else f"{s.id}#{s.trial}" for s in preview.samples)
    framework = "" if preview.format in (NATIVE, MAPPED, TABLE) else preview.format.name
    unknown: dict[str, JsonValue] = dict.fromkeys(preview.extras)
    cells = {name: {**unknown, **row} for name, row in zip(ids, preview.named_cells, strict=True)}
    file = _score_file(
        cells, framework=framework, textual=preview.textual, filename=shown_name(filename), sha256=sha256
    )
    no_scores = {column.name: reason for column in file.columns if (reason := _no_metric(column, preview.extras))}
    kept = tuple(column for column in file.columns if column.name not in no_scores)
    return replace(file, columns=kept, left_out={**file.left_out, **no_scores})


def _no_metric(column: ScoreColumn, uses: Mapping[str, Use]) -> str | None:
    """The reason why a column of numbers in a run file is not a score, by its name; None if it may be one."""
    if says_how_good(column.name) or column.direction is not None:
        return None
    if says_how_much(column.name) or names_contexts(column.name):
        return "a cost, time or count, no score"
    values = {score.value for score in column.scores.values() if score.value is not None}
    if uses.get(column.name) == "dimension" and values <= {0.0, 1.0}:
        return "two levels by which samples are sliced"
    return None


def _plain(table: Table, data: bytes, name: str) -> ScoreFile:
    """A table of ids and numbers."""
    if table.unreadable:
        problem = table.unreadable[0].problem
        raise FileFormatError(f"row {problem.row}: expected {problem.expected}, found {problem.found}")
    key = next((column for column in (ID, "id") if column in table.columns), None)
    if key is None:
        found = ", ".join(column[:60] for column in table.columns[:10])
        raise FileFormatError(f"no column is called {ID}, which says whose score each row is: found {found}")
    cells = {sample_id: row.cells for sample_id, row in zip(_ids(table.rows, key), table.rows, strict=True)}
    file = _score_file(cells, framework="", textual=table.is_textual, filename=name, sha256=sha256_of_bytes([data]))
    if not file.columns:
        why = "; ".join(f"{column}: {reason}" for column, reason in file.left_out.items())
        raise FileFormatError(f"no column holds scores{f' ({why})' if why else ''}")
    return replace(file, clusters=_clusters(cells, table.columns))


def _clusters(cells: Mapping[str, Mapping[str, JsonValue]], columns: Collection[str]) -> dict[str, str]:
    """The cluster of each sample if the file has a column of clusters, test cases or groups; else none."""
    key = next((column for column in CLUSTER_KEYS if column in columns), None)
    if key is None:
        return {}
    try:
        return {
            name: as_identifier(cell) if (cell := row.get(key)) is not None else name for name, row in cells.items()
        }
    except CellError as error:
        raise FileFormatError(f"{key} must be {error.expected}, found {error.found}") from None


def _ids(rows: Sequence[Row], key: str) -> list[str]:
    """The id of each row. Several trials get distinct ids as in an import, if there is a `trial`."""
    ids: list[str] = []
    for row in rows:
        try:
            ids.append(as_identifier(row.cells.get(key)))
        except CellError as error:
            raise FileFormatError(f"row {row.number}: {key} must be {error.expected}, found {error.found}") from None
    times = Counter(ids)
    trials = [row.cells.get("trial") for row in rows]
    unique_ids = [
        name if times[name] == 1 or trial is None else f"{name}#{_trial(trial)}"
        for name, trial in zip(ids, trials, strict=True)
    ]
    first: dict[str, int] = {}
    for name, row in zip(unique_ids, rows, strict=True):
        if name in first:
            raise FileFormatError(f"rows {first[name]} and {row.number} both score {describe(name)}: keep one of them")
        first[name] = row.number
    return unique_ids


def _trial(value: JsonValue) -> str:
    try:
        return as_identifier(value)
    except CellError:
        return str(value)


def _score_file(
    cells: Mapping[str, Mapping[str, JsonValue]], *, framework: str, textual: bool, filename: str, sha256: str
) -> ScoreFile:
    described = [
        {name: cell for name, cell in row.items() if name not in NO_SCORES and not _repeats(framework, name, cell)}
        for row in cells.values()
    ]
    cells = dict(zip(cells, unfolded(with_names(described)), strict=True))
    names = dict.fromkeys(name for row in cells.values() for name in row if name not in NO_SCORES)
    left_out: dict[str, str] = {}
    columns = []
    for name in names:
        scores = {key: score_cell(row.get(name), textual=textual) for key, row in cells.items()}
        reason = _no_score(name, framework, tuple(scores.values()))
        if reason is None:
            columns.append(_column(name, framework, scores))
        else:
            left_out[name] = reason
    return ScoreFile(filename, sha256, tuple(cells), tuple(columns), framework, left_out=left_out)


def _repeats(framework: str, name: str, cell: JsonValue) -> bool:
    """Whether it is an object in which the tool repeats its columns."""
    return isinstance(cell, dict) and is_technical(framework, name)


def _no_score(name: str, framework: str, scores: Collection[Score]) -> str | None:
    """The reason why a column is not a score; None if it is one."""
    if name.endswith(REASON_SUFFIX):
        return "it says why samples are unscored"
    if (words(name) or ("",))[-1] in _PLACES:
        return "it says which row this is"
    if is_technical(framework, name):
        return "a cost, time or count of the tool, no score"
    filled = [score for score in scores if score.reason != EMPTY]
    numeric = sum(score.value is not None for score in filled)
    if not filled:
        return "all its cells are empty"
    if any(score.reason == DECIMAL_COMMA for score in filled):
        return DECIMAL_COMMA
    if numeric < LEAST_NUMERIC * len(filled):
        return "its cells are not numbers" if numeric == 0 else f"only {numeric} of {len(filled)} cells are numbers"
    return None


def _column(name: str, framework: str, scores: Mapping[str, Score]) -> ScoreColumn:
    documented = known_metric(framework, name)
    if documented is None:
        return ScoreColumn(name, scores)
    return ScoreColumn(name, scores, documented.direction, documented.low, documented.high)


def _is_record(fields: Collection[str]) -> bool:
    return ID in fields or may_be_record(fields)
