"""Label files: `sample_id, criterion, label[, annotator, run, rationale, at, probability, guideline_version, source]`.

CSV as a rule; JSON, JSON Lines and Parquet with the same columns are read too. An export starts dangerous cells with an
apostrophe, so that no spreadsheet runs them; reading removes it again. Without a `source`, it is inferred from the
beginning of the annotator's name, as in older files without this column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.importers.labels.level_words import (
    NO_SCALE,
    Scale,
    has_one_opposite,
    inferred_scale,
    is_skipped,
    mapped_scale,
    normal,
    positive_scale,
    scale_of,
)
from hcat.core.importers.limits import Limits
from hcat.core.importers.problems import Problem, describe
from hcat.core.importers.reading.cells import (
    CellError,
    as_identifier,
    as_level,
    as_number,
    as_text,
    as_whole,
)
from hcat.core.importers.reading.content import read_bytes, read_table
from hcat.core.importers.reading.row_reader import RowReader
from hcat.core.importers.reading.spreadsheet import csv_text, unescape_formula
from hcat.core.importers.reading.table import Row, Table
from hcat.core.labelling.label_source import LABEL_SOURCES, read_former_name
from hcat.core.types import Criterion, JsonValue, Label, LabelSource

COLUMNS = (
    *("sample_id", "criterion", "label", "annotator", "run", "rationale", "at", "probability", "guideline_version"),
    "source",
)

_SHOWN = 8


@dataclass(frozen=True, slots=True)
class LabelPreview:
    """The content of a label file.

    `left_out` counts rows of runs or criteria that were not requested, `skipped` those whose label is mapped to no
    level. `values` counts the labels of the others as they are written; those in `unknown` have no level."""

    labels: tuple[Label, ...]
    problems: tuple[Problem, ...]
    criteria: tuple[Criterion, ...]
    rows: int
    left_out: int = 0
    skipped: int = 0
    values: Mapping[str, int] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()

    @property
    def alike(self) -> tuple[tuple[str, ...], ...]:
        """The names of annotators that differ in case and blanks only, in groups."""
        groups: dict[str, dict[str, None]] = {}
        for name in dict.fromkeys(label.annotator for label in self.labels if label.source == "person"):
            groups.setdefault("".join(name.split()).casefold(), {})[name] = None
        return tuple(tuple(names) for names in groups.values() if len(names) > 1)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A row with valid cells, before the level of its label is determined."""

    row: int
    sample_id: str
    criterion: str
    label: str
    annotator: str
    run: str | None
    rationale: str | None
    at: datetime | None
    probability: float
    guideline_version: int
    source: LabelSource


def read_labels(
    source: bytes | Path,
    *,
    criterion: Criterion | None = None,
    positive: str | None = None,
    run: str | None = None,
    values: Mapping[str, str] | None = None,
    limits: Limits | None = None,
) -> LabelPreview:
    """Labels of one given criterion, or of all in the file, whose levels are then inferred (`inferred_scale`).

    `positive` makes labels binary: that value passes, its opposite fails. With more than two values it is unknown which
    fail: they need a criterion with their order. `values` map labels to levels of the criterion, or to `SKIP`. `run`
    selects the labels of that run, and those that name none. A time without a zone is UTC. Of equal labels by one
    annotator at one time, the first is used. Raises FileFormatError or LimitError if nothing can be read, or no row is
    of the requested run and criteria."""
    if positive is not None and criterion is not None and not criterion.is_binary:
        raise FileFormatError(f'"{positive}" against the rest needs a criterion with two levels')
    if values and criterion is None:
        raise FileFormatError("labels can be mapped only to the levels of a criterion that is given")
    try:
        return _read(source, limits or Limits.from_settings(), criterion, positive, run, values or {})
    except (FileFormatError, LimitError) as error:
        raise type(error)(f"labels: {error}") from None


def labels_csv(labels: Iterable[Label], criterion: Criterion) -> str:
    """The labels of this criterion as a CSV file with level names, which `read_labels` reads back unchanged."""
    return csv_text(label_rows(labels, criterion))


