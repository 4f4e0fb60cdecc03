"""Filler words without content, as in speech."""

from __future__ import annotations

import numpy as np

from hcat.core.capabilities.robustness.variants.family import Change, Family, Origin
from hcat.core.capabilities.robustness.variants.sentence import Edit, Sentence

_OPENINGS = ("Well, ", "Okay, so ", "Right, ", "Just wondering, ", "Quick question: ", "Sorry to bother you, but ")
_INSERTS = (", um,", ", like,", ", you know,", ", I mean,", ", let's say,", ", er,")
_CLOSINGS = (" Thanks in advance.", " Just asking.", " Cheers.", " That would be good to know.", " Thank you.")


def filler(origin: Origin, strength: float, rng: np.random.Generator) -> Change | None:
    """One filler for each so many words of the query, drawn over the beginning, the end and the joints between."""
    sentence = origin.query
    joints = [_inserted(token_end, rng) for token_end in _joints(sentence)]
    first = sentence.doc[0]
    lowers = sentence.free(first) and first.text != "I"
    opening = _OPENINGS[int(rng.integers(len(_OPENINGS)))]
    start = Edit(0, 1, opening + (sentence.text[0].lower() if lowers else sentence.text[0]))
    end = len(sentence.text)
    stop = "" if sentence.text.rstrip().endswith((".", "?", "!")) else "."
    closing = Edit(end, end, stop + _CLOSINGS[int(rng.integers(len(_CLOSINGS)))])
    places = [start, closing, *joints] if first.idx == 0 else [closing, *joints]
    words = sum(token.is_alpha for token in sentence.doc)
    number = max(1, min(len(places), round(strength * words)))
    chosen = rng.permutation(len(places))[:number]
    return Change(sentence.edited(places[int(position)] for position in chosen))


def _joints(sentence: Sentence) -> list[int]:
    """Offsets at which a filler can be inserted: after a noun, before a preposition or a conjunction."""
    places = []
    for token in sentence.doc:
        if token.i == 0 or token.nbor(-1).pos_ != "NOUN" or not token.nbor(-1).whitespace_:
            continue
        if token.i + 1 < len(token.doc) and token.nbor(1).is_punct:
            continue
        opens_phrase = token.dep_ in {"prep", "mark", "cc"} and token.tag_ in {"IN", "CC"}
        if opens_phrase and sentence.free(token) and sentence.free(token.nbor(-1)):
            places.append(token.nbor(-1).idx + len(token.nbor(-1).text))
    return places


def _inserted(at: int, rng: np.random.Generator) -> Edit:
    return Edit(at, at, _INSERTS[int(rng.integers(len(_INSERTS)))])


FILLER = Family(
    name="filler",
    title="Filler words",
    kind="input variation",
    expectation="stay",
    strength="fillers for each word of the query, at least one, as many as there are places for",
    needs="a word at all",
    description="Openings, closings and words such as “um” and “you know”.",
    make=filler,
)
