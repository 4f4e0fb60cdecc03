"""continuous-eval: data sets, as JSON Lines of single data points.

The layout of continuous-eval 0.2 and 0.3 (its README; continuous_eval/eval/dataset.py; tests/data): `question`,
`retrieved_context`, `ground_truth_context`, `answer`, `ground_truths` or `ground_truth_answers`; version 0.1 had some
of the names in the plural."""

from __future__ import annotations

from collections import Counter

from hcat.core.importers.formats.format import Format
from hcat.core.importers.reading.cells import as_filled_text, as_identifier, as_text
from hcat.core.importers.reading.contexts import NO_CONTEXTS, as_document_or_documents
from hcat.core.importers.reading.messages import as_references
from hcat.core.importers.reading.row_reader import RowReader
from hcat.core.importers.reading.structures import as_one_or_more_texts
from hcat.core.records.samples.right_answers import with_right_answers
from hcat.core.types import JsonValue, Sample

RETRIEVED = "retrieved_context|retrieved_contexts"
TRUE_CONTEXTS = "ground_truth_context|ground_truth_contexts"
TRUTHS = "ground_truth_answers|ground_truths"


def read(row: RowReader) -> Sample:
    """The sample of a data point."""
    truths = row.structure(TRUTHS, as_references, ())
    contexts, context_metadata = row.structure(RETRIEVED, as_document_or_documents, NO_CONTEXTS)
    sample = Sample(
        id=row.value("uid", as_identifier, ""),
        query=row.required("question", as_filled_text, ""),
        answer=row.value("answer", as_text, None),
        contexts=contexts,
        reference_contexts=row.structure(TRUE_CONTEXTS, as_one_or_more_texts, ()),
        metadata=context_metadata,
    )
    return with_right_answers(sample, truths)


def scores(row: RowReader) -> dict[str, JsonValue]:
    """The numbers of each metric's result, if the row has these as objects.

    A name in two results is left out; `scores.named_scores` separates these."""
    results = [cell for column in row.columns if isinstance(cell := row.cell(column), dict)]
    times = Counter(name for result in results for name in result)
    return {
        name: value
        for result in results
        for name, value in result.items()
        if isinstance(value, bool | int | float) and times[name] == 1
    }


CONTINUOUS_EVAL = Format(
    name="continuous-eval",
    title="continuous-eval data set",
    required=("question", RETRIEVED, "answer"),
    fields={
        "uid": "id",
        "question": "query",
        RETRIEVED: "contexts",
        "answer": "answer",
        TRUTHS: "reference",
        TRUE_CONTEXTS: "reference_contexts",
    },
    read=read,
    scores=scores,
)