def label_rows(labels: Iterable[Label], criterion: Criterion) -> Iterator[tuple[str, ...]]:
    """The rows of such a file, the head first."""
    yield COLUMNS
    yield from (_cells(label, criterion) for label in labels if label.criterion == criterion.name)


def _cells(label: Label, criterion: Criterion) -> tuple[str, ...]:
    return (
        label.sample_id,
        label.criterion,
        criterion.levels[label.level],
        label.annotator,
        label.run or "",
        label.rationale or "",
        label.at.isoformat() if label.at else "",
        repr(label.probability),
        str(label.guideline_version),
        label.source,
    )


def _read(
    source: bytes | Path,
    limits: Limits,
    criterion: Criterion | None,
    positive: str | None,
    run: str | None,
    values: Mapping[str, str],
) -> LabelPreview:
    table = read_table(read_bytes(source, limits), limits, is_record=lambda fields: "sample_id" in fields)
    needed = ("sample_id", "label") if criterion else ("sample_id", "criterion", "label")
    missing = [column for column in needed if column not in table.columns]
    if missing:
        raise FileFormatError(f"no column {', '.join(missing)}: found {', '.join(table.columns[:30]) or 'none'}")
    problems = [item.problem for item in table.unreadable]
    entries = _entries(table, limits, criterion, problems)
    wanted = _wanted(entries, criterion, run)
    chosen = [entry for entry in wanted if not is_skipped(values, entry.label)]
    scales = _scales(chosen, criterion, positive)
    if values and criterion is not None:
        scales = {criterion.name: mapped_scale(criterion, values)}
    labels = _labels(chosen, scales, problems)
    counts = Counter(entry.label for entry in wanted)
    return LabelPreview(
        labels=tuple(labels),
        problems=tuple(sorted(problems, key=lambda problem: problem.row or 0)),
        criteria=tuple(scale.criterion for scale in scales.values() if scale),
        rows=len(table.rows) + len(table.unreadable),
        left_out=len(entries) - len(wanted),
        skipped=len(wanted) - len(chosen),
        values=dict(counts.most_common()),
        unknown=_unknown(chosen, scales),
    )


def _unknown(entries: Iterable[_Entry], scales: Mapping[str, Scale | None]) -> tuple[str, ...]:
    """The labels without a level, as they are written."""

    def is_known(entry: _Entry) -> bool:
        scale = scales[entry.criterion]
        return scale is not None and scale.level(entry.label) is not None

    return tuple(dict.fromkeys(entry.label for entry in entries if not is_known(entry)))


def _entries(table: Table, limits: Limits, criterion: Criterion | None, problems: list[Problem]) -> list[_Entry]:
    entries = []
    for row in limits.in_time(table.rows):
        cells = {name: unescape_formula(cell) if isinstance(cell, str) else cell for name, cell in row.cells.items()}
        reader = RowReader(Row(row.number, cells), limits=limits, textual=table.is_textual)
        entry = _entry(row.number, reader, criterion.name if criterion else "")
        if reader.problems:
            problems.extend(reader.problems)
        else:
            entries.append(entry)
    return entries


def _entry(number: int, row: RowReader, criterion: str) -> _Entry:
    annotator = row.value("annotator", _as_annotator, "unknown")
    source = row.value("source", _as_source, None)
    if source is None:
        source, annotator = read_former_name(annotator)
    return _Entry(
        row=number,
        sample_id=row.required("sample_id", as_identifier, ""),
        criterion=row.value("criterion", as_text, criterion) or row.required("criterion", as_identifier, ""),
        label=row.required("label", _as_label, ""),
        annotator=annotator,
        run=row.value("run", as_identifier, None),
        rationale=row.value("rationale", as_text, None),
        at=row.value("at", _as_time, None),
        probability=row.number("probability", _as_probability, 1.0),
        guideline_version=row.number("guideline_version", as_whole, 1),
        source=source,
    )


def _as_annotator(value: JsonValue) -> str:
    """The name as it is written, so that two spellings of one name are distinct; but 1.0 is 1."""
    is_name = isinstance(value, str) and value and not value.removesuffix(".0").isdecimal()
    return str(value) if is_name else as_identifier(value)


