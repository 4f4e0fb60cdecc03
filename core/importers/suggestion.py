"""Suggests, by its name, which field of a sample each column of an unknown file may be; a user corrects it.

A name is compared in lower case, cut into words at capitals, points and signs. It may be a usual name ("groundTruth"),
the singular or plural of one, or end in one after a prefix ("inputs.question", "user question"); the closer likeness
comes first. A word such as "correct" makes an answer the reference. Every field is suggested only once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from core.importers.reading.field_names import ANSWER, CONTEXTS, QUERY, REFERENCE

USUAL_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "id": ("id", "sample_id", "record_id", "run_id", "trace_id", "span_id", "query_id", "question_id", "uid"),
        "query": ("query", *QUERY, "message", "request", "utterance", "instruction", "frage", "anfrage"),
        "answer": ("answer", *ANSWER, "reply", "bot_response", "model_answer", "generated_text", "antwort"),
        "contexts": ("contexts", *CONTEXTS, "evidence", "retrieved", "kontext", "kontexte", "quellen", "fundstellen"),
        "reference": ("reference", *REFERENCE, "gold", "golden", "label_answer", "musterantwort", "referenz"),
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

_TRUE = frozenset(
    {"expected", "reference", "ref", "correct", "gold", "golden", "true", "truth", "ideal", "target", "gt"}
)
_FILLERS = frozenset({"text", "string", "value"})
_ENDING = frozenset({"query", "answer", "contexts", "reference"})
"""Fields whose name may follow a prefix: "bank_question" is a query, but "page_id" is not the sample's id."""
_WORD = re.compile(r"[^\W_]+")
_CAPITALS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def suggest_mapping(columns: Sequence[str]) -> dict[str, str | None]:
    """The native field that each column probably is, or None. No field is suggested for two columns."""
    likely = [
        (distance, position, column, field)
        for position, column in enumerate(columns)
        for field in USUAL_NAMES
        if (distance := _distance(column, field)) is not None
    ]
    suggested: dict[str, str] = {}
    for _, _, column, field in sorted(likely):
        if column not in suggested and field not in suggested.values():
            suggested[column] = field
    return {column: suggested.get(column) for column in columns}


def words(name: str) -> tuple[str, ...]:
    """The words of a column's name in lower case, without a last one that says nothing: "Question Text" is one word."""
    lowered = tuple(word.lower() for piece in _WORD.findall(name) for word in _CAPITALS.split(piece))
    return lowered[:-1] if len(lowered) > 1 and lowered[-1] in _FILLERS else lowered


def _distance(column: str, field: str) -> tuple[int, int] | None:
    """How far the column's name is from the field's: kind of likeness, then rank among the usual names."""
    if column == field:
        # "expected" is a person's rating in a native file, but other tools call the true answer so.
        return (0, 0) if field != "expected" else (4, 0)
    column_words = words(column)
    names = [tuple(name.split("_")) for name in USUAL_NAMES[field]]
    if field in {"answer", "contexts"} and _TRUE.intersection(column_words[:-1]):
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
    return len(column_words) > 1 and column_words[-1] in ANSWER and bool(_TRUE.intersection(column_words[:-1]))


def _same(name: tuple[str, ...]) -> tuple[str, ...]:
    return name


def _singular(name: tuple[str, ...]) -> tuple[str, ...]:
    return (*name[:-1], name[-1].removesuffix("s")) if name else name
