"""Formal and informal ways of asking the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hcat.core.capabilities.robustness.variants.family import Change, Family, Origin
from hcat.core.capabilities.robustness.variants.questions import as_clause
from hcat.core.capabilities.robustness.variants.sentence import Sentence
from hcat.core.capabilities.robustness.variants.word_choices import drawn, phrase_edits

_FORMAL = {
    "buy": ("purchase",), "get": ("obtain",), "need": ("require",), "start": ("commence",), "ask": ("enquire",),
    "about": ("regarding",), "tell": ("inform",), "help": ("assist",), "enough": ("sufficient",), "kids": ("children",),
    "papers": ("documents",), "bike": ("bicycle",), "laptop": ("portable computer",), "biggest": ("largest",),
}  # fmt: skip
_INFORMAL = {
    "purchase": ("buy",), "obtain": ("get",), "require": ("need",), "receive": ("get",), "regarding": ("about",),
    "documents": ("papers",), "children": ("kids",), "company": ("firm",), "bicycle": ("bike",),
    "largest": ("biggest",),
    "permitted": ("allowed",), "additional": ("extra",), "sufficient": ("enough",),
}  # fmt: skip
_FORMAL_FRAMES = (
    ("Dear Sir or Madam, ", "I should be grateful if you could tell me {clause}. Yours faithfully"),
    ("Dear Sir or Madam, ", "I would appreciate it if you could inform me {clause}. Kind regards"),
    ("Good afternoon. ", "I am writing to enquire {clause}. I look forward to your reply."),
)
_INFORMAL_FRAMES = (
    ("Hi there! ", "Any idea {clause}? Cheers"),
    ("Hey, ", "can you tell me {clause}? ta"),
    ("Hiya, ", "just want to know {clause} :)"),
)
_WITHOUT_CLAUSE = {"formal": (("Dear Sir or Madam, ", " Yours faithfully"), ("Good afternoon. ", " Kind regards")),
                   "informal": (("Hi there! ", " Cheers"), ("Hey, ", " ta"))}  # fmt: skip


def register(origin: Origin, strength: float, rng: np.random.Generator) -> Change | None:
    """Ask formally or informally: an opening and a close, above a half also another clause and other words."""
    style = "formal" if rng.random() < 0.5 else "informal"
    query = origin.query
    question = as_clause(query) if strength > 0.5 else None
    if question is None:
        pairs = _WITHOUT_CLAUSE[style]
        opening, closing = pairs[int(rng.integers(len(pairs)))]
        worded = _worded(query, style, strength, rng)
        continues = opening.rstrip().endswith(",") and style == "informal"
        lowers = continues and _can_be_lowered(query)
        stop = "" if worded.rstrip().endswith((".", "?", "!")) else "."
        text = f"{opening}{worded[:1].lower() + worded[1:] if lowers else worded}{stop}{closing}"
    else:
        frames = _FORMAL_FRAMES if style == "formal" else _INFORMAL_FRAMES
        opening, frame = frames[int(rng.integers(len(frames)))]
        if opening.endswith(", ") and question.before and _can_be_lowered(query):
            question = replace(question, before=question.before[:1].lower() + question.before[1:])
        before = _worded(Sentence(question.before), style, strength, rng) if question.before.strip() else ""
        clause = _worded(Sentence(question.clause), style, strength, rng)
        text = f"{opening}{before}{_begun(frame.format(clause=clause), opening + before)}"
    return Change(text, metadata={"register": style})


def _can_be_lowered(query: Sentence) -> bool:
    return query.free(query.doc[0]) and query.doc[0].text != "I"


def _worded(sentence: Sentence, style: str, strength: float, rng: np.random.Generator) -> str:
    edits = phrase_edits(sentence, _FORMAL if style == "formal" else _INFORMAL, rng) if strength > 0.5 else []
    return sentence.edited(drawn(edits, 1.0, rng)) if edits else sentence.text


def _begun(text: str, before: str) -> str:
    return text[:1].upper() + text[1:] if before.rstrip().endswith((".", "!", "?")) else text


REGISTER = Family(
    name="register",
    title="Language register",
    kind="input variation",
    expectation="stay",
    strength="up to 0.5 an opening and a close; above, the question as a clause and other words too",
    needs="a word at all",
    description="The same asked formally, as in a letter, or informally, as in a chat.",
    make=register,
)
