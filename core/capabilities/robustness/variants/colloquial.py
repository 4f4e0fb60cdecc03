"""Everyday and text-message English."""

from __future__ import annotations

import numpy as np

from hcat.core.capabilities.robustness.variants.family import Change, Family, Origin
from hcat.core.capabilities.robustness.variants.sentence import Edit
from hcat.core.capabilities.robustness.variants.word_choices import change_share, phrase_edits

_SPOKEN = {
    "what is": ("what's",), "how is": ("how's",), "where is": ("where's",), "when is": ("when's",),
    "that is": ("that's",), "it is": ("it's",), "there is": ("there's",), "I am": ("I'm", "im"),
    "I have to": ("I've got to", "I gotta"), "I would": ("I'd",), "I will": ("I'll",), "you are": ("you're", "ur"),
    "we are": ("we're",), "going to": ("gonna",), "want to": ("wanna",), "got to": ("gotta",),
    "because": ("cos", "cuz"), "please": ("pls", "plz"), "you": ("u", "ya"), "your": ("ur",), "are": ("r",),
    "thanks": ("thx", "ta"), "children": ("kids",), "information": ("info",), "documents": ("docs",),
    "approximately": ("roughly",), "about": ("bout",), "what do": ("whadda",), "do you": ("d'you",),
    "do I": ("d'I",), "tell me": ("gimme",), "give me": ("gimme",), "let me": ("lemme",), "kind of": ("kinda",),
    "purchase": ("buy",), "receive": ("get",), "require": ("need",), "obtain": ("get",), "though": ("tho",),
    "through": ("thru",), "company": ("firm", "outfit"), "people": ("folks",), "friend": ("mate",),
    "mother": ("mum",), "father": ("dad",), "grandmother": ("gran",), "television": ("telly",), "bicycle": ("bike",),
}  # fmt: skip
_OPENERS = ("hey, ", "hi, ", "so ", "ok so ", "right, ", "yo, ")


def colloquial(origin: Origin, strength: float, rng: np.random.Generator) -> Change | None:
    """Say a share of the query as in speech; the greeting is one of the places."""
    edits = phrase_edits(origin.query, _SPOKEN, rng)
    text = origin.query.text
    first = origin.query.doc[0]
    opener = _OPENERS[int(rng.integers(len(_OPENERS)))]
    if first.idx == 0 and not any(edit.start == 0 for edit in edits):
        lowers = origin.query.free(first) and first.text != "I"
        edits.append(Edit(0, 1, opener + (text[0].lower() if lowers else text[0])))
    return change_share(origin, edits, strength, rng)


COLLOQUIAL = Family(
    name="colloquial",
    title="Colloquial",
    kind="input variation",
    expectation="stay",
    strength="share of the places for an everyday wording that take it, at least one",
    needs="a word at all",
    description="Contractions, everyday words, greetings and text-message spellings.",
    make=colloquial,
)
