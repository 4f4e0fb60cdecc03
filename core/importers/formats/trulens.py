"""TruLens: the records frame of `TruSession.get_records_and_feedback`, written out by pandas.

The layout of trulens_eval 0.1x to trulens 2 (core/database/sqlalchemy.py, AppsExtractor). Input and output are JSON
texts there, in quotes, and a missing output is JSON's null; from 1.5 on, in its mode of OpenTelemetry, plain texts. The
frame has no column for contexts: they are read from the arguments of the feedback functions (columns
`<feedback>_calls`), which contain the selected contexts of a record."""

from __future__ import annotations

import json

from hcat.core.importers.formats.format import Format
from hcat.core.importers.reading.cells import as_filled_text, as_identifier, as_text
from hcat.core.importers.reading.json_records import parse_json
from hcat.core.importers.reading.row_reader import RowReader
from hcat.core.importers.reading.structures import as_list, as_object, passage_id, within
from hcat.core.types import JsonValue, Passage, Sample

CALLS = "_calls"
CONTEXT_ARGUMENTS = ("context", "contexts", "source", "retrieved_contexts", "ctx")
"""The names of feedback functions for retrieved texts: those of relevance first, then those of groundedness."""


def read(row: RowReader) -> Sample:
    """The sample of a record. Scores of feedback functions become metadata."""
    return Sample(
        id=row.required("record_id", as_identifier, ""),
        query=row.required("input", _as_question, ""),
        answer=row.value("output", _as_output, None),
        contexts=_contexts(row),
    )


def _as_question(value: JsonValue) -> str:
    return as_filled_text(_as_unquoted(value) if isinstance(value, str) else value)


def _as_output(value: JsonValue) -> str | None:
    return None if value == "null" else _as_unquoted(value)


def _as_unquoted(value: JsonValue) -> str:
    text = as_text(value)
    if text.startswith('"') and text.endswith('"'):
        try:
            inner = parse_json(text)
        except json.JSONDecodeError:
            return text
        return inner if isinstance(inner, str) else text
    return text


def _contexts(row: RowReader) -> tuple[Passage, ...]:
    texts_by_argument: dict[str, dict[str, None]] = {name: {} for name in CONTEXT_ARGUMENTS}
    for column in row.columns:
        if column.endswith(CALLS):
            for name, texts in row.further(column, _as_arguments, []):
                texts_by_argument[name].update(dict.fromkeys(texts))
    distinct = next((texts_by_argument[name] for name in CONTEXT_ARGUMENTS if texts_by_argument[name]), None) or {}
    return tuple(Passage(passage_id(text), text) for text in distinct)


def _as_arguments(value: JsonValue) -> list[tuple[str, list[str]]]:
    """The texts that were passed as contexts, by the argument's name, in the order of the calls."""
    calls = [within(f"[{index}]", as_object, call) for index, call in enumerate(as_list(value))]
    arguments = [call["args"] for call in calls if isinstance(call.get("args"), dict)]
    return [
        (name, [text for text in (argument if isinstance(argument, list) else [argument]) if isinstance(text, str)])
        for fields in arguments
        if isinstance(fields, dict)
        for name, argument in fields.items()
        if name in CONTEXT_ARGUMENTS
    ]


TRULENS = Format(
    name="trulens",
    title="TruLens records",
    required=("record_id", "input", "output"),
    fields={"record_id": "id", "input": "query", "output": "answer"},
    read=read,
)
