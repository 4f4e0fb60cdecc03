"""Data sets of ragas 0.1: question, contexts, answer and one or several ground truths."""

from __future__ import annotations

from core.importers.formats.format import Format
from core.importers.reading.cells import as_filled_text, as_identifier, as_text
from core.importers.reading.row_reader import RowReader
from core.importers.reading.structures import as_passages, as_texts
from core.types import Sample


def read(row: RowReader) -> Sample:
    """The sample of a row. The first of several ground truths is the reference; all of them stay in the metadata."""
    truths = row.structure("ground_truths", as_texts, ())
    single = row.value("ground_truth", as_text, None)
    return Sample(
        id=row.value("id", as_identifier, ""),
        query=row.required("question", as_filled_text, ""),
        answer=row.value("answer", as_text, None),
        contexts=row.structure("contexts", as_passages, ()),
        reference=truths[0] if single is None and truths else single,
        metadata={"ground_truths": list(truths)} if len(truths) > 1 else {},
    )


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
