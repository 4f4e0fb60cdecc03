"""Suggests, by its name, the probable sample field of each column of an unknown file; a user corrects it.

A name is compared in lower case, cut into words at capitals, points and signs. It may be a usual name ("groundTruth"),
the singular or plural of one, or end in one after a prefix ("inputs.question", "user question"); the closer likeness
comes first. A word such as "correct" makes an answer the reference. Every field is suggested only once, and, if the
cells of rows are given, only for a column whose cells fit: no id that repeats, no context that is a number."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from hcat.core.importers.reading.cells import CellError, number_in_text
from hcat.core.importers.reading.contexts import as_document_or_documents
from hcat.core.importers.reading.field_names import ANSWER, CONTEXTS, MADE_BY_SYSTEMS, QUERY, REFERENCE
from hcat.core.importers.reading.messages import unpacked
from hcat.core.types import JsonValue

Cells = Mapping[str, JsonValue]

USUAL_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "id": (
            *("id", "sample_id", "record_id", "run_id", "trace_id", "span_id", "query_id", "question_id", "uid"),
            *("qid", "q_id", "test_id", "item_id"),
        ),
        "query": ("query", *QUERY, "message", "request", "utterance", "instruction", "frage", "anfrage"),
        "answer": ("answer", *ANSWER, "reply", "bot_response", "model_answer", "generated_text", "pred", "antwort"),
        "contexts": ("contexts", *CONTEXTS, "evidence", "retrieved", "kontext", "kontexte", "quellen", "fundstellen"),
        "reference": ("reference", *REFERENCE, "golden", "label_answer", "musterantwort", "referenz"),
        "reference_contexts": (
            "reference_contexts",
            "reference_context",
            "ground_truth_context",
            "ground_truth_contexts",
            "gold_contexts",
            "expected_contexts",
        ),
        "relevant_ids": ("relevant_ids", "true_document_ids", "relevant_documents", "qrels", "gold_ids"),
        "dimensions": ("dimensions",),
        "test_case": ("test_case", "test_case_id", "case_id", "example_id", "testfall"),
        "trial": ("trial", "repetition", "repetition_number", "attempt", "repeat"),
        "group": ("group", "group_id", "query_tag", "cluster", "gruppe"),
        "variant": ("variant", "perturbation"),
        "expected": ("human_score", "human_rating", "expectation"),
        "metadata": ("metadata", "meta", "additional_metadata"),
    }
)
"""The names that other tools use for each field of the native run file."""

_PAIRS = (("q", "a"), ("user", "assistant"), ("user", "bot"), ("human", "ai"), ("human", "assistant"))
_TRUE = frozenset(
    {"expected", "reference", "ref", "correct", "gold", "golden", "true", "truth", "ideal", "target", "gt"}
)
_COUNTS = frozenset(
    {"num", "n", "nb", "number", "count", "total", "len", "length", "has", "is", "avg", "mean", "max", "min"}
)
"""Words before a name that make it a number: "num_docs"."""
_TEXTS = frozenset({"query", "answer", "contexts", "reference", "reference_contexts"})
_OBJECTS = frozenset({"dimensions", "metadata", "variant"})
_FILLERS = frozenset({"text", "string", "value"})
OUTCOMES = frozenset({"pass", "passed", "fail", "failed", "error", "success", "failure", "skip", "skipped", "ok"})
"""Words of tests and their columns of results."""
_PLACE = r"\s*(?:https?://\S+?|[^\n;,|]{1,200}?\.(?:pdf|docx?|txt|md|html?|csv|xlsx?|pptx?|json|xml))(?:#\S*)?\s*"
_NAMES = re.compile(rf"{_PLACE}(?:[;,|\n]{_PLACE})*", re.IGNORECASE)
"""One or several locations of documents, and nothing else."""
_ENDING = frozenset({"query", "answer", "contexts", "reference"})
"""Fields whose name may follow a prefix: "bank_question" is a query, but "page_id" is not the sample's id."""
_WORD = re.compile(r"[^\W_]+")
_CAPITALS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def suggest_mapping(
    columns: Sequence[str], rows: Sequence[Cells] = (), *, fields: Collection[str] = tuple(USUAL_NAMES)
) -> dict[str, str | None]:
    """The probable native field, of these, of each column, or None. No field is suggested for two columns."""
    likely = [
        (distance, position, column, field)
        for position, column in enumerate(columns)
        for field in fields
        if (distance := _distance(column, field)) is not None and can_be(field, column, rows)
    ]
    suggested: dict[str, str] = {}
    for _, _, column, field in sorted(likely):
        if column not in suggested and field not in suggested.values():
            suggested[column] = field
    if not {"query", "answer"} & set(suggested.values()):
        suggested |= _in_pairs(columns, fields)
    return {column: suggested.get(column) for column in columns} | _next_to_predictions(columns, suggested, fields)


