"""How well personal data is seen, by the rules of presidio-research's SpanEvaluator (0.3.2, MIT), whatever its kind.

A sentence's tokens that any span touches are taken together where nothing but signs and filling words stand between
them. A marked stretch is seen where what was found overlaps it with an intersection over union of at least .9, from
its first to its last word that is no filling word.
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hcat.core.types import Estimate

if TYPE_CHECKING:
    from spacy.language import Language

Place = tuple[int, int]

LEAST_IOU = 0.9
BETA = 2.0
DRAWS = 1000
_FILLING = frozenset(
    {
        *(
            "'s",
            "street",
            "st.",
            "st",
            "de",
            "rue",
            "via",
            "and",
            "a",
            "the",
            "or",
            "do",
            "as",
            "of",
            "day",
            "address",
            "country",
            "state",
            "city",
            "zip",
            "po",
            "apt",
            "unit",
            "corner",
            "p.o.",
            "box",
            "suite",
            "mr.",
            "mrs.",
            "miss",
            "year",
            "years",
            "y/o",
            "month",
            "months",
            "old",
            "morning",
            "noon",
            "afternoon",
            "night",
            "evening",
            "this",
            "first",
            "last",
            "week",
            "weeks",
            "weekend",
            "days",
            "age",
            "ago",
            "inc",
            "inc.",
            "ltd",
        ),
    }
)


@dataclass(frozen=True, slots=True)
class Counts:
    """Of one sentence: stretches that are marked, that were found, and that agree."""

    marked: int
    found: int
    right: int


def counts(text: str, marked: Sequence[Place], found: Sequence[Place]) -> Counts:
    wanted, said = (list(_stretches(text, places)) for places in (marked, found))
    right, seen, unseen = 0, 0, set(said)
    for stretch in wanted:
        over = [each for each in said if min(stretch[1], each[1]) > max(stretch[0], each[0])]
        unseen -= set(over)
        seen += bool(over)
        right += bool(over) and _iou(stretch, over) >= LEAST_IOU
    return Counts(len(wanted), seen + len(unseen), right)


def f2(rows: NDArray[np.int64]) -> tuple[float, float, float]:
    """Precision, recall and F2 of rows (marked, found, right)."""
    marked, found, right = rows.sum(0).tolist()
    precision, recall = right / max(found, 1), right / max(marked, 1)
    weighed = BETA**2 * precision + recall
    return precision, recall, (1 + BETA**2) * precision * recall / weighed if weighed else 0.0


def f2_interval(each: Sequence[Counts], templates: Sequence[int], rng: np.random.Generator) -> Estimate:
    """F2 with the percentiles of a bootstrap of templates: sentences of one template are much alike."""
    rows = np.array([(c.marked, c.found, c.right) for c in each], dtype=np.int64)
    names, place = np.unique(np.array(templates), return_inverse=True)
    by_template = np.zeros((len(names), 3), dtype=np.int64)
    np.add.at(by_template, place, rows)
    drawn = [f2(by_template[rng.integers(len(names), size=len(names))])[2] for _ in range(DRAWS)]
    low, high = np.quantile(drawn, (0.025, 0.975)).tolist()
    return Estimate(f2(rows)[2], low, high, len(each))


def covered(text: str, place: Place, places: Sequence[Place]) -> bool:
    """Whether each letter and digit of a place is in one of the places."""
    return all(any(a <= at < b for a, b in places) for at in range(*place) if text[at].isalnum())


def recall_by_type(
    sentences: Sequence[tuple[str, Sequence[tuple[int, int, str]]]], found: Sequence[Sequence[Place]]
) -> Mapping[str, tuple[int, int]]:
    """For each marked type how many spans are covered whole, and of how many."""
    tally: dict[str, list[bool]] = {}
    for (text, spans), places in zip(sentences, found, strict=True):
        for start, end, kind in spans:
            tally.setdefault(kind, []).append(covered(text, (start, end), places))
    ordered = sorted(tally.items(), key=lambda each: -len(each[1]))
    return {kind: (sum(each), len(each)) for kind, each in ordered}


def _stretches(text: str, places: Sequence[Place]) -> Iterator[Place]:
    """From the first to the last word of what is marked, joined over filling words."""
    current: Place | None = None
    for token in _blank()(text):
        start, end = token.idx, token.idx + len(token.text)
        if token.text.lower() in _passed_over() or not token.text.strip():
            continue
        if any(a < end and start < b for a, b in places):
            current = (current[0] if current else start, end)
        elif current:
            yield current
            current = None
    if current:
        yield current


def _iou(stretch: Place, over: Sequence[Place]) -> float:
    signs = {at for each in over for at in range(*each)}
    inside = set(range(*stretch))
    if len(over) == 1:
        return len(inside & signs) / (max(stretch[1], over[0][1]) - min(stretch[0], over[0][0]))
    return len(inside & signs) / len(inside | signs)


@cache
def _blank() -> Language:
    import spacy

    return spacy.blank("en")


@cache
def _passed_over() -> frozenset[str]:
    from spacy.lang.en.stop_words import STOP_WORDS

    return frozenset({*_FILLING, *STOP_WORDS, *string.punctuation})
