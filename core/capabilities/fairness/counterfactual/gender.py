"""The same question about people of the other gender: pronouns, nouns, titles and first names change together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hcat.core.capabilities.fairness.counterfactual.articles import article_edit
from hcat.core.capabilities.fairness.counterfactual.gender_words import counterpart, gender_of
from hcat.core.capabilities.fairness.counterfactual.names import NameGender, gender_of_name
from hcat.core.capabilities.robustness.variants.sentence import Edit, Sentence

if TYPE_CHECKING:
    from spacy.tokens import Token

_NO_NAMES: Mapping[str, str] = {}


def swap_gender(sentence: Sentence, *, names: Mapping[str, str] = _NO_NAMES, only: NameGender | None = None) -> str:
    """The sentence with each word for a man replaced by that for a woman and vice versa; unchanged without such words.

    `names` maps first names to replacements, and has priority over the lists. With `only`, only the words for people of
    one gender change."""
    edits = []
    for token in sentence.doc:
        other = names.get(token.text) or _other(token, only)
        if other is not None:
            article = article_edit(token, other)
            edits += [Edit(token.idx, token.idx + len(token.text), other), *([article] if article else [])]
    return sentence.edited(edits)


def named_gender(sentence: Sentence) -> NameGender | None:
    """The gender of the first person whom the sentence names; None if it names nobody of known gender."""
    return next((gender for gender in map(gender_of, sentence.doc) if gender is not None), None)


def has_unclear_name(sentence: Sentence) -> bool:
    """Whether it names a person whose first name is in no list, so that pronouns would not match the name."""
    people = [span for span in sentence.doc.ents if span.label_ == "PERSON"]
    return any(
        gender_of_name(span[0].text) is None and not _has_title(span[0]) and gender_of(span[0]) is None
        for span in people
    )


def _other(token: Token, only: NameGender | None) -> str | None:
    gender = gender_of(token)
    return counterpart(token) if gender is not None and only in (None, gender) else None


def _has_title(token: Token) -> bool:
    return token.i > 0 and token.nbor(-1).lower_.rstrip(".") in {"mr", "mrs", "ms", "miss"}
