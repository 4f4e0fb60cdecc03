"""Evaluation data sets of ragas, from 0.2 on: single-turn samples as its to_jsonl, to_csv and to_pandas write them."""

from __future__ import annotations

from dataclasses import replace

from hcat.core.importers.formats.format import Format
from hcat.core.importers.reading.cells import as_filled_text, as_identifier, as_text
from hcat.core.importers.reading.contexts import NO_CONTEXTS, Contexts, as_document_or_documents
from hcat.core.importers.reading.literals import read_literal
from hcat.core.importers.reading.row_reader import RowReader
from hcat.core.importers.reading.structures import as_identifiers, as_texts
from hcat.core.types import JsonValue, Sample


def read(row: RowReader) -> Sample:
    """The sample of a row. ragas leaves out fields that are None: a row without a response is a system that failed."""
    contexts, context_metadata = _contexts(row)
    return Sample(
        id=row.value("id", as_identifier, ""),
        query=_query(row),
        answer=row.value("response", as_text, None),
        contexts=contexts,
        reference=row.value("reference", as_text, None),
        reference_contexts=row.structure("reference_contexts", as_texts, ()),
        relevant_ids=dict.fromkeys(row.structure("reference_context_ids", as_identifiers, ()), 1),
        metadata=context_metadata,
    )


def _query(row: RowReader) -> str:
    messages = _messages(row.cell("user_input"))
    if messages is None:
        return row.required("user_input", as_filled_text, "")
    row.problem(
        "user_input", "one question as text: hcat reads single-turn samples", f"a conversation of {messages} messages"
    )
    return ""


def _messages(cell: JsonValue) -> int | None:
    """The number of messages of a multi-turn sample; None for a single question."""
    if isinstance(cell, str) and cell.lstrip().startswith("[{"):
        try:
            cell = read_literal(cell)
        except ValueError:
            return None
        is_talk = isinstance(cell, list) and all(isinstance(item, dict) and "content" in item for item in cell)
        return len(cell) if is_talk and isinstance(cell, list) else None
    return len(cell) if isinstance(cell, list) else None


def _contexts(row: RowReader) -> Contexts:
    contexts, metadata = row.structure("retrieved_contexts", as_document_or_documents, NO_CONTEXTS)
    ids = row.structure("retrieved_context_ids", as_identifiers, ())
    if not ids or not contexts:
        return contexts, metadata
    if len(ids) != len(contexts):
        row.problem("retrieved_context_ids", f"{len(contexts)} ids, one for each retrieved context", f"{len(ids)} ids")
        return contexts, metadata
    return tuple(replace(passage, id=name) for passage, name in zip(contexts, ids, strict=True)), metadata


RAGAS = Format(
    name="ragas",
    title="ragas evaluation data set (0.2 or later)",
    required=("user_input", "response"),
    fields={
        "id": "id",
        "user_input": "query",
        "response": "answer",
        "retrieved_contexts": "contexts",
        "retrieved_context_ids": "contexts",
        "reference": "reference",
        "reference_contexts": "reference_contexts",
        "reference_context_ids": "relevant_ids",
    },
    read=read,
)
