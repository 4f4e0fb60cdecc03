"""Data sets of ragas 0.1: question, contexts, answer and one or several ground truths."""

from __future__ import annotations

from hcat.core.importers.formats.format import Format
from hcat.core.importers.reading.cells import as_filled_text, as_identifier, as_text
from hcat.core.importers.reading.contexts import NO_CONTEXTS, as_document_or_documents
from hcat.core.importers.reading.messages import as_references
from hcat.core.importers.reading.row_reader import RowReader
from hcat.core.records.samples.right_answers import with_right_answers
from hcat.core.types import Sample


def read(row: RowReader) -> Sample:
    """The sample of a row."""
    contexts, context_metadata = row.structure("contexts", as_document_or_documents, NO_CONTEXTS)
    truths = row.structure("ground_truths", as_references, ())
    sample = Sample(
        id=row.value("id", as_identifier, ""),
        query=row.required("question", as_filled_text, ""),
        answer=row.value("answer", as_text, None),
        contexts=contexts,
        metadata=context_metadata,
    )
    return with_right_answers(sample, (*row.structure("ground_truth", as_references, ()), *truths))


RAGAS_01 = Format(
    name="ragas-0.1",
    title="ragas data set (0.1)",
    required=("question", "contexts", "answer"),
    fields={
        "id": "id",
        "question": "query",
        "contexts": "contexts",
        "answer": "answer",
        "ground_truth": "reference",
        "ground_truths": "reference",
    },
    read=read,
)
