"""Samples as rows of a Parquet file, and back: names, numbers and levels have columns of their own, apart from the
texts.

Names and levels are texts of Parquet; one that Parquet does not take, since it holds half a surrogate pair, is written
as JSON behind ESCAPE.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from hcat.core.records.samples.columns import retrieved_of
from hcat.core.slices.sample_columns import LEVELS, MEASURES_VERSION, NUMBERS
from hcat.core.storage import sample_texts
from hcat.core.storage.sample_texts import StoredTexts, TextForm, Texts
from hcat.core.types import Passage, Sample, Variant

ESCAPE = "\x01json:"
MEASURES = b"hcat_measures"
"""The key of a file's metadata under which it says by which version its texts were measured."""
DIMENSION = "dimension:"
"""Prefix of the name of a dimension in the name of its column."""
LATER_DIMENSIONS = "later_dimensions"
"""The levels of dimensions that no sample of the first rows had, each with its name."""
CANDIDATES = "candidates"
MEASURED = (
    *(name for name in LEVELS if name not in ("test_case", "group", "variant_family", "variant_of")),
    *(name for name in NUMBERS if name not in ("trial", "expected", "variant_strength")),
    CANDIDATES,
)
"""Columns computed from texts and metadata, so that these need not be read for them."""

_NAME = pa.string()
_FIXED: dict[str, pa.DataType] = {
    "id": _NAME,
    **dict.fromkeys(LEVELS, _NAME),
    **{name: pa.float64() for name in NUMBERS},
    "trial": pa.int64(),
    "contexts": pa.int32(),
    "relevant_ids": pa.map_(_NAME, pa.int64()),
    "context_ids": pa.list_(_NAME),
    CANDIDATES: pa.list_(_NAME),
    "context_scores": pa.list_(pa.float64()),
    LATER_DIMENSIONS: pa.map_(_NAME, _NAME),
}


def schema(dimensions: Sequence[str]) -> pa.Schema:
    """The columns of a file in which each of these dimensions has one of its own."""
    columns = _FIXED | {DIMENSION + escaped(name): _NAME for name in dimensions} | sample_texts.COLUMNS
    return pa.schema(list(columns.items()), metadata={MEASURES: str(MEASURES_VERSION).encode()})


def rows_of(samples: Sequence[Sample], columns: pa.Schema, form: TextForm) -> pa.Table:
    """These samples as rows of such a file."""
    own = [name for name in columns.names if name.startswith(DIMENSION)]
    names = [unescaped(name.removeprefix(DIMENSION)) for name in own]
    values: dict[str, list[Any]] = {
        "id": [escaped(sample.id) for sample in samples],
        **{column: values_of(column, samples) for column in (*LEVELS, *NUMBERS, CANDIDATES)},
        "relevant_ids": [[(escaped(name), n) for name, n in sample.relevant_ids.items()] for sample in samples],
        "context_ids": [[escaped(passage.id) for passage in sample.contexts] for sample in samples],
        "context_scores": [[passage.score for passage in sample.contexts] for sample in samples],
        LATER_DIMENSIONS: [_pairs(sample, set(names)) for sample in samples],
    }
    for column, name in zip(own, names, strict=True):
        values[column] = [_escaped(sample.dimensions.get(name)) for sample in samples]
    stored = [form.stored(sample) for sample in samples]
    values |= {name: [row[k] for row in stored] for k, name in enumerate(StoredTexts._fields)}
    return pa.table([pa.array(values[field.name], field.type) for field in columns], schema=columns)


def values_of(column: str, samples: Sequence[Sample]) -> list[Any]:
    """Values of a column for each of these samples, as stored; one of LEVELS, of NUMBERS, or the candidates."""
    if column in LEVELS:
        return [_escaped(LEVELS[column](sample)) for sample in samples]
    if column in NUMBERS:
        return [NUMBERS[column](sample) for sample in samples]
    told = [retrieved_of(sample).candidates for sample in samples]
    return [None if names is None else [escaped(name) for name in names] for names in told]


def measured_schema() -> pa.Schema:
    """The columns of what is measured."""
    return pa.schema([(name, _FIXED[name]) for name in MEASURED])


def told_names(columns: pa.Schema) -> list[str]:
    """The columns of a file that a sample is made of: all but what was measured."""
    return [name for name in columns.names if name not in MEASURED]


def samples_of(rows: pa.Table, form: TextForm) -> Iterator[Sample]:
    """The inverse of `rows_of`."""
    values = {name: rows[name].to_pylist() for name in rows.column_names}
    own = [(unescaped(name.removeprefix(DIMENSION)), values[name]) for name in values if name.startswith(DIMENSION)]
    for row, (sample_id, known) in enumerate(_texts_of(values, form)):
        contexts = zip(values["context_ids"][row], known.contexts, values["context_scores"][row], strict=True)
        yield Sample(
            id=sample_id,
            query=known.query,
            answer=known.answer,
            contexts=tuple(Passage(unescaped(name), text, score) for name, text, score in contexts),
            reference=known.reference,
            reference_contexts=known.reference_contexts,
            relevant_ids={unescaped(name): grade for name, grade in values["relevant_ids"][row]},
            dimensions={name: unescaped(levels[row]) for name, levels in own if levels[row] is not None}
            | {unescaped(name): unescaped(level) for name, level in values[LATER_DIMENSIONS][row]},
            test_case=_unescaped(values["test_case"][row]),
            trial=values["trial"][row],
            group=_unescaped(values["group"][row]),
            variant=_variant(values, row),
            expected=values["expected"][row],
            metadata=known.metadata,
            erased=known.erased,
        )


def searched_of(rows: pa.Table, form: TextForm) -> Iterator[tuple[str, list[str | None]]]:
    """The id of each sample in such rows and its `searched_texts`; no more columns are needed."""
    values = {name: rows[name].to_pylist() for name in ("id", *StoredTexts._fields)}
    for sample_id, known in _texts_of(values, form):
        yield sample_id, [known.query, known.answer, known.reference, *known.contexts]


def _texts_of(values: Mapping[str, list[Any]], form: TextForm) -> Iterator[tuple[str, Texts]]:
    """The id and the texts of each row."""
    stored = map(StoredTexts._make, zip(*(values[name] for name in StoredTexts._fields), strict=True))
    for sample_id, texts in zip(map(unescaped, values["id"]), stored, strict=True):
        yield sample_id, form.texts(sample_id, texts)


def escaped(name: str) -> str:
    """The name as a text that Parquet takes."""
    return name if not name.startswith(ESCAPE) and _is_unicode(name) else ESCAPE + json.dumps(name)


def unescaped(stored: str) -> str:
    """The inverse of `escaped`."""
    return str(json.loads(stored.removeprefix(ESCAPE))) if stored.startswith(ESCAPE) else stored


def _is_unicode(name: str) -> bool:
    return name.isascii() or name.encode("utf-8", "replace").decode() == name


def _escaped(name: str | None) -> str | None:
    return None if name is None else escaped(name)


def _unescaped(stored: str | None) -> str | None:
    return None if stored is None else unescaped(stored)


def _pairs(sample: Sample, elsewhere: set[str]) -> list[tuple[str, str]]:
    later = ((name, level) for name, level in sample.dimensions.items() if name not in elsewhere)
    return [(escaped(name), escaped(level)) for name, level in later]


def _variant(values: Mapping[str, list[Any]], row: int) -> Variant | None:
    family, origin, strength = (values[f"variant_{name}"][row] for name in ("family", "of", "strength"))
    return None if family is None else Variant(unescaped(family), unescaped(origin), strength)
