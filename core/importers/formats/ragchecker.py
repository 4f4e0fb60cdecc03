"""RAGChecker: its input and output files, `{"results": [...], "metrics": {...}}`.

The layout of ragchecker 0.1 (ragchecker/container.py, RAGResult; examples/checking_outputs.json). Claims, verdicts and
metrics of a result stay in the sample's metadata.
"""

from __future__ import annotations

from hcat.core.importers.formats.format import Format
from hcat.core.importers.reading.cells import as_filled_text, as_identifier, as_text
from hcat.core.importers.reading.contexts import NO_CONTEXTS, as_document_or_documents
from hcat.core.importers.reading.row_reader import RowReader
from hcat.core.types import JsonValue, Sample


def read(row: RowReader) -> Sample:
    """The sample of a result."""
    contexts, context_metadata = row.structure("retrieved_context", as_document_or_documents, NO_CONTEXTS)
    return Sample(
        id=row.value("query_id", as_identifier, ""),
        query=row.required("query", as_filled_text, ""),
        answer=row.value("response", as_text, None),
        contexts=contexts,
        reference=row.value("gt_answer", as_text, None),
        test_case=row.value("query_id", as_identifier, None),
        metadata=context_metadata,
    )


def scores(row: RowReader) -> dict[str, JsonValue]:
    """The metrics of a result."""
    metrics = row.cell("metrics")
    return dict(metrics) if isinstance(metrics, dict) else {}


RAGCHECKER = Format(
    name="ragchecker",
    title="RAGChecker input or output",
    required=("query", "gt_answer", "response", "retrieved_context"),
    fields={
        "query_id": "id",
        "query": "query",
        "gt_answer": "reference",
        "response": "answer",
        "retrieved_context": "contexts",
    },
    read=read,
    scores=scores,
)
