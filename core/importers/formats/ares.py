"""ARES: the tab-separated files of query, document and answer that it scores and is validated on.

The layout of ares-ai 0.6 (README; datasets/example_files): `Query` (in its few-shot files `Question`), `Document`,
`Answer`, and in validation files `Context_Relevance_Label`, `Answer_Faithfulness_Label`, `Answer_Relevance_Label`,
which stay in the sample's metadata.
"""

from __future__ import annotations

from hcat.core.importers.formats.format import Format
from hcat.core.importers.reading.cells import as_filled_text, as_identifier, as_text
from hcat.core.importers.reading.row_reader import RowReader
from hcat.core.importers.reading.structures import passage_id
from hcat.core.types import JsonValue, Passage, Sample


def read(row: RowReader) -> Sample:
    """The sample of a row: one document, one answer."""
    return Sample(
        id=row.value("id", as_identifier, ""),
        query=row.required("Query|Question", as_filled_text, ""),
        answer=row.value("Answer", as_text, None),
        contexts=row.value("Document", _as_passages, ()),
    )


def _as_passages(value: JsonValue) -> tuple[Passage, ...]:
    text = as_text(value)
    return (Passage(passage_id(text), text),)


ARES = Format(
    name="ares",
    title="ARES queries, documents and answers",
    required=("Query|Question", "Document", "Answer"),
    fields={"id": "id", "Query|Question": "query", "Document": "contexts", "Answer": "answer"},
    read=read,
)
