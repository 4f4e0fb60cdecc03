"""promptfoo: results of an evaluation, as `promptfoo eval --output results.json` or `results.jsonl` writes them.

The layout of promptfoo 0.90 to 0.120 (src/types/index.ts, OutputFile and EvaluateSummaryV3): the rows are
`results.results`, each one output of one provider for one prompt and one test. The question, the contexts and the
reference are variables of the test; a response may also be an object that names answer and contexts. The reference can
also be the value of an assertion. If no variable is the question, it is the prompt that was sent. Its CSV has the same
rows once its columns of outputs are separated (`reading.output_columns`)."""

from __future__ import annotations

from hcat.core.importers.formats.format import Format
from hcat.core.importers.problems import describe
from hcat.core.importers.reading.cells import CellError, as_filled_text, as_identifier, as_text, as_whole
from hcat.core.importers.reading.contexts import NO_CONTEXTS, Contexts, first_named
from hcat.core.importers.reading.field_names import CONTEXTS, QUERY, REFERENCE
from hcat.core.importers.reading.messages import as_answer, as_logged, as_question, contexts_within, unpacked
from hcat.core.importers.reading.row_reader import RowReader
from hcat.core.importers.reading.structures import as_list, as_object, within
from hcat.core.types import JsonValue, Sample

COMPARING = ("factuality", "model-graded-factuality", "context-recall", "similar", "equals")
"""Assertions whose value is the true answer, the most informative first."""

ASKED = (*QUERY, "message", "request", "utterance", "instruction", "user", "q")
_LONGEST_LABEL = 80


def read(row: RowReader) -> Sample:
    """The sample of an output. Without a response, it is a system that failed. Scores become metadata."""
    variables = row.structure("vars", as_object, {}, required=True)
    contexts, context_metadata = _contexts(row)
    test = row.structure("testCase", as_object, {})
    return Sample(
        id=row.value("id", as_identifier, ""),
        query=_query(row, variables),
        answer=row.structure("response", _as_output, None),
        contexts=contexts,
        reference=row.structure("vars", _as_reference, None) or row.structure("testCase", _as_compared, None),
        dimensions={
            "provider": row.structure("provider", _as_provider, "", required=True),
            "prompt": row.structure("prompt", _as_label, None, required=True)
            or f"prompt {row.number('promptIdx', as_whole, 0)}",
        },
        test_case=row.value("testIdx", as_identifier, None),
        metadata={**context_metadata, **_further(variables), **_own_metadata(test)},
    )


def _query(row: RowReader, variables: dict[str, JsonValue]) -> str:
    """The variable with a name for a query, or the only one with text; else the prompt that was sent."""
    texts = [name for name, variable in variables.items() if isinstance(variable, str)]
    named = first_named(variables, ASKED) or (texts[0] if len(texts) == 1 else None)
    asked = None if named is not None else row.structure("prompt", _as_sent, None)
    if named is None and asked is not None:
        return asked
    return row.structure("vars", lambda value: _as_query(as_object(value), named), "", required=True)


def _as_query(variables: dict[str, JsonValue], name: str | None) -> str:
    if name is None:
        raise CellError(f"a variable called one of {', '.join(ASKED)}", f"variables {', '.join(variables)[:80]}")
    return within(f".{name}", as_filled_text, variables[name])


def _as_sent(value: JsonValue) -> str | None:
    """The prompt with the values of its variables: its text, or the user's last message."""
    raw = value.get("raw") if isinstance(value, dict) else None
    if not isinstance(raw, str) or not raw.strip() or "{{" in raw:
        return None
    return as_question(as_logged(raw))


def _as_output(value: JsonValue) -> str | None:
    output = as_object(value).get("output")
    return None if output is None else within(".output", as_answer, output)


def _contexts(row: RowReader) -> Contexts:
    for column, parse in (("response", _as_returned_contexts), ("vars", contexts_within)):
        contexts = row.structure(column, parse, NO_CONTEXTS)
        if contexts[0]:
            return contexts
    return NO_CONTEXTS


def _as_returned_contexts(value: JsonValue) -> Contexts:
    response = as_object(value)
    for name in ("output", "metadata"):
        contexts = within(f".{name}", contexts_within, unpacked(response.get(name)))
        if contexts[0]:
            return contexts
    return NO_CONTEXTS


def _as_reference(value: JsonValue) -> str | None:
    variables = as_object(value)
    name = first_named(variables, REFERENCE)
    return None if name is None else within(f".{name}", as_text, variables[name])


def _as_compared(value: JsonValue) -> str | None:
    """The value of the test's first assertion that compares with a true answer."""
    asserted = as_object(value).get("assert")
    items = [] if asserted is None else within(".assert", as_list, asserted)
    values = [(item.get("type"), item.get("value")) for item in items if isinstance(item, dict)]
    return next(
        (text for wanted in COMPARING for kind, text in values if kind == wanted and isinstance(text, str)), None
    )


def _as_provider(value: JsonValue) -> str:
    if isinstance(value, str):
        return value
    fields = as_object(value)
    return within(".id", as_identifier, fields.get("label") or fields.get("id"))


def _as_label(value: JsonValue) -> str | None:
    """The prompt's label, unless it is the whole template, which promptfoo uses by default."""
    if isinstance(value, str):
        return None
    label = as_object(value).get("label")
    if not isinstance(label, str | None):
        raise CellError("text", describe(label), path=".label")
    return label if label and len(label) <= _LONGEST_LABEL and "{{" not in label else None


def _further(variables: dict[str, JsonValue]) -> dict[str, JsonValue]:
    rest = {name: value for name, value in variables.items() if name not in {*ASKED, *CONTEXTS, *REFERENCE}}
    return {"vars": rest} if rest else {}


def _own_metadata(test: dict[str, JsonValue]) -> dict[str, JsonValue]:
    own = test.get("metadata")
    return own if isinstance(own, dict) else {}


def scores(row: RowReader) -> dict[str, JsonValue]:
    """The named scores of an output; its `score` and `success` are columns."""
    named = row.cell("namedScores")
    return dict(named) if isinstance(named, dict) else {}


PROMPTFOO = Format(
    name="promptfoo",
    title="promptfoo results",
    required=("vars", "prompt", "provider", "success", "score"),
    fields={
        "id": "id",
        "vars": "query",
        "response": "answer",
        "testCase": "reference",
        "provider": "dimensions",
        "prompt": "dimensions",
        "promptIdx": "dimensions",
        "testIdx": "test_case",
    },
    read=read,
    scores=scores,
)
