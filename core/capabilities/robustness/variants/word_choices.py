"""Edits by lists of words: places with an alternative wording, of which a random share is changed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from hcat.core.capabilities.robustness.variants.family import Change, Origin, how_many
from hcat.core.capabilities.robustness.variants.sentence import Edit, Sentence


def phrase_edits(sentence: Sentence, phrases: Mapping[str, Sequence[str]], rng: np.random.Generator) -> list[Edit]:
    """An edit for each place with one of the phrases and nothing protected in it; longer phrases first."""
    edits: list[Edit] = []
    for phrase in sorted(phrases, key=lambda phrase: (-len(phrase), phrase)):
        for match in re.finditer(rf"(?<![\w'’]){re.escape(phrase)}(?![\w'’])", sentence.text, re.IGNORECASE):
            if sentence.is_free(*match.span()) and not overlaps(edits, *match.span()):
                options = phrases[phrase]
                chosen = options[int(rng.integers(len(options)))]
                edits.append(Edit(match.start(), match.end(), cased_like(match.group(), chosen)))
    return edits


def overlaps(edits: Sequence[Edit], start: int, end: int) -> bool:
    """Whether the text between two offsets is in one of the edits."""
    return any(start < edit.end and edit.start < end for edit in edits)


def cased_like(word: str, other: str) -> str:
    """The other word, capitalised if the word is."""
    return other[:1].upper() + other[1:] if word[:1].isupper() and word != "I" else other


def drawn(edits: Sequence[Edit], strength: float, rng: np.random.Generator) -> list[Edit]:
    """A share of the edits, at least one."""
    chosen = rng.permutation(len(edits))[: how_many(strength, len(edits))]
    return [edits[int(position)] for position in sorted(chosen)]


def change_share(origin: Origin, edits: Sequence[Edit], strength: float, rng: np.random.Generator) -> Change | None:
    """The query with a share of these edits; None without any."""
    return Change(origin.query.edited(drawn(edits, strength, rng))) if edits else None
