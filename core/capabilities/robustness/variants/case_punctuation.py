"""Capitals and punctuation of people who type in haste."""

from __future__ import annotations

import numpy as np

from hcat.core.capabilities.robustness.variants.family import Change, Family, Origin, how_many
from hcat.core.capabilities.robustness.variants.sentence import Edit, Sentence

_MARKS = frozenset("?!.,;:")


def case_and_punctuation(origin: Origin, strength: float, rng: np.random.Generator) -> Change | None:
    """Change the case of a share of the words, and leave out a share of the punctuation marks between them."""
    places = _capitals(origin.query, rng) + _marks(origin.query)
    if not places:
        return None
    chosen = rng.permutation(len(places))[: how_many(strength, len(places))]
    return Change(origin.query.edited(places[int(position)] for position in chosen))


def _capitals(sentence: Sentence, rng: np.random.Generator) -> list[Edit]:
    """Edits of all words of a query in one direction: to capitals, as with caps lock, or to lower case."""
    shouts = bool(rng.random() < 0.5)
    edits = []
    for token in sentence.free_words:
        written = token.text.upper() if shouts else token.text.lower()
        if written != token.text and token.text != "I":
            edits.append(Edit(token.idx, token.idx + len(token.text), written))
    return edits


def _marks(sentence: Sentence) -> list[Edit]:
    """Edits that leave out punctuation marks, except those between sentences."""
    last = len(sentence.doc) - 1
    return [
        Edit(token.idx, token.idx + 1, "")
        for token in sentence.doc
        if token.text in _MARKS and sentence.free(token) and (token.text not in "?!." or token.i == last)
    ]


CASE = Family(
    name="case and punctuation",
    title="Case and punctuation",
    kind="input variation",
    expectation="stay",
    strength="share of the words that change case and of the marks that are left out, together at least one",
    needs="a word that is no name, or a mark",
    description="Words in capitals or without them, commas and question marks left out.",
    make=case_and_punctuation,
)
