"""Mistakes of learners of English: articles, agreement, prepositions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hcat.core.capabilities.robustness.variants.family import Change, Family, Origin
from hcat.core.capabilities.robustness.variants.sentence import Edit, Sentence
from hcat.core.capabilities.robustness.variants.word_choices import cased_like, change_share

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Token

_AGREEMENT = {
    "does": "do",
    "do": "does",
    "is": "are",
    "are": "is",
    "has": "have",
    "was": "were",
    "were": "was",
    "am": "is",
}
_PREPOSITIONS = {"in": ("on", "at"), "on": ("in", "at"), "at": ("in", "on"), "for": ("of", "to"), "of": ("from", "for"),
                 "with": ("by",)}  # fmt: skip
_ARTICLES = {"a": ("the", ""), "an": ("a", ""), "the": ("a", "")}


def learners_mistakes(origin: Origin, strength: float, rng: np.random.Generator) -> Change | None:
    """Make a share of the mistakes that are possible in the query."""
    return change_share(origin, list(_places(origin.query, rng)), strength, rng)


def _places(sentence: Sentence, rng: np.random.Generator) -> Iterator[Edit]:
    for token in sentence.doc:
        if not sentence.free(token):
            continue
        options = _mistakes(sentence, token)
        if not options:
            continue
        mistake = options[int(rng.integers(len(options)))]
        end = token.idx + len(token.text)
        if mistake:
            yield Edit(token.idx, end, cased_like(token.text, mistake))
        elif token.i > 0:
            yield Edit(token.idx, end + len(token.whitespace_), "")


def _mistakes(sentence: Sentence, token: Token) -> tuple[str, ...]:
    """Possible mistakes of a learner in place of a word; "" omits it."""
    lower = token.lower_
    if lower in _AGREEMENT and token.pos_ in {"AUX", "VERB"} and token.tag_ != "VB":
        return (_AGREEMENT[lower],)
    if lower in _ARTICLES and token.pos_ == "DET":
        return _ARTICLES[lower]
    follows_particle = token.i > 0 and token.nbor(-1).pos_ in {"ADP", "ADV", "PART"}
    if lower in _PREPOSITIONS and token.dep_ == "prep" and not follows_particle:
        # "at 60%" and "to EUR 3,000" have more content than a preposition: it is unchanged before numbers, dates and
        # names.
        return _PREPOSITIONS[lower] if all(sentence.free(word) for word in token.subtree) else ()
    return _verb_forms(token)


def _verb_forms(token: Token) -> tuple[str, ...]:
    if token.tag_ == "VBZ" and token.pos_ == "VERB" and token.lemma_.isalpha() and token.lemma_ != token.lower_:
        return (token.lemma_,)
    if (
        token.tag_ == "NNS"
        and token.lemma_ != token.lower_
        and any(c.lower_ in {"many", "several"} for c in token.children)
    ):
        return (token.lemma_,)
    return ()


GRAMMAR = Family(
    name="grammar",
    title="Grammar",
    kind="input variation",
    expectation="stay",
    strength="share of the places for a mistake where one is made, at least one",
    needs="an article, a verb that agrees with its subject, or a preposition before a common noun",
    description="Mistakes of learners: articles left out or exchanged, verbs that don't agree, wrong prepositions.",
    make=learners_mistakes,
)
