"""LangSmith: an experiment as `ExperimentResults.to_pandas` gives it, written out by pandas.

The layout of langsmith 0.1.99 to 0.4 (langsmith/evaluation/_runner.py, _flatten_experiment_results): one column for
each field of the example's inputs, the run's outputs and the example's outputs (`inputs.question`, `outputs.answer`,
`reference.answer`), `feedback.*`, `error`, `execution_time`, `example_id`, `id`. `Client.get_test_results` writes
`input.question`; LangChain's older `TestResult.to_dataframe` has a plain `output` and `reference`. Runs that its client
lists have the objects themselves, `inputs`, `outputs` and `reference_outputs`, which are read as such columns. Users
choose the names of inputs and outputs: the usual names are known, others need a mapping."""

from __future__ import annotations

from collections.abc import Iterable

from hcat.core.importers.formats.format import Format
from hcat.core.importers.reading.cells import as_identifier
from hcat.core.importers.reading.contexts import NO_CONTEXTS, as_document_or_documents
from hcat.core.importers.reading.field_names import ANSWER, CONTEXTS, QUERY, REFERENCE
from hcat.core.importers.reading.messages import as_answer, as_question, as_references
from hcat.core.importers.reading.row_reader import RowReader
from hcat.core.records.samples.right_answers import with_right_answers
from hcat.core.types import Sample


def _names(prefixes: Iterable[str], fields: Iterable[str]) -> str:
    fields = tuple(fields)
    return "|".join(f"{prefix}.{field}" for prefix in prefixes for field in fields)


ASKED = _names(("inputs", "input"), (*QUERY, "messages"))
ANSWERED = _names(("outputs", "output"), (*ANSWER, "messages")) + "|output"
RETRIEVED = _names(("outputs", "inputs", "input"), CONTEXTS)
EXPECTED = _names(("reference", "reference_outputs"), (*ANSWER, *REFERENCE, "messages")) + "|reference"


def read(row: RowReader) -> Sample:
    """The sample of a run on an example. A run that ended in an error has no outputs: a system that failed."""
    contexts, context_metadata = row.structure(RETRIEVED, as_document_or_documents, NO_CONTEXTS)
    sample = Sample(
        id=row.value("id|run_id", as_identifier, ""),
        query=row.structure(ASKED, as_question, "", required=True),
        answer=row.structure(ANSWERED, as_answer, None),
        contexts=contexts,
        test_case=row.value("example_id", as_identifier, None),
        metadata=context_metadata,
    )
    return with_right_answers(sample, row.structure(EXPECTED, as_references, ()))


LANGSMITH = Format(
    name="langsmith",
    title="LangSmith experiment",
    required=(ASKED, ANSWERED),
    fields={
        ASKED: "query",
        ANSWERED: "answer",
        RETRIEVED: "contexts",
        EXPECTED: "reference",
        "id|run_id": "id",
        "example_id": "test_case",
    },
    read=read,
)