def _as_label(value: JsonValue) -> str:
    label = as_level(value)
    if not label.strip():
        raise CellError("a label", describe(value))
    return label


def _as_source(value: JsonValue) -> LabelSource:
    source = LABEL_SOURCES.get(as_text(value).strip().casefold())
    if source is None:
        raise CellError(f"one of {', '.join(LABEL_SOURCES)}", describe(value))
    return source


def _as_probability(value: JsonValue) -> float:
    number = as_number(value) if isinstance(value, int | float) else 0.0
    if not 0 < number <= 1:
        raise CellError("a probability above 0 and up to 1", describe(value))
    return number


def _as_time(value: JsonValue) -> datetime:
    try:
        time = datetime.fromisoformat(as_text(value))
    except ValueError:
        raise CellError("a time such as 2025-03-31T14:05:00Z", describe(value)) from None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _wanted(entries: Sequence[_Entry], criterion: Criterion | None, run: str | None) -> list[_Entry]:
    wanted = [entry for entry in entries if run is None or entry.run in (None, run)]
    if entries and not wanted:
        raise FileFormatError(f'no label of run "{run}": the file has {_some(entry.run or "" for entry in entries)}')
    named = [entry for entry in wanted if criterion is None or entry.criterion == criterion.name]
    if wanted and criterion and not named:
        names = _some(entry.criterion for entry in wanted)
        raise FileFormatError(f'no label of criterion "{criterion.name}": the file has {names}')
    return named


def _scales(entries: Sequence[_Entry], criterion: Criterion | None, positive: str | None) -> Mapping[str, Scale | None]:
    if positive is not None and entries and normal(positive) not in {normal(entry.label) for entry in entries}:
        raise FileFormatError(f'no label is "{positive}": the file has {_some(entry.label for entry in entries)}')
    labels: dict[str, list[str]] = {}
    for entry in entries:
        labels.setdefault(entry.criterion, []).append(entry.label)
    if positive is not None:
        _require_opposite(labels.values(), positive)
        return {name: positive_scale(criterion or Criterion(name), positive) for name in labels}
    if criterion is not None:
        return {criterion.name: scale_of(criterion)}
    return {name: inferred_scale(name, values) for name, values in labels.items()}


def _require_opposite(labels: Iterable[Sequence[str]], positive: str) -> None:
    for values in labels:
        if not has_one_opposite(values, positive):
            raise FileFormatError(
                f'"{positive}" against the rest takes two labels, and the file has {_some(values)}: give the criterion '
                "with their order (--levels, from worst to best) and the lowest that passes (--passing)"
            )


def _labels(entries: Iterable[_Entry], scales: Mapping[str, Scale | None], problems: list[Problem]) -> list[Label]:
    first: dict[tuple[str, str, LabelSource, str, str | None, datetime | None], int] = {}
    labels = []
    for entry in entries:
        scale = scales[entry.criterion]
        level = scale.level(entry.label) if scale else None
        if level is None:
            expected = scale.expected if scale else NO_SCALE
            problems.append(Problem(entry.row, "label", expected, describe(entry.label)))
            continue
        key = (entry.sample_id, entry.criterion, entry.source, entry.annotator, entry.run, entry.at)
        if key in first:
            expected = "one label for each sample, criterion, annotator, run and time"
            problems.append(Problem(entry.row, "sample_id", expected, f"{describe(key[0])}, as in row {first[key]}"))
            continue
        first[key] = entry.row
        labels.append(_label(entry, level))
    return labels


def _label(entry: _Entry, level: int) -> Label:
    return Label(
        sample_id=entry.sample_id,
        criterion=entry.criterion,
        level=level,
        annotator=entry.annotator,
        run=entry.run,
        rationale=entry.rationale,
        at=entry.at,
        probability=entry.probability,
        guideline_version=entry.guideline_version,
        source=entry.source,
    )


def _some(names: Iterable[str]) -> str:
    distinct = list(dict.fromkeys(names))
    shown = ", ".join(describe(name) for name in distinct[:_SHOWN])
    return shown + (f" and {len(distinct) - _SHOWN} more" if len(distinct) > _SHOWN else "")
