"""A finding in a text: a span, its kind, and the evidence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Group = Literal["entity", "secret", "phrase", "disclosure"]
"""Personal data; keys, tokens and passwords; account and transaction phrases; instructions or confidential text."""

Evidence = Literal["checksum", "numbering plan", "format", "wording", "copied words", "model"]
"""The evidence that a span is of its kind.

A correct checksum, a valid number of a country's numbering plan, a unique format, the words around it, a run of words
of the source, or a model's opinion alone."""

STRENGTH: tuple[Evidence, ...] = ("checksum", "numbering plan", "format", "copied words", "wording", "model")
"""Strongest first: of overlapping spans, the stronger is used."""

NEVER_ALONE = frozenset(
    {"person", "place", "organisation", "nationality", "date", "age", "number", "address", "postcode", "title"}
    | {"web address"}
)
"""Kinds that are no leak by themselves: names and dates are common in honest answers, and models find too many."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A span with `source[start:end] == text`.

    `key` is the form for look-up elsewhere: the value without its layout. `detail` specifies the kind: the card's
    network, the country of an identity number."""

    kind: str
    group: Group
    start: int
    end: int
    text: str
    evidence: Evidence
    key: str
    detail: str = ""

    @property
    def counts_alone(self) -> bool:
        """Whether one such hit is a leak if nothing allows it."""
        return self.kind not in NEVER_ALONE


def without_overlaps(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """The hits in order of their position. Of overlapping ones the stronger evidence is used, then the longer span."""
    chosen: list[Hit] = []
    for hit in sorted(hits, key=lambda each: (STRENGTH.index(each.evidence), each.start - each.end, each.start)):
        if all(hit.end <= other.start or other.end <= hit.start for other in chosen):
            chosen.append(hit)
    return tuple(sorted(chosen, key=lambda each: each.start))
