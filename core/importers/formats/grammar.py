"""GRAMMAR: results of its evaluation of a RAG system on generated groups of queries.

The layout of the `eval_results` files of xinzhel/grammar (grammar/eval/result.py, RAGResult, and its notebooks).
`answer` is the reference and `gpt_response` the system's answer, alone or in a list of one; null if there was no
request, since the retrieval had failed. Queries with the same `query_tag` mean the same: that is the sample's group.
`retrieved_documents` is one text: the system passes on its best document only (rag_systems/retrieval/retrieval.py
asserts it), and documents contain blank lines of their own, so that nothing is cut. Files that were balanced afterwards
have the ids only; their contexts are then without text. Verdicts on the answer are results, not levels for slices, and
become metadata."""

from __future__ import annotations

from hcat.core.importers.formats.format import Format
from hcat.core.importers.problems import describe
from hcat.core.importers.reading.cells import CellError, as_filled_text, as_identifier, as_level, as_text
from hcat.core.importers.reading.row_reader import RowReader
from hcat.core.importers.reading.structures import as_identifiers, as_one_or_more_texts, passage_id, within
from hcat.core.types import JsonValue, Passage, Sample

VERDICTS = ("judgement", "retrieval_judgement", "retrieval_db_judgement", "closed_domain")


def read(row: RowReader) -> Sample:
    """The sample of a result."""
    return Sample(
        id=row.value("id", as_identifier, ""),
        query=row.required("query", as_filled_text, ""),
        answer=row.structure("gpt_response", _as_response, None),
        contexts=_contexts(row),
        reference=row.value("answer", as_level, None),
        relevant_ids=dict.fromkeys(row.structure("true_document_ids", as_identifiers, ()), 1),
        group=row.required("query_tag", as_identifier, None),
        metadata={name: cell for name in VERDICTS if (cell := row.cell(name)) is not None},
    )


def _as_response(value: JsonValue) -> str:
    if not isinstance(value, list):
        return as_text(value)
    if len(value) != 1:
        raise CellError("one response", describe(value))
    return within("[0]", as_text, value[0])


def _contexts(row: RowReader) -> tuple[Passage, ...]:
    texts = row.structure("retrieved_documents", as_one_or_more_texts, None)
    ids = row.structure("retrieved_document_ids", as_identifiers, ())
    if texts is None:
        return tuple(Passage(name, "") for name in ids)
    if not ids:
        return tuple(Passage(passage_id(text), text) for text in texts)
    if len(ids) != len(texts):
        row.problem("retrieved_document_ids", f"{len(texts)} ids, one for each retrieved document", f"{len(ids)} ids")
        return ()
    return tuple(Passage(name, text) for name, text in zip(ids, texts, strict=True))


GRAMMAR = Format(
    name="grammar",
    title="GRAMMAR results",
    required=("query", "gpt_response", "query_tag"),
    fields={
        "id": "id",
        "query": "query",
        "answer": "reference",
        "gpt_response": "answer",
        "retrieved_documents": "contexts",
        "retrieved_document_ids": "contexts",
        "true_document_ids": "relevant_ids",
        "query_tag": "group",
        **dict.fromkeys(VERDICTS, "metadata"),
    },
    read=read,
)
