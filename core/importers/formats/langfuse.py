"""Langfuse: traces as the table's export writes them, in CSV, JSON or JSON Lines.

The layout of Langfuse 3 (worker/src/features/database-read-stream/trace-stream.ts); its export to blob storage has the
same fields with underscores, and so have observations and the items of an experiment. Input and output are as the
application logged them: plain text, chat messages, an object, or the arguments of an observed function; in CSV they are
written as JSON. Contexts are those named in the output, the input or the metadata, or else the output of retrieving
observations, in a trace as the public API writes it."""

from __future__ import annotations

from hcat.core.importers.formats.format import Format
from hcat.core.importers.reading.cells import as_identifier
from hcat.core.importers.reading.contexts import NO_CONTEXTS, Contexts, as_document_or_documents, first_named
from hcat.core.importers.reading.field_names import ANSWER, CONTEXTS, QUERY
from hcat.core.importers.reading.messages import as_answer, as_question, as_references, contexts_within, unpacked
from hcat.core.importers.reading.row_reader import RowReader
from hcat.core.importers.reading.structures import as_metadata
from hcat.core.importers.scores.named_scores import by_source
from hcat.core.records.samples.right_answers import with_right_answers
from hcat.core.types import JsonValue, Sample

EXPECTED = "expectedOutput|expected_output"
ITEM = "datasetItemId|dataset_item_id"
OF_LANGFUSE = f"sessionId|session_id|traceId|trace_id|timestamp|{ITEM}"


def read(row: RowReader) -> Sample:
    """The sample of a trace. Other fields of input and output go to the metadata."""
    metadata = row.further("metadata", _as_metadata, {})
    contexts, context_metadata = _contexts(row)
    logged = {name: rest for name in ("input", "output") if (rest := _unused(unpacked(row.cell(name))))}
    sample = Sample(
        id=row.required("id", as_identifier, ""),
        query=row.required("input", _as_question, ""),
        answer=row.value("output", lambda value: as_answer(unpacked(value)), None),
        contexts=contexts,
        test_case=row.value(ITEM, as_identifier, None),
        metadata={**logged, **context_metadata, **metadata},
    )
    return with_right_answers(sample, row.value(EXPECTED, lambda value: as_references(unpacked(value)), ()))


def _as_question(value: JsonValue) -> str:
    value = unpacked(value)
    if isinstance(value, dict) and isinstance(value.get("args"), list) and isinstance(value.get("kwargs"), dict):
        return as_question(_argument(value["args"], value["kwargs"]))
    return as_question(value)


def _argument(positional: JsonValue, named: JsonValue) -> JsonValue:
    """The argument of an observed function with a name for a query, else its first one that is not an object."""
    if isinstance(named, dict) and first_named(named, QUERY) is not None:
        return named
    texts = [item for item in positional if isinstance(item, str)] if isinstance(positional, list) else []
    return texts[0] if texts else named


def _contexts(row: RowReader) -> Contexts:
    for column in ("output", "input", "metadata"):
        contexts = row.value(column, _as_contexts, NO_CONTEXTS)
        if contexts[0]:
            return contexts
    return row.value("observations", _as_retrieved, NO_CONTEXTS)


def _as_retrieved(value: JsonValue) -> Contexts:
    """The output of the first retrieving observation; an export only lists the ids of observations."""
    value = unpacked(value)
    for each in value if isinstance(value, list) else []:
        if isinstance(each, dict) and (each.get("type") == "RETRIEVER" or "retriev" in str(each.get("name")).lower()):
            given = unpacked(each.get("output"))
            contexts = contexts_within(given) if isinstance(given, dict) else as_document_or_documents(given)
            if contexts[0]:
                return contexts
    return NO_CONTEXTS


def _as_contexts(value: JsonValue) -> Contexts:
    value = unpacked(value)
    if isinstance(value, dict) and isinstance(value.get("kwargs"), dict):
        value = value["kwargs"]
    return contexts_within(value)


def _unused(value: JsonValue) -> JsonValue:
    """The unused fields of a logged object, or a whole conversation; None for plain text."""
    if isinstance(value, dict):
        return {name: field for name, field in value.items() if name not in {*QUERY, *ANSWER, *CONTEXTS}}
    return value if isinstance(value, list) else None


def _as_metadata(value: JsonValue) -> dict[str, JsonValue]:
    return as_metadata(unpacked(value))


def scores(row: RowReader) -> dict[str, JsonValue]:
    """The scores of a trace as its API writes them, `scores: [{name, value, source, dataType}]`, by source and type.

    People and machines score under one name. The table's export has columns."""
    cell = unpacked(row.cell("scores"))
    items = [one for one in cell if isinstance(one, dict) and one.get("name")] if isinstance(cell, list) else []
    return by_source((str(one["name"]), _source(one), one.get("value")) for one in items)


def _source(score: dict[str, JsonValue]) -> str:
    return " ".join(str(part) for part in (score.get("source"), score.get("dataType")) if part)


LANGFUSE = Format(
    name="langfuse",
    title="Langfuse traces",
    required=("id", "input", "output", OF_LANGFUSE),
    fields={
        "id": "id",
        "input": "query",
        "output": "answer",
        EXPECTED: "reference",
        ITEM: "test_case",
        "metadata": "metadata",
    },
    read=read,
    scores=scores,
)
