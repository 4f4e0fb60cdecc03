"""An explanation's lists as tables with a column for each thing that one reads, whatever the metric."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from hcat.core.types import JsonValue
from hcat.dashboard.components.sample_view.marks import Explanation, rows, verdict_word

TABLES: dict[str, str] = {
    "sentences": "Each sentence",
    "claims": "Each claim",
    "answer_claims": "Claims of the answer, checked against the reference",
    "reference_claims": "Claims of the reference, checked against the answer",
    "numbers": "Each number",
    "tokens": "Each word piece with its best match",
    "questions": "Questions that a language model asks for this answer",
    "contexts": "Each context on its own",
    "declining": "Phrases that decline",
    "relevant": "Relevant passages and their ranks",
    "hits": "Personal data, secrets, account phrases and disclosures",
    "copies": "Words copied from a context",
    "passages": "Sentences as they were read, each with the next one",
}
"""The lists of objects that explanations hold, and what each is called."""

_HIDDEN = frozenset(
    {"start", "end", "match_position", "embedding", "asked", "plan", "worst", "passage_start", "passage_end"}
)
_TOLD = frozenset(
    {"unscored", "part", "against", "flagged", "measure", "weakest", "TP", "FP", "FN", "num_tp", "num_fp", "num_fn"}
)
"""Fields that the screen shows in other ways."""
_NAMES = {
    "text": "Text",
    "score": "Score",
    "weight": "Weight",
    "D": "Distance D",
    "cosine": "Cosine",
    "verdict": "Verdict",
    "kind": "Kind",
    "value": "Value",
    "phrase": "Phrase",
    "rank": "Rank",
    "rank_1": "Rank in stage 1",
    "rank_2": "Rank in stage 2",
    "passage": "Passage",
    "precision": "Precision up to here",
    "grade": "Grade",
    "id": "Passage",
    "reason": "Reason",
    "supported_by": "Decided by",
    "notes": "Notes",
    "reading": "Doubtful because",
    "detail": "Particulars",
    "evidence": "Shown by",
    "held_by": "Held by",
    "leak": "Leak",
    "because": "A leak because",
    "words": "Words",
}
_CELLS: dict[str, Callable[[Explanation], dict[str, JsonValue]]] = {
    "hypothesis": lambda row: {"Compared as": _text(row["hypothesis"]), "Why": _note(row["hypothesis"])},
    "supported": lambda row: {"Verdict": _supported(row)},
    "relevant": lambda row: {"Relevant": "yes" if row["relevant"] else "no"},
    "premise": lambda row: {"Premise": _text(row["premise"])},
    "match": lambda row: {} if "premise" in row else {"Match": _text(row["match"]), **_passage(row["match"])},
    "nearer": lambda row: {"Nearer by its words": _text(row["nearer"])},
    "nearest": lambda row: {"Nearest candidate": _text(row["nearest"]), **_difference(row["nearest"])},
}
"""Fields that hold more than a number or a text, and the cells that become of them."""


def list_table(explanation: Explanation, key: str) -> pd.DataFrame:
    """One list of an explanation, a row an object, facts under their claim; empty where it has no such list."""
    return pd.DataFrame([_row(row) for claim in rows(explanation.get(key)) for row in (claim, *_facts(claim))])


def claim_counts(explanation: Explanation) -> dict[str, int]:
    """True positives, false positives and false negatives, where an explanation counts them."""
    names = {"num_tp": "TP", "num_fp": "FP", "num_fn": "FN"}
    return {name: value for key, name in names.items() if isinstance(value := explanation.get(key), int)}


def facts_table(explanation: Explanation) -> pd.DataFrame:
    """Everything else that an explanation says: numbers, texts and lists of them, by name."""
    facts = [
        (name.replace("_", " "), _plain(value))
        for name, value in explanation.items()
        if name not in _TOLD | _HIDDEN and not rows(value) and not (name in TABLES and value == [])
    ]
    return pd.DataFrame(facts, columns=["Field", "Value"])


def _row(row: Explanation) -> dict[str, JsonValue]:
    cells: dict[str, JsonValue] = {}
    for name, value in row.items():
        if name in _CELLS:
            cells |= _CELLS[name](row)
        elif name not in _HIDDEN and not (name == "partly_supported" and "claims" in row) and not rows(value):
            cells[_NAMES.get(name, name.replace("_", " "))] = (
                value if isinstance(value, int | float | str) or value is None else _plain(value)
            )
    if "premise" in row and "supported_by" not in row:
        cells["Decided by"] = "several passages"
    return cells


def _facts(claim: Explanation) -> list[Explanation]:
    """The facts of a claim that is not supported as a whole."""
    return [{**fact, "text": f"↳ {fact.get('text')}"} for fact in rows(claim.get("facts"))]


def _note(value: JsonValue) -> str:
    return str(value.get("note", "")) if isinstance(value, dict) else ""


def _supported(row: Explanation) -> JsonValue:
    """A verdict, or how many claims a context supports."""
    value = row["supported"]
    if "claims" in row:
        partly = row.get("partly_supported")
        return f"supports {value} of {len(rows(row['claims']))} claims" + (f", {partly} in part" if partly else "")
    if isinstance(row.get("verdict"), str):
        return row["verdict"]
    return verdict_word(value)


def _text(value: JsonValue) -> str:
    return str(value.get("text", "")) if isinstance(value, dict) else "" if value is None else str(value)


def _passage(value: JsonValue) -> dict[str, JsonValue]:
    return {"In passage": value["passage"]} if isinstance(value, dict) and "passage" in value else {}


def _difference(value: JsonValue) -> dict[str, JsonValue]:
    """The difference to the nearest candidate, and the passage that contains it."""
    if not isinstance(value, dict):
        return {}
    return {"Difference": value.get("difference"), **_passage(value)}


def _plain(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list):
        return ", ".join(_plain(item) for item in value) or "none"
    if isinstance(value, dict):
        shown = {name: item for name, item in value.items() if name not in _HIDDEN}
        return "; ".join(f"{name.replace('_', ' ')}: {_plain(item)}" for name, item in shown.items())
    return "none" if value is None else str(value)
