"""The training pairs: public ones, rule-made ones over the same training documents, and made-up statements."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from hcat.core.text import sentences
from training.edits import _NAME, Edit, faithful, wrong
from training.public_pairs import LONG, SHORT, WORDS, Cutting, long_documents, public_pairs
from training.rule_templates import rule_pairs
from training.sources import Pair, counterfactual_pairs, document_key, grounded_pairs
from training.templates import hypothesis, report

EDITED_SENTENCES, EDITED_CLAIMS, TEMPLATES, COUNTERFACTUAL = 5000, 5000, 2600, 4000
"""How many pairs are made by rule from sentences and claims, by template, and taken of the revised NLI."""

RULES = {1: 0, 2: 0, 3: 5000}
"""How many pairs about made-up rules and entitlements each reading has."""

PRODUCT = {1: 0.0, 2: 0.5, 3: 0.5}
"""The share of long documents that each reading cuts as the product does."""

REPLAYED = {1: 0.2, 2: 1.0, 3: 1.0}
"""The share of the general pairs, in each reading, that stands among the claims about documents: none is forgotten."""

Twins = list[Pair]
"""Pairs that are read in one batch: a supported hypothesis and its wrong twin, or a pair alone."""


@dataclass(frozen=True)
class TrainingPairs:
    """General inference, then claims about documents, each in the order of reading; `dev` calibrates."""

    general: list[Twins]
    claims: list[Twins]
    dev: list[Pair]


def training_pairs(data: Path, *, rng: np.random.Generator, reading: int = 1) -> TrainingPairs:
    """What is read the first, second or third time: other draws; from the second on, premises as the product reads
    them, too; in the third, made-up rules."""
    cut = Cutting(rng, product=PRODUCT[reading])
    grounded = [replace(pair, premise=cut(pair.premise, pair.hypothesis)) for pair in grounded_pairs(data)]
    nli = counterfactual_pairs(data)
    revised = _drawn([pair for pair in nli if pair.split == "train"], COUNTERFACTUAL, rng)
    general = public_pairs(data, SHORT[reading], cut) + [[pair] for pair in revised]
    claims = public_pairs(data, LONG[reading], cut)
    documents = long_documents(data, rng)
    made_up = template_pairs(TEMPLATES, rng)
    claims += [[pair] for pair in grounded if pair.split == "train"]
    claims += _edited_sentences(documents, EDITED_SENTENCES, rng)
    claims += _edited_claims([unit for unit in claims if len(unit) == 1], EDITED_CLAIMS, rng)
    claims += [[pair] for pair in made_up if pair.split == "train"]
    claims += rule_pairs(RULES[reading], rng)
    general = [general[index] for index in rng.permutation(len(general))]
    replayed = int(REPLAYED[reading] * len(general))
    claims += general[:replayed]
    dev = [pair for pair in (*grounded, *nli, *made_up) if pair.split == "dev"]
    dev += [pair for unit in public_pairs(data, {**SHORT[reading], **LONG[reading]}, cut, split="dev") for pair in unit]
    return TrainingPairs(general[replayed:], [claims[index] for index in rng.permutation(len(claims))], dev)


def _edited_sentences(documents: list[Pair], count: int, rng: np.random.Generator) -> list[Twins]:
    """A sentence of a document, unchanged in meaning or with one detail wrong, with the passage that it comes from."""
    names = sorted({name for pair in documents for name in _NAME.findall(pair.premise)})
    edited: list[Twins] = []
    while 2 * len(edited) < count:
        document = documents[int(rng.integers(len(documents)))]
        parts = [" ".join(s.text.split()) for s in sentences(document.premise)]
        at = int(rng.integers(len(parts)))
        if not 6 <= len(parts[at].split()) <= 45:
            continue
        first = max(0, at - int(rng.integers(0, 4)))
        last = at + 1 + int(rng.integers(0, 4))
        while len(" ".join(parts[first:last]).split()) > WORDS and last - first > 1:
            first, last = (first + 1, last) if first < at else (first, last - 1)
        premise = " ".join(parts[first:last])
        claim = faithful(parts[at], rng) if rng.random() < 0.8 else parts[at]
        edit = wrong(claim, premise, names, rng)
        if edit is None or edit.text.lower() in premise.lower():
            continue
        edited.append(_twins(replace(document, premise=premise, hypothesis=claim), edit, "edited sentences"))
    return edited


def _edited_claims(units: list[Twins], count: int, rng: np.random.Generator) -> list[Twins]:
    """Claims that people found supported, and the same with one detail changed."""
    true = [unit[0] for unit in units if unit[0].entailed and len(unit[0].hypothesis.split()) >= 5]
    names = sorted({name for pair in true for name in _NAME.findall(pair.premise)})
    edited: list[Twins] = []
    for index in rng.permutation(len(true)):
        edit = wrong(true[index].hypothesis, true[index].premise, names, rng)
        if edit is not None and 2 * len(edited) < count:
            edited.append(_twins(true[index], edit, "edited claims"))
    return edited


def _twins(true: Pair, edit: Edit, source: str) -> Twins:
    right = replace(true, entailed=1, source=source, split="train", wrong=(0, 0))
    return [right, replace(right, hypothesis=edit.text, entailed=0, wrong=(edit.start, edit.end))]


def _drawn(pairs: list[Pair], count: int, rng: np.random.Generator) -> list[Pair]:
    return [pairs[index] for index in rng.permutation(len(pairs))[:count]]


def template_pairs(count: int, rng: np.random.Generator) -> list[Pair]:
    """Made-up reports of two to four statements; one in twenty belongs to "dev"."""
    made_up: list[Pair] = []
    while len(made_up) < count:
        said = report(rng, statements=int(rng.integers(1, 4)))
        at = int(rng.integers(len(said)))
        other = said[int(rng.integers(len(said)))].slots
        premise = " ".join(s.long for s in said)
        for is_wrong in (False, True):
            statement = hypothesis(said[at], rng, wrong=is_wrong, elsewhere=other)
            if statement is None:
                continue
            split = "dev" if len(made_up) % 20 < 2 else "train"
            made_up.append(
                Pair(
                    premise,
                    statement[0],
                    int(not is_wrong),
                    "made-up statements",
                    document_key(premise),
                    split,
                    statement[1],
                )
            )
    return made_up
