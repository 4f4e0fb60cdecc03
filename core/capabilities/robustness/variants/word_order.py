"""The parts of a query in another order."""

from __future__ import annotations

import re

import numpy as np

from hcat.core.capabilities.robustness.variants.family import Change, Family, Origin, how_many
from hcat.core.capabilities.robustness.variants.sentence import Sentence

_OPENERS = frozenset(
    ["if", "when", "once", "because", "after", "before", "while", "although", "since", "as", "until", "unless"]
)
_REFERS_BACK = re.compile(
    r"\b(?:it|its|that|this|those|these|they|them|their|he|she|his|her|him|one|ones|such|same|then|there|so|else|also|"
    r"and|or|but|too|either|covered)\b|^\w+\?$",
    re.IGNORECASE,
)
_ELLIPTIC = 3


def word_order(origin: Origin, strength: float, rng: np.random.Generator) -> Change | None:
    """Move a share of the parts that can be moved: clauses, phrases of place and time, whole sentences."""
    text, moved = origin.query.text, 0
    movers = [_clause_back, _clause_front, _phrase_front, _sentences_swapped]
    able = [mover for mover in movers if mover(origin.query) is not None]
    if not able:
        return None
    order = [able[int(position)] for position in rng.permutation(len(able))]
    for mover in order[: how_many(strength, len(able))]:
        changed = mover(Sentence(text))
        if changed is not None and changed != origin.query.text:
            text, moved = changed, moved + 1
    return Change(text) if moved else None


def _clause_back(sentence: Sentence) -> str | None:
    """ "If I lose my card, what is the charge?" → "What is the charge if I lose my card?"."""
    span = list(sentence.doc.sents)[-1]
    if span[0].lower_ not in _OPENERS or not span.text.rstrip().endswith("?"):
        return None
    comma = next((token for token in span if token.text == ","), None)
    if comma is None or comma.i + 1 >= span.end - 1 or any(token.text == "," for token in span if token.i > comma.i):
        return None
    clause = sentence.text[span.start_char : comma.idx]
    rest = sentence.text[comma.idx + 1 : span.end_char].strip().rstrip("?")
    if _REFERS_BACK.search(rest):
        return None
    return f"{sentence.text[: span.start_char]}{_capital(rest)} {_lowered(sentence, span.start, clause)}?"


def _clause_front(sentence: Sentence) -> str | None:
    """ "What is the charge if I lose my card?" → "If I lose my card, what is the charge?"."""
    span = list(sentence.doc.sents)[-1]
    if not span.text.rstrip().endswith("?") or "," in span.text or ":" in span.text:
        return None
    for token in span:
        opens = token.lower_ in {"if", "when", "once", "after", "before", "until"} and token.dep_ in {"mark", "advmod"}
        clause = token.head if opens else None
        if clause is None or clause.dep_ != "advcl" or clause.left_edge.i != token.i or token.i <= span.start + 2:
            continue
        if clause.right_edge.i < span.end - 2:
            continue
        front = sentence.text[token.idx : span.end_char].rstrip("? ")
        rest = sentence.text[span.start_char : token.idx].rstrip()
        return f"{sentence.text[: span.start_char]}{_capital(front)}, {_lowered(sentence, span.start, rest)}?"
    return None


def _phrase_front(sentence: Sentence) -> str | None:
    """ "What do I pay for a paper statement?" → "For a paper statement, what do I pay?"."""
    span = list(sentence.doc.sents)[-1]
    if not span.text.rstrip().endswith("?") or "," in span.text or ":" in span.text:
        return None
    for token in span.root.children:
        ends = token.right_edge.i >= span.end - 2
        if token.dep_ != "prep" or token.tag_ != "IN" or not ends or token.i <= span.root.i or token.lower_ == "of":
            continue
        if token.left_edge.i != token.i or token.right_edge.i - token.i < 2 or token.nbor(-1).dep_ == "prt":
            continue
        front = sentence.text[token.idx : span.end_char].rstrip("? ")
        rest = sentence.text[span.start_char : token.idx].rstrip()
        if len(rest.split()) < _ELLIPTIC:
            continue
        return f"{sentence.text[: span.start_char]}{_capital(front)}, {_lowered(sentence, span.start, rest)}?"
    return None


def _sentences_swapped(sentence: Sentence) -> str | None:
    """ "I am 24. What are my costs?" → "What are my costs? I am 24."."""
    spans = [span for span in sentence.doc.sents if span.text.strip()]
    if len(spans) != 2 or not spans[1].text.rstrip().endswith("?") or not spans[0].text.rstrip().endswith("."):
        return None
    if _REFERS_BACK.search(spans[1].text) or len(spans[1].text.split()) < _ELLIPTIC + 1:
        return None
    return f"{spans[1].text.strip()} {spans[0].text.strip()}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lowered(sentence: Sentence, first: int, text: str) -> str:
    token = sentence.doc[first]
    return text[:1].lower() + text[1:] if sentence.free(token) and token.text != "I" else text


WORD_ORDER = Family(
    name="word order",
    title="Word order",
    kind="input variation",
    expectation="stay",
    strength="share of the movable parts that are moved, at least one",
    needs="a clause, a closing phrase or a sentence that can stand elsewhere",
    description="Clauses, phrases and sentences in another order.",
    make=word_order,
)
