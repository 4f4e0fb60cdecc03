"""DeepEval: evaluation data sets and test runs.

Data sets as `EvaluationDataset.save_as` of DeepEval 2 to 4 writes them: a JSON list, or CSV and JSON Lines in which the
texts of a list are joined by "|". A text with a "|" of its own is cut there: the file does not distinguish the two. If
a piece is blank or consists of dashes, as in a table, the cell is left whole, with a remark. Test runs as DeepEval 1 to
4 leaves them in `.deepeval/.latest_test_run.json` (`testRunData.testCases`) or a results folder (`testCases`): names in
camel case, and no field for a missing value (deepeval/test_run/api.py, LLMApiTestCase). DeepEval's `context` is the
ideal one, `retrieval_context` what the system retrieved."""

from __future__ import annotations

from hcat.core.importers.formats.format import Format
from hcat.core.importers.reading.cells import as_filled_text, as_text
from hcat.core.importers.reading.contexts import NO_CONTEXTS, Contexts, as_document_or_documents
from hcat.core.importers.reading.row_reader import RowReader
from hcat.core.importers.reading.structures import as_metadata, as_texts
from hcat.core.importers.scores.named_scores import by_source
from hcat.core.types import JsonValue, Sample

SEPARATOR = "|"


def read(row: RowReader) -> Sample:
    """The sample of a test case. One without an output is a system that failed."""
    contexts, context_metadata = row.structure(RETRIEVED, _as_joined_documents, NO_CONTEXTS)
    for column in (RETRIEVED, "context"):
        if _is_table(cell := row.cell(column)) and isinstance(cell, str):
            row.remark("whole", row.named(column))
    return Sample(
        id="",
        query=row.required("input", as_filled_text, ""),
        answer=row.value(ACTUAL, as_text, None),
        contexts=contexts,
        reference=row.value(EXPECTED, as_text, None),
        reference_contexts=row.structure("context", _as_joined_texts, ()),
        metadata={**context_metadata, **row.further(METADATA, as_metadata, {})},
    )


def scores(row: RowReader) -> dict[str, JsonValue]:
    """The score of each metric of a test run, by the metric's name; null if the metric failed."""
    cell = row.cell("metricsData|metrics_data|metricsMetadata")
    data = [one for one in cell if isinstance(one, dict) and one.get("name")] if isinstance(cell, list) else []
    return by_source((str(one["name"]), str(one.get("evaluationModel") or ""), one.get("score")) for one in data)


def _as_joined_documents(value: JsonValue) -> Contexts:
    return as_document_or_documents(_separated(value))


def _as_joined_texts(value: JsonValue) -> tuple[str, ...]:
    return as_texts(_separated(value))


def _separated(value: JsonValue) -> JsonValue:
    """A list unchanged; joined texts as a list, which is empty for an empty text."""
    if not isinstance(value, str):
        return value
    if _is_table(value):
        return [value]
    return list[JsonValue](value.split(SEPARATOR)) if value else []


def _is_table(value: JsonValue) -> bool:
    """Whether the pieces of joined texts are not texts: blank, or only dashes."""
    pieces = value.split(SEPARATOR) if isinstance(value, str) else []
    return len(pieces) > 1 and any(not piece.strip(" \t\r\n-:") for piece in pieces)


ACTUAL = "actual_output|actualOutput"
EXPECTED = "expected_output|expectedOutput"
RETRIEVED = "retrieval_context|retrievalContext"
METADATA = "additional_metadata|additionalMetadata|metadata"

DEEPEVAL = Format(
    name="deepeval",
    title="DeepEval data set or test run",
    required=("input", ACTUAL),
    fields={
        "input": "query",
        ACTUAL: "answer",
        RETRIEVED: "contexts",
        EXPECTED: "reference",
        "context": "reference_contexts",
        METADATA: "metadata",
    },
    read=read,
    scores=scores,
)
