"""Questions converted to clauses: "What do I pay?" becomes "what I pay", as after "Tell me"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hcat.core.capabilities.robustness.variants.inflection import past, third_person
from hcat.core.capabilities.robustness.variants.sentence import Sentence

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_WH = frozenset({"WP", "WDT", "WRB", "WP$"})
_FINITE = frozenset({"VBZ", "VBP", "VBD", "MD", "VB"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "expl", "csubj"})
_SEVERAL = re.compile(
    r"[;:]|,? (?:and|or|but) (?:\w+ )?(?:what|when|where|who|which|how|why|would|does|do|is|are|can|will)\b",
    re.IGNORECASE,
)
_ASKS_TO_BE_TOLD = re.compile(
    r"\b(?:(?:can|could|would|will) you (?:please |kindly )?(?:tell|explain|say|give|let|show)|"
    r"do you (?:happen to )?know|like to know|any idea)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Question:
    """The last question of a query: the text `before` it, and the `clause` that asks the same indirectly."""

    before: str
    clause: str


def as_clause(sentence: Sentence) -> Question | None:
    """The query's last question as a clause; None if it is not a single question that the rules can convert."""
    spans = [span for span in sentence.doc.sents if span.text.strip()]
    if not spans or not spans[-1].text.rstrip().endswith("?") or _SEVERAL.search(spans[-1].text):
        return None
    question = spans[-1]
    if _ASKS_TO_BE_TOLD.search(question.text):  # "tell me whether you could tell me" asks nothing
        return None
    verb = _inverted(question)
    first = _first_word(question, verb)
    if first is None:
        return None
    before = sentence.text[: first.idx]
    if verb is None:
        clause = sentence.text[first.idx : _end(question)]
        unseen = any(token.lemma_ == "do" and token.pos_ == "AUX" for token in question)
        return Question(before, _lowered(clause, first)) if first.tag_ in _WH and not unseen else None
    subject = _subject_after(verb)
    reordered = None if subject is None else _reordered(sentence, first, verb, subject, question)
    return None if reordered is None else Question(before, reordered)


def _end(question: Span) -> int:
    """The offset of the end of the question, without its mark."""
    return int(question.start_char) + len(question.text.rstrip().rstrip("?!. "))


def _inverted(question: Span) -> Token | None:
    """The verb that precedes its subject; None if the subject comes first ("Who approves it?")."""
    for token in question:
        if token.pos_ in {"AUX", "VERB"} and token.tag_ in _FINITE and token.lemma_ in _AUXILIARIES:
            subject = _subject_after(token)
            return token if subject is not None else None
        if token.pos_ in {"VERB"} and token.dep_ == "ROOT":
            return None
    return None


_AUXILIARIES = frozenset(
    ["be", "do", "have", "can", "could", "will", "would", "shall", "should", "may", "might", "must"]
)


def _subject_after(verb: Token) -> Token | None:
    """The subject whose phrase begins directly after the verb."""
    heads = [verb, verb.head, *(child for child in verb.children if child.dep_ == "acomp")]
    for head in heads:
        for child in head.children:
            if child.dep_ in _SUBJECTS | {"attr"} and child.left_edge.i == verb.i + 1:
                return child
    return None


def _first_word(question: Span, verb: Token | None) -> Token | None:
    """The first token of the question proper: after an introduction that ends with a comma."""
    wh = next((token for token in question if token.tag_ in _WH), None)
    limit = verb if verb is not None else wh
    if limit is None:
        return None
    start = question[0]
    for token in question:
        if token.i >= limit.i:
            break
        if token.text == ",":
            start = token.nbor(1)
    return start


def _reordered(sentence: Sentence, first: Token, verb: Token, subject: Token, question: Span) -> str | None:
    end = _end(question)
    last = _last_of(subject)
    if last.idx >= end or not sentence.free(verb):
        return None
    opening = sentence.text[first.idx : verb.idx].strip()
    phrase = sentence.text[subject.left_edge.idx : last.idx + len(last.text)]
    rest = sentence.text[last.idx + len(last.text) : end].strip()
    opening = _lowered(opening, first) if opening else "whether"
    if "," in rest:
        return None
    if verb.lemma_ != "do":
        return " ".join(part for part in (opening, phrase, verb.lower_, rest) if part)
    main = _main_verb(verb, last)
    if main is None:
        return None
    offset = main.idx - (last.idx + len(last.text))
    gap = sentence.text[last.idx + len(last.text) : main.idx]
    tail = sentence.text[main.idx + len(main.text) : end]
    if offset < 0:
        return None
    inflected = {"do": main.text, "does": third_person(main.lemma_), "did": past(main.lemma_)}.get(verb.lower_)
    if inflected is None:
        return None
    return " ".join(f"{opening} {phrase}{gap}{inflected}{tail}".split())


def _last_of(subject: Token) -> Token:
    """The last token of the subject's phrase: before a closing participle or adjective ("is a phone insured")."""
    last = subject.right_edge
    following = last.nbor(1) if last.i + 1 < len(last.doc) else None
    closes = following is None or following.is_punct
    predicate = (last.dep_ == "acl" and last.tag_ == "VBN") or last.pos_ == "ADJ"
    return last.nbor(-1) if closes and predicate and last.i > subject.i else last


def _main_verb(verb: Token, after: Token) -> Token | None:
    head = verb.head
    if head.i > after.i and head.tag_ in {"VB", "VBP", "NN"}:
        return head
    return None


def _lowered(text: str, first: Token) -> str:
    keeps = first.ent_type_ or first.tag_ in {"NNP", "NNPS"} or first.text == "I" or first.text.isupper()
    return text if keeps else text[:1].lower() + text[1:]
