"""Phoenix: questions and answers with the retrieved text, written out by pandas.

The layout of `get_qa_with_reference` of arize-phoenix 3 to 11 (phoenix/trace/dsl/helpers.py): index `context.span_id`,
columns `input`, `output`, `reference`; Phoenix' evaluators also call them `query` and `response`. `reference` is no
reference answer: it is what was retrieved, the documents joined by blank lines. It is cut there again, so that a
document with blank lines of its own gives several contexts. The frame of `get_retrieved_documents` has no answers and
is no run.
"""

from __future__ import annotations

from hcat.core.importers.formats.format import Format
from hcat.core.importers.reading.cells import as_filled_text, as_identifier, as_text
from hcat.core.importers.reading.contexts import as_document_or_documents
from hcat.core.importers.reading.messages import unpacked
from hcat.core.importers.reading.row_reader import RowReader
from hcat.core.importers.reading.structures import passage_id
from hcat.core.types import JsonValue, Passage, Sample

SEPARATOR = "\n\n"
SCORE = "_score"


def read(row: RowReader) -> Sample:
    """The sample of a root span."""
    return Sample(
        id=row.required("context.span_id", as_identifier, ""),
        query=row.required("input|query", as_filled_text, ""),
        answer=row.value("output|response", as_text, None),
        contexts=row.value("reference", _as_joined_or_list, ()),
    )


def _as_joined_or_list(value: JsonValue) -> tuple[Passage, ...]:
    listed = unpacked(value)
    return as_document_or_documents(listed)[0] if isinstance(listed, list) else _as_joined(value)


def _as_joined(value: JsonValue) -> tuple[Passage, ...]:
    parts = [passage.strip("\n") for passage in as_text(value).split(SEPARATOR)]
    return tuple(Passage(passage_id(passage), passage) for passage in parts if passage.strip())


def scores(row: RowReader) -> dict[str, JsonValue]:
    """The scores that evaluations of Phoenix evals 2 leave in columns `<name>_score`, each an object."""
    cells = {column: unpacked(row.cell(column)) for column in row.columns if column.endswith(SCORE)}
    return {column.removesuffix(SCORE): cell.get("score") for column, cell in cells.items() if isinstance(cell, dict)}


PHOENIX = Format(
    name="phoenix",
    title="Phoenix questions and answers with retrieved text",
    required=("context.span_id", "input|query", "reference", "output|response"),
    fields={
        "context.span_id": "id",
        "input|query": "query",
        "reference": "contexts",
        "output|response": "answer",
    },
    read=read,
    scores=scores,
)
