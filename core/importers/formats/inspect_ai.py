"""Inspect: the log of an evaluation as JSON, as `inspect eval --log-format json` or `inspect log dump` writes it.

The layout of inspect-ai 0.3.285 (inspect_ai/log/_log.py, EvalSample): `samples`, each with `input` (a text or chat
messages), `target` (one right answer or several), `output` and `scores`. A sample is run once an epoch. If a solver
saves retrieved texts in `metadata` or `store` under a usual name, these are the contexts."""

from __future__ import annotations

from hcat.core.importers.formats.format import Format
from hcat.core.importers.reading.cells import as_identifier, as_whole
from hcat.core.importers.reading.contexts import NO_CONTEXTS, Contexts
from hcat.core.importers.reading.messages import as_answer, as_question, as_references, contexts_within
from hcat.core.importers.reading.row_reader import RowReader
from hcat.core.importers.reading.structures import as_metadata
from hcat.core.records.samples.right_answers import with_right_answers
from hcat.core.types import JsonValue, Sample

VALUES: dict[JsonValue, float] = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""The numbers of Inspect's own `value_to_float` for correct, incorrect, partly correct and no answer."""


def read(row: RowReader) -> Sample:
    """The sample of a run. One that ended in an error has no answer."""
    contexts, context_metadata = _contexts(row)
    metadata = row.further("metadata", as_metadata, {})
    name = row.required("id", as_identifier, "")
    sample = Sample(
        id=name,
        query=row.required("input", as_question, ""),
        answer=row.value("output", as_answer, None) or None,
        contexts=contexts,
        test_case=name or None,
        trial=max(row.number("epoch", as_whole, 1) - 1, 0),
        metadata={**context_metadata, **metadata},
    )
    return with_right_answers(sample, row.value("target", as_references, ()))


def _contexts(row: RowReader) -> Contexts:
    for column in ("metadata", "store"):
        contexts = row.further(column, contexts_within, NO_CONTEXTS)
        if contexts[0]:
            return contexts
    return NO_CONTEXTS


def scores(row: RowReader) -> dict[str, JsonValue]:
    """The value of each scorer; null if it is not a number."""
    cell = row.cell("scores")
    given = cell if isinstance(cell, dict) else {}
    values = {name: one.get("value") if isinstance(one, dict) else one for name, one in given.items()}
    return {name: VALUES.get(value, value) if isinstance(value, str) else value for name, value in values.items()}


INSPECT = Format(
    name="inspect",
    title="Inspect evaluation log",
    required=("id", "epoch", "input", "target", "output"),
    fields={
        "id": "id",
        "epoch": "trial",
        "input": "query",
        "target": "reference",
        "output": "answer",
        "metadata": "metadata",
    },
    read=read,
    scores=scores,
)
