"""The training pairs: public ones, rule-made ones over the same training documents, and made-up statements."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from core.text import sentences, tokens
from training.edits import _NAME, faithful, wrong
from training.sources import Pair, counterfactual_pairs, document_key, grounded_pairs
from training.templates import hypothesis, report


def training_pairs(
    data: Path, *, rng: np.random.Generator, edits: int, templates: int, counterfactual: int
) -> list[Pair]:
    """The pairs of all splits: "train" to fit, "dev" to choose and calibrate, "test" untouched."""
    real = [replace(pair, premise=shortened(pair.premise, pair.hypothesis, rng)) for pair in grounded_pairs(data)]
    nli = counterfactual_pairs(data)
    fit = [pair for pair in nli if pair.split == "train"]
    sampled = [fit[index] for index in rng.permutation(len(fit))[:counterfactual]]
    others = [pair for pair in nli if pair.split != "train"]
    documents = {pair.premise: pair for pair in grounded_pairs(data)}
    edited = edited_pairs(list(documents.values()), edits, rng) + true_claim_edits(real, edits // 4, rng)
    return real + sampled + others + edited + template_pairs(templates, rng)


def shortened(premise: str, hypothesis: str, rng: np.random.Generator, *, words: int = 52) -> str:
    """The sentences of a long premise that share most with the hypothesis, in their order, as a score reads them."""
    parts = [s.text for s in sentences(premise)]
    if len(premise.split()) <= words or len(parts) < 2:
        return premise
    asked = set(tokens(hypothesis))
    gain = [
        len(asked & set(tokens(piece))) / (3 + len(set(tokens(piece))) ** 0.5) + 0.01 * rng.random() for piece in parts
    ]
    chosen: list[int] = []
    for index in np.argsort(gain)[::-1]:
        if chosen and sum(len(parts[i].split()) for i in [*chosen, index]) > words:
            break
        chosen.append(int(index))
    return " ".join(parts[index] for index in sorted(chosen))


def edited_pairs(documents: list[Pair], count: int, rng: np.random.Generator) -> list[Pair]:
    """A sentence of a document, unchanged in meaning or with one detail wrong, with the passage that it comes from."""
    names = sorted({name for pair in documents for name in _NAME.findall(pair.premise)})
    edited: list[Pair] = []
    while len(edited) < count:
        document = documents[int(rng.integers(len(documents)))]
        if document.split == "test":
            continue
        parts = [s.text for s in sentences(document.premise)]
        at = int(rng.integers(len(parts)))
        claim = parts[at]
        if not 5 <= len(claim.split()) <= 40:
            continue
        first = max(0, at - int(rng.integers(0, 3)))
        premise = " ".join(parts[first : at + 1 + int(rng.integers(0, 2))])
        said = faithful(claim, rng) if rng.random() < 0.7 else claim
        edited += _twins(document, premise, said, names, rng, "edited sentences")
    return edited


def true_claim_edits(pairs: list[Pair], count: int, rng: np.random.Generator) -> list[Pair]:
    """Claims that people found attributable, with one detail changed."""
    true = [pair for pair in pairs if pair.entailed and pair.split != "test"]
    names = sorted({name for pair in true for name in _NAME.findall(pair.premise)})
    edited = []
    for index in rng.permutation(len(true)):
        pair = true[index]
        edit = wrong(pair.hypothesis, pair.premise, names, rng)
        if edit is not None and len(edited) < count:
            edited.append(
                replace(pair, hypothesis=edit.text, entailed=0, source="edited claims", wrong=(edit.start, edit.end))
            )
    return edited


def _twins(
    document: Pair, premise: str, said: str, names: list[str], rng: np.random.Generator, source: str
) -> list[Pair]:
    if len(premise.split()) > 70:
        return []
    edit = wrong(said, premise, names, rng)
    if edit is None or edit.text.lower() in premise.lower():
        return []
    true = Pair(premise, said, 1, source, document.group, document.split, (0, 0))
    false = Pair(premise, edit.text, 0, source, document.group, document.split, (edit.start, edit.end))
    return [true, false]


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