def _in_pairs(columns: Sequence[str], fields: Collection[str]) -> dict[str, str]:
    """The columns of a pair whose names are only recognisable together, as q and a."""
    named = {"_".join(words(column)): column for column in columns}
    pair = next((pair for pair in _PAIRS if set(pair) <= set(named)), None)
    if pair is None or not {"query", "answer"} <= set(fields):
        return {}
    return {named[pair[0]]: "query", named[pair[1]]: "answer"}


def _next_to_predictions(
    columns: Sequence[str], suggested: Mapping[str, str], fields: Collection[str]
) -> dict[str, str]:
    """The reference for a column called answer, if another one is by a system, and none is called reference."""
    made = [column for column in columns if "_".join(words(column)) in MADE_BY_SYSTEMS]
    right = [column for column in columns if words(column) in (("answer",), ("answers",))]
    taken = {field: column for column, field in suggested.items()}
    if not {"answer", "reference"} <= set(fields) or "reference" in taken or not right:
        return {}
    if made:
        return {made[0]: "answer", right[0]: "reference"}
    # Data sets list all right answers under this name, next to the one by a system.
    return (
        {right[0]: "reference"} if words(right[0]) == ("answers",) and taken.get("answer") not in (None, *right) else {}
    )


def can_be(field: str, column: str, rows: Sequence[Cells]) -> bool:
    """Whether the cells of these rows can be this field of a sample; true without rows."""
    cells = [cell for row in rows if (cell := row.get(column)) is not None]
    if not rows or field not in _TEXTS | _OBJECTS | {"id", "expected", "trial"}:
        return True
    if field == "id":
        names = [cell for cell in cells if isinstance(cell, str | int | float)]
        return len(names) == len(rows) and len(set(names)) == len(names)
    if field in _OBJECTS:
        return any(isinstance(unpacked(cell), dict) for cell in cells)
    numbers = sum(isinstance(number_in_text(cell), int | float) for cell in cells)
    if field in {"expected", "trial"}:
        return numbers == len(cells) > 0
    if field == "answer":
        return not _are_verdicts(cells)
    if field == "contexts" and cells and not any(map(_holds_text, cells)):
        return False
    return field == "reference" or numbers < len(cells) or not cells


def _are_verdicts(cells: Sequence[JsonValue]) -> bool:
    """Whether all cells say that a test was passed or not, for example in a column called result."""
    return bool(cells) and all(isinstance(cell, str) and cell.strip().lower() in OUTCOMES for cell in cells)


def names_contexts(column: str) -> bool:
    """Whether a column has a name of contexts; if its cells are numbers, these count them."""
    return _distance(column, "contexts") is not None


def _holds_text(cell: JsonValue) -> bool:
    """Whether a cell can be contexts: texts or documents with one, not the files or addresses that they are from."""
    found = unpacked(cell)
    try:
        passages, _ = as_document_or_documents(found)
    except CellError:
        # A list that can't be read is a row's fault, not the column's; an object without a text is no context at all.
        return isinstance(found, str)
    return any(passage.text.strip() and not _NAMES.fullmatch(passage.text) for passage in passages)


def words(name: str) -> tuple[str, ...]:
    """The words of a column's name in lower case, without a meaningless last one: "Question Text" is one word."""
    lowered = tuple(word.lower() for piece in _WORD.findall(name) for word in _CAPITALS.split(piece))
    return lowered[:-1] if len(lowered) > 1 and lowered[-1] in _FILLERS else lowered


def _distance(column: str, field: str) -> tuple[int, int] | None:
    """The distance of the column's name from the field's: kind of likeness, then rank among the usual names."""
    if column == field:
        # "expected" is a person's rating in a native file, but other tools use it for the true answer.
        return (0, 0) if field != "expected" else (4, 0)
    column_words = words(column)
    names = [tuple(name.split("_")) for name in USUAL_NAMES[field]]
    if field in {"answer", "contexts"} and _TRUE.intersection(column_words[:-1]):
        return None
    if _COUNTS.intersection(column_words[:-1]):
        return None
    for kind, compare in enumerate((_same, _singular), start=1):
        for rank, name in enumerate(names):
            if compare(column_words) == compare(name):
                return (kind, rank)
    if field == "reference" and _names_true_answer(column_words):
        return (2, len(names))
    for rank, name in enumerate(names):
        if len(column_words) > len(name) and column_words[-len(name) :] == name and field in _ENDING:
            return (3, rank)
    return None


def _names_true_answer(column_words: tuple[str, ...]) -> bool:
    name = column_words[:-1] if column_words[-1:] == ("summary",) else column_words
    return len(name) > 1 and name[-1] in ANSWER and bool(_TRUE.intersection(name[:-1]))


def _same(name: tuple[str, ...]) -> tuple[str, ...]:
    return name


def _singular(name: tuple[str, ...]) -> tuple[str, ...]:
    return (*name[:-1], name[-1].removesuffix("s")) if name else name
