"""Giskard RAGET: a QATestset with the agent's answers, or the frame of a RAGReport.

The layout of giskard 2.15 to 2.18 (giskard/rag/testset.py, QuestionSample; rag/report.py): JSON Lines as
`QATestset.save` writes them, or the report's frame written out by pandas, with `correctness` and further metrics.
`reference_context` joins the documents that a question was made from, each after `Document <id>: `. What the agent
retrieved is in another file of the report and not here. A set without `agent_answer` is a test set and no run.
"""

from __future__ import annotations

import re

from hcat.core.importers.formats.format import Format
from hcat.core.importers.reading.cells import as_filled_text, as_identifier, as_text
from hcat.core.importers.reading.row_reader import RowReader
from hcat.core.importers.reading.structures import as_list, as_metadata
from hcat.core.types import JsonValue, Sample

SLICED_BY = ("question_type", "topic")
"""The metadata that RAGET itself slices its report by."""

_DOCUMENT = re.compile(r"(?:\A|\n\n)Document [^\s:]+: ")


def read(row: RowReader) -> Sample:
    """The sample of a question. An earlier conversation stays in the metadata."""
    metadata = row.further("metadata", as_metadata, {})
    history = row.further("conversation_history", as_list, [])
    return Sample(
        id=row.value("id", as_identifier, ""),
        query=row.required("question", as_filled_text, ""),
        answer=row.value("agent_answer", as_text, None),
        reference=row.value("reference_answer", as_text, None),
        reference_contexts=row.value("reference_context", _as_documents, ()),
        dimensions={name: level for name in SLICED_BY if isinstance(level := metadata.get(name), str)},
        metadata={**metadata, **({"conversation_history": history} if history else {})},
    )


def _as_documents(value: JsonValue) -> tuple[str, ...]:
    text = as_text(value)
    if _DOCUMENT.match(text) is None:
        return (text,)
    return tuple(document for document in _DOCUMENT.split(text) if document.strip())


GISKARD = Format(
    name="giskard",
    title="Giskard QATestset with answers",
    required=("question", "reference_answer", "agent_answer"),
    fields={
        "id": "id",
        "question": "query",
        "agent_answer": "answer",
        "reference_answer": "reference",
        "reference_context": "reference_contexts",
        "conversation_history": "metadata",
        "metadata": "dimensions",
    },
    read=read,
)
