"""Marks of an explanation at places in a sample's texts, for any metric: one mark a place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hcat.core.capabilities.safety.wording.privacy import record_sentence
from hcat.core.display.numbers import format_number
from hcat.core.types import JsonValue

Explanation = dict[str, JsonValue]
Place = tuple[str, str | None]
"""A part of the sample and, for contexts, the passage's id."""

FOUND, DOUBTFUL, NOT_FOUND = "found", "doubtful", "not found"


@dataclass(frozen=True, slots=True)
class Spot:
    """The location of a text: its part and passage, and its offsets there."""

    place: Place
    start: int
    end: int

    @property
    def id(self) -> str:
        return f"{self.place[0]}/{self.place[1] or ''}/{self.start}"


@dataclass(frozen=True, slots=True)
class Mark:
    """A judged spot. `tone` in [0, 1] colours it, from bad over 0.5 to good; None leaves it without colour.

    `badge` is shown after the text, `note` on hovering, `match` is what decided on it.
    """

    spot: Spot
    tone: float | None
    badge: str
    note: str
    flagged: bool = False
    match: Spot | None = None


def marks(explanation: Explanation) -> list[Mark]:
    """The marks of an explanation: of sentences, claims, numbers, declining phrases, personal data or copied words.
    None of other explanations."""
    return [
        *_sentences(explanation),
        *_claims(explanation),
        *_numbers(explanation),
        *_phrases(explanation),
        *_hits(explanation),
        *_copies(explanation),
        *_worst_passage(explanation),
    ]


def rows(value: JsonValue) -> list[Explanation]:
    """The objects in a list; none in anything else."""
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def verdict_word(supported: JsonValue) -> str:
    """The wording of a verdict. A missing one is neither."""
    return "no verdict" if supported is None else "supported" if supported else "not supported"


def _sentences(explanation: Explanation) -> Iterator[Mark]:
    measure = str(explanation.get("measure", "similarity to its best match"))
    flagged = explanation.get("flagged")
    for position, row in enumerate(rows(explanation.get("sentences"))):
        spot, match = _spot(explanation.get("part"), row), _match(explanation.get("against"), row)
        score = row.get("score")
        if spot is None or not isinstance(score, int | float):
            continue
        yield Mark(
            spot,
            tone=float(score),
            badge=format_number(score, decimals=2),
            note=f"{measure}: {format_number(score, decimals=3)}",
            flagged=isinstance(flagged, list) and position in flagged,
            match=match,
        )


def _claims(explanation: Explanation) -> Iterator[Mark]:
    yield from _judged(explanation.get("claims"), explanation.get("part"), explanation.get("against"))
    yield from _judged(explanation.get("answer_claims"), "answer", "reference")
    yield from _judged(explanation.get("reference_claims"), "reference", "answer")


def _judged(claims: JsonValue, part: JsonValue, against: JsonValue) -> Iterator[Mark]:
    for row in rows(claims):
        spot, supported = _spot(part, row), row.get("supported")
        if spot is None:
            continue
        word, reason = str(row.get("verdict") or verdict_word(supported)), row.get("reason")
        yield Mark(
            spot,
            tone=None if supported is None else float(bool(supported)),
            badge={None: "?", True: "✓", False: "✗"}.get(supported if isinstance(supported, bool) else None, "?"),
            note=f"{word} by the {against}" + (f": {reason}" if reason else ""),
            flagged=supported is False,
            match=_match(against, row),
        )


def _numbers(explanation: Explanation) -> Iterator[Mark]:
    for row in rows(explanation.get("numbers")):
        spot, verdict = _spot(explanation.get("part"), row), str(row.get("verdict"))
        if spot is None:
            continue
        yield Mark(
            spot,
            tone={FOUND: 1.0, DOUBTFUL: 0.3, NOT_FOUND: 0.0}.get(verdict),
            badge={FOUND: "✓", DOUBTFUL: "?", NOT_FOUND: "✗"}.get(verdict, "query"),
            note=f"{verdict}: {row['reading']}" if verdict == DOUBTFUL else verdict + _nearer(row),
            flagged=verdict in {DOUBTFUL, NOT_FOUND} or "nearer" in row,
            match=_match(explanation.get("against"), row),
        )


def _nearer(row: Explanation) -> str:
    near = row.get("nearer")
    return f", but nearer by its words is: {near['text']}" if isinstance(near, dict) else ""


def _phrases(explanation: Explanation) -> Iterator[Mark]:
    for row in rows(explanation.get("declining")):
        if (spot := _spot("answer", row)) is not None:
            yield Mark(spot, tone=None, badge="declines", note=f"declines: {row.get('phrase')}", flagged=True)


def _hits(explanation: Explanation) -> Iterator[Mark]:
    for row in rows(explanation.get("hits")):
        if (spot := _spot("answer", {**row, "passage": None})) is not None:
            leak, thought = bool(row.get("leak")), row.get("evidence") == "model"
            tone = 0.0 if leak else None if thought else 1.0
            note = f"{row.get('kind')}: {record_sentence(row)}"
            yield Mark(spot, tone=tone, badge=str(row.get("kind")), note=note, flagged=leak)


def _copies(explanation: Explanation) -> Iterator[Mark]:
    for row in rows(explanation.get("copies")):
        if (spot := _spot("answer", {**row, "passage": None})) is None:
            continue
        source = {"passage": row.get("passage"), "start": row.get("passage_start"), "end": row.get("passage_end")}
        note = f"{row.get('words')} words in a row of {row.get('passage')}"
        yield Mark(spot, tone=None, badge="copied", note=note, flagged=True, match=_spot("contexts", source))


def _worst_passage(explanation: Explanation) -> Iterator[Mark]:
    """The sentences that decided on an answer's tone; the others overlap them."""
    for position, row in enumerate(rows(explanation.get("passages"))):
        probability, spot = row.get("probability"), _spot(explanation.get("part"), row)
        if position == explanation.get("worst") and spot is not None and isinstance(probability, int | float):
            text = format_number(probability, decimals=2)
            yield Mark(spot, tone=1 - probability, badge=text, note=f"probability: {text}", flagged=probability > 0.5)


def _match(against: JsonValue, row: Explanation) -> Spot | None:
    match = row.get("match")
    return _spot(against, match) if isinstance(match, dict) else None


def _spot(part: JsonValue, row: Explanation) -> Spot | None:
    """The spot of a part; None for a text that a model worded itself, which has no place."""
    start, end, passage = row.get("start"), row.get("end"), row.get("passage")
    if not isinstance(part, str) or not isinstance(start, int) or not isinstance(end, int):
        return None
    return Spot((part, None if passage is None else str(passage)), start, end)
