"""A group named in a query by an adjective or a noun for people: "a Muslim customer", "Americans who …"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hcat.core.capabilities.fairness.counterfactual.articles import article_edit
from hcat.core.capabilities.fairness.counterfactual.attribute import Attribute, Group
from hcat.core.capabilities.robustness.variants.sentence import Edit, Sentence

if TYPE_CHECKING:
    from spacy.tokens import Token

_PEOPLE_WORDS = """people person persons man men woman women customer customers client clients applicant applicants
borrower borrowers investor investors employee employees worker workers colleague colleagues family families couple
couples student students parent parents mother father wife husband son daughter neighbour neighbours friend friends
citizen citizens resident residents holder holders owner owners user users buyer buyers seller sellers lady gentleman
boy girl child children teenager teenagers pensioner pensioners entrepreneur entrepreneurs individual individuals"""
_PEOPLE = frozenset(_PEOPLE_WORDS.split())


def named_group(sentence: Sentence, attribute: Attribute) -> Group | None:
    """The one group of the attribute by which the sentence names people; None for none, or for several."""
    groups = {group.name: group for token in sentence.doc for group in [_group_of(token, attribute)] if group}
    return next(iter(groups.values())) if len(groups) == 1 else None


def mentions(sentence: Sentence, attribute: Attribute) -> bool:
    """Whether the sentence contains any word of the attribute or of its groups, for people or not."""
    words = {word.lower() for group in attribute.groups for word in _words(group)} | set(attribute.speaks_of)
    return any(token.lower_ in words for token in sentence.doc)


def replace_group(sentence: Sentence, attribute: Attribute, group: Group) -> str | None:
    """The sentence about people of this group instead of the named one; None if a word for it is missing. Also None if
    the named group's word is used for something other than people ("a Chinese restaurant")."""
    edits: list[Edit] = []
    for token in sentence.doc:
        origin = _group_of(token, attribute)
        if origin is None:
            if any(token.lower_ == word.lower() for each in attribute.groups for word in _words(each)):
                return None
            continue
        word = _as_written(token, origin, group)
        if not word:
            return None
        article = article_edit(token, word)
        edits += [Edit(token.idx, token.idx + len(token.text), word), *([article] if article else [])]
    return sentence.edited(edits) if edits else None


def _group_of(token: Token, attribute: Attribute) -> Group | None:
    """The group by which the token names people; None if it names none."""
    for group in attribute.groups:
        if token.text in (group.plural, group.plural.capitalize()) and group.plural:
            return group
        adjectives = {word.lower() for word in (group.adjective, *group.aliases) if word}
        if token.lower_ in adjectives and _is_of_people(token):
            return group
        if group.noun and token.lower_ == group.noun.lower() and _is_a_person(token):
            return group
    return None


def _as_written(token: Token, origin: Group, group: Group) -> str:
    if origin.plural and token.text in (origin.plural, origin.plural.capitalize()):
        word = group.plural
    elif _is_of_people(token):
        word = group.adjective
    else:
        word = group.noun
    return word[:1].upper() + word[1:] if token.i == 0 else word


def _is_of_people(token: Token) -> bool:
    """Whether an adjective describes people: "a Muslim customer", "a young Muslim customer", "she is Muslim"."""
    if token.dep_ in {"acomp", "oprd"}:
        return True
    following = token.i + 1 < len(token.doc) and token.nbor(1).lower_ in _PEOPLE
    return following or (token.dep_ in {"amod", "compound"} and token.head.lower_ in _PEOPLE)


def _is_a_person(token: Token) -> bool:
    """Whether a noun is a person: "I am an American", but not "an American bank"."""
    if token.i > 0 and token.nbor(-1).lower_ not in {"a", "an", "the", "any", "every", "no", "this", "that"}:
        return False
    return token.i + 1 >= len(token.doc) or token.nbor(1).pos_ not in {"NOUN", "PROPN", "ADJ"}


def _words(group: Group) -> tuple[str, ...]:
    return tuple(word for word in (group.adjective, group.noun, group.plural, *group.aliases) if word)
