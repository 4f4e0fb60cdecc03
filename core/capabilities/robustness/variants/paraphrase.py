"""The same question in other words, by rules over its parse."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from hcat.core.capabilities.robustness.variants.family import Change, Family, Origin, how_many
from hcat.core.capabilities.robustness.variants.inflection import participle
from hcat.core.capabilities.robustness.variants.questions import as_clause
from hcat.core.capabilities.robustness.variants.sentence import Sentence
from hcat.core.capabilities.robustness.variants.word_choices import drawn, phrase_edits

_FRAMES = (
    "Can you tell me {clause}?",
    "Please tell me {clause}.",
    "Could you say {clause}?",
    "I would like to know {clause}.",
    "Do you know {clause}?",
)
_SYNONYMS = {
    "purchase": ("buy",), "obtain": ("get",), "receive": ("get",), "begin": ("start",), "start": ("begin",),
    "permitted": ("allowed",), "allowed": ("permitted",), "largest": ("biggest",), "biggest": ("largest",),
    "compulsory": ("mandatory",), "mandatory": ("compulsory",), "luggage": ("baggage",), "papers": ("documents",),
    "ceiling": ("limit",), "ceilings": ("limits",), "picture": ("image",), "bike": ("bicycle",), "trip": ("journey",),
    "firm": ("company",), "company": ("firm",), "shop": ("store",), "currently": ("at present",), "roughly": ("about",),
    "at the moment": ("right now",), "cheapest": ("least expensive",), "whole": ("entire",), "entire": ("whole",),
    "customers": ("clients",), "clients": ("customers",), "require": ("need",), "in total": ("altogether",),
    "in all": ("in total",), "primary": ("main",), "main": ("principal",),
    "previous": ("preceding",), "upcoming": ("coming",), "nearly": ("almost",), "sufficient": ("enough",),
}  # fmt: skip
_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"^How do I (?=\w)", "What must I do to "),
        (r"^How can I (?=\w)", "In what way can I "),
        (r"^Do I have to (?=\w)", "Must I "),
        (r"^Must I (?=\w)", "Do I have to "),
        (r"^May I (?=\w)", "Am I allowed to "),
        (r"^Can I (?=\w)", "Is it possible for me to "),
        (r"^Is it possible to (?=\w)", "Can one "),
        (r"^Why (?=is|are|was|were|do|does|did|has|have|must|can|will)", "For what reason "),
        (r"^How much does (.+?) cost(?=[ ?])", r"What does \1 cost"),
        (r"^What does (.+?) cost(?=[ ?])", r"How much does \1 cost"),
        (r"^What happens (?=if|when)", "What are the consequences "),
        (r"^How long does it take (?=to|until|for)", "How much time does it take "),
        (r"^Where can I (?=\w)", "In which place can I "),
        (r"^Which (?=\w+ (?:is|are) the)", "What "),
    )
)
_BE = {("NN", False): "is", ("NNS", False): "are", ("NN", True): "was", ("NNS", True): "were"}

_Rule = Callable[[Sentence, np.random.Generator], str | None]


def paraphrase(origin: Origin, strength: float, rng: np.random.Generator) -> Change | None:
    """Apply a share of the fitting rules in sequence, each to the query from the rule before."""
    fitting = [rule for rule in _RULES if rule(origin.query, np.random.default_rng(0)) is not None]
    if not fitting:
        return None
    chosen = set(rng.permutation(len(fitting))[: how_many(strength, len(fitting))].tolist())
    text = origin.query.text
    for position, rule in enumerate(fitting):
        if position in chosen:
            text = rule(Sentence(text), rng) or text
    return Change(text)


def _voice(sentence: Sentence, rng: np.random.Generator) -> str | None:  # noqa: ARG001  one way only
    """ "Who approves loans?" → "By whom are loans approved?"."""
    spans = list(sentence.doc.sents)
    if len(spans) != 1 or sentence.doc[0].lower_ != "who" or len(sentence.doc) < _SHORTEST:
        return None
    verb = sentence.doc[1]
    target = next((child for child in verb.children if child.dep_ == "dobj"), None)
    if verb.dep_ != "ROOT" or verb.tag_ not in {"VBZ", "VBD"} or target is None or target.tag_ not in {"NN", "NNS"}:
        return None
    if target.left_edge.i != verb.i + 1 or not sentence.free(verb) or verb.lemma_ in {"be", "have", "get"}:
        return None
    phrase = sentence.text[target.left_edge.idx : target.right_edge.idx + len(target.right_edge.text)]
    rest = sentence.text[target.right_edge.idx + len(target.right_edge.text) :].strip(" ?")
    be = _BE[target.tag_, verb.tag_ == "VBD"]
    return " ".join(f"By whom {be} {phrase} {participle(verb.lemma_)} {rest}".split()) + "?"


_SHORTEST = 4


def _pattern(sentence: Sentence, rng: np.random.Generator) -> str | None:  # noqa: ARG001  the first that fits
    for pattern, replacement in _PATTERNS:
        match = pattern.search(sentence.text)
        if match is None:
            continue
        changed = match.expand(replacement)
        if match.groups() or sentence.is_free(*match.span()):
            return changed + sentence.text[match.end() :]
    return None


def _synonyms(sentence: Sentence, rng: np.random.Generator) -> str | None:
    edits = phrase_edits(sentence, _SYNONYMS, rng)
    return sentence.edited(drawn(edits, 1.0, rng)) if edits else None


def _frame(sentence: Sentence, rng: np.random.Generator) -> str | None:
    question = as_clause(sentence)
    if question is None:
        return None
    frame = _FRAMES[int(rng.integers(len(_FRAMES)))].format(clause=question.clause)
    joined = question.before.rstrip().endswith(",")
    return question.before + (frame[0].lower() + frame[1:] if joined and not frame.startswith("I ") else frame)


_RULES: tuple[_Rule, ...] = (_voice, _pattern, _synonyms, _frame)

PARAPHRASE = Family(
    name="paraphrase",
    title="Paraphrase",
    kind="input variation",
    expectation="stay",
    strength="share of the rules that fit the query and are applied, at least one",
    needs="a question, a wording or a word for which there is a rule",
    description="The question as a clause, in the passive, with another question word, or with synonyms.",
    make=paraphrase,
)
