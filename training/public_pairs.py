"""The converted public sets of `nli/pairs/train`, as pairs that a sentence of an answer and its evidence would make.

Long documents are cut to the sentences that a score would compare the hypothesis with; a hypothesis of several
sentences whose twin differs in one of them is cut to that one. Whatever shares a document with a set kept for
measuring is left out, and so is a tenth of the groups of each set, which `make quality` reads.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cache
from math import fsum
from pathlib import Path

import numpy as np

from hcat.core.models.nli.premises import best_window
from hcat.core.text import sentences, tokens
from training.pair_sets import LabelledClaim, read_claims
from training.sources import HELD_OUT, Pair, counterfactual_pairs, document_key, grounded_pairs, held_out, share

SHORT = {
    1: {
        "snli": 8000,
        "bmnli": 9000,
        "breaking": 2500,
        "conjnli": 5000,
        "monotonicity": 3000,
        "hans": 2000,
        "paws": 3500,
    },
    2: {
        "snli": 9000,
        "bmnli": 10000,
        "breaking": 1000,
        "conjnli": 3000,
        "monotonicity": 1500,
        "hans": 1000,
        "paws": 4000,
    },
    3: {
        "snli": 3000,
        "bmnli": 5000,
        "breaking": 500,
        "conjnli": 1500,
        "monotonicity": 1000,
        "hans": 500,
        "paws": 1500,
    },
}
"""Pairs of general inference: how many of each set each reading draws."""

_CLAIMS = {
    "bump": 1746,
    "cg2c_doc": 2068,
    "defacto": 4329,
    "xsumfaith": 1500,
    "factcheck_bench": 3297,
    "contractnli": 1207,
    "feverous": 2962,
    "fm2": 2544,
    "fever_symmetric": 1386,
    "fever_bin": 6000,
    "evidence_inference": 4000,
    "tabfact": 2400,
    "infotabs": 3000,
}
LONG = {
    1: _CLAIMS,
    2: {**_CLAIMS, "fever_bin": 12001, "tabfact": 3200, "evidence_inference": 5967},
    3: {**_CLAIMS, "fever_bin": 3000, "tabfact": 1600, "infotabs": 1500, "evidence_inference": 2000},
}
"""Claims about documents and tables, small edits and partial support among them, read after the general ones."""

PROSE = ("bump", "cg2c_doc", "defacto", "xsumfaith", "contractnli", "factcheck_bench", "feverous", "fm2")
"""Sets whose documents are written in sentences."""

CALIBRATED = 0.87
"""Groups whose hash lies from here to `HELD_OUT` are not trained on: they calibrate."""

WORDS = 95
"""Words of a premise cut from a long document."""

_ALIKE = 0.6
"""Two hypotheses about a document are twins where this share of their words is the same."""


read_set = cache(read_claims)


def public_pairs(data: Path, counts: dict[str, int], cut: Cutting, *, split: str = "train") -> list[list[Pair]]:
    """Pairs of a split, in lists: twins (one supported, one not, about the same document) together, others alone."""
    lists: list[list[Pair]] = []
    rng = cut.rng
    for name, rows in _read(data, split).items():
        count = counts.get(name, 0)
        drawn = [rows[index] for index in sorted(rng.permutation(len(rows))[:count])] if name in SHORT else rows
        together = list(_twinned(drawn))
        total = 0
        for index in rng.permutation(len(together)):
            if total >= count:
                break
            lists.append([_pair(name, row, wrong, cut, split) for row, wrong in together[index]])
            total += len(together[index])
    return lists


def long_documents(data: Path, rng: np.random.Generator, *, each: int = 250) -> list[Pair]:
    """Documents of the training splits, from every set of claims, that sentences may be taken of."""
    documents: list[Pair] = [pair for pair in grounded_pairs(data) if pair.split == "train"]
    documents = [documents[index] for index in rng.permutation(len(documents))[: 2 * each]]
    for name, rows in _read(data, "train").items():
        texts = sorted({row.document for row in rows if len(row.document.split()) >= 40})
        if name in PROSE:
            chosen = [texts[index] for index in rng.permutation(len(texts))[:each]]
            documents += [Pair(text, "", 1, name, document_key(text), "train") for text in chosen]
    return documents


def _read(data: Path, split: str) -> dict[str, list[LabelledClaim]]:
    """The rows of each set that belong to a split by the hash of their group: "train" or "dev"."""
    low, high = {"train": (0.0, CALIBRATED), "dev": (CALIBRATED, HELD_OUT)}[split]
    measured = measured_documents(data)
    return {
        name: [
            row
            for row in read_set(data / "nli" / "pairs" / "train" / f"{name}.jsonl.xz")
            if low <= share(name, row.group) < high and document_key(row.document) not in measured
        ]
        for name in (*SHORT[1], *_CLAIMS)
    }


@cache
def measured_documents(data: Path) -> frozenset[str]:
    """Keys of the documents of every set that is kept for measuring."""
    keys = {
        document_key(row.document)
        for file in sorted((data / "nli" / "pairs" / "dev").glob("*.xz"))
        for row in read_set(file)
    }
    keys |= {
        document_key(row.document)
        for name in _CLAIMS
        for row in read_set(data / "nli" / "pairs" / "train" / f"{name}.jsonl.xz")
        if held_out(name, row.group)
    }
    keys |= {pair.group for pair in grounded_pairs(data) if pair.split == "test"}
    keys |= {document_key(pair.premise) for pair in counterfactual_pairs(data) if pair.split != "train"}
    return frozenset(keys)


def _twinned(rows: list[LabelledClaim]) -> Iterator[list[tuple[LabelledClaim, tuple[int, int] | None]]]:
    """Each row once, with the characters that make it wrong where its twin tells; twins in one list."""
    by_document: dict[str, list[LabelledClaim]] = defaultdict(list)
    for row in rows:
        by_document[row.document].append(row)
    for members in by_document.values():
        true = [row for row in members if row.supported]
        false = [row for row in members if not row.supported]
        for row in list(true):
            words = tokens(row.text)
            ratios = [SequenceMatcher(None, words, tokens(other.text)).ratio() for other in false]
            if ratios and max(ratios) >= _ALIKE:
                other = false.pop(int(np.argmax(ratios)))
                true.remove(row)
                yield _cut(row, other)
        for row in true + false:
            yield [(row, None)]


def _cut(true: LabelledClaim, false: LabelledClaim) -> list[tuple[LabelledClaim, tuple[int, int] | None]]:
    """The sentences in which two twins differ, and the characters of the wrong one that differ."""
    right, wrong = ([s.text for s in sentences(row.text)] for row in (true, false))
    if len(right) == len(wrong) > 1:
        differing = [index for index, (a, b) in enumerate(zip(right, wrong, strict=True)) if a != b]
        if len(differing) == 1:
            true = replace(true, text=right[differing[0]])
            false = replace(false, text=wrong[differing[0]])
    return [(true, (0, 0)), (false, _changed(true.text, false.text))]


def _changed(right: str, wrong: str) -> tuple[int, int] | None:
    words = [(match.group(), match.span()) for match in re.finditer(r"\w+|[^\w\s]", wrong)]
    before = re.findall(r"\w+|[^\w\s]", right)
    blocks = SequenceMatcher(None, before, [word for word, _ in words], autojunk=False).get_opcodes()
    spans = [words[index][1] for tag, _, _, j1, j2 in blocks if tag != "equal" for index in range(j1, j2)]
    if not spans or spans[-1][1] - spans[0][0] > 0.5 * len(wrong):
        return None
    return spans[0][0], spans[-1][1]


def _pair(name: str, row: LabelledClaim, wrong: tuple[int, int] | None, cut: Cutting, split: str) -> Pair:
    premise = cut(row.document, row.text)
    return Pair(premise, row.text, int(row.supported), name, document_key(row.document), split, wrong)


@dataclass(frozen=True)
class Cutting:
    """How a long document is cut for a hypothesis: by `evidence`, and in a share of cases as the product reads it."""

    rng: np.random.Generator
    product: float

    def __call__(self, document: str, hypothesis: str) -> str:
        if self.product and document.count(" ; ") <= 3 and self.rng.random() < self.product:
            window = best_window([" ".join(s.text.split()) for s in sentences(document)], hypothesis)
            return window.text or document
        return evidence(document, hypothesis, self.rng)


def evidence(document: str, hypothesis: str, rng: np.random.Generator, *, words: int = WORDS) -> str:
    """What a score would read of a long document: the sentences that cover the hypothesis's words, or at times, where
    it covers nearly as much, the passage around the best of them. Rare words count more."""
    if document.count(" ; ") > 3:
        return _table(document.split(" ; "), hypothesis, words)
    parts = [" ".join(s.text.split()) for s in sentences(document)]
    lengths = [len(part.split()) for part in parts]
    if sum(lengths) <= words or len(parts) < 2:
        return " ".join(document.split()[: 2 * words])
    bags, weight = _weights(parts, hypothesis)
    joined = _cover(bags, lengths, weight, words)
    first = last = joined[0]
    while True:
        after = last + 1 < len(parts) and sum(lengths[first : last + 2]) <= words
        before = first > 0 and sum(lengths[first - 1 : last + 1]) <= words
        if not after and not before:
            break
        if after and (not before or rng.random() < 0.5):
            last += 1
        else:
            first -= 1
    passage = list(range(first, last + 1))
    whole, part = (fsum(weight[word] for word in _shared(weight, bags, places)) for places in (joined, passage))
    chosen = passage if part >= 0.9 * whole and rng.random() < 0.5 else sorted(joined)
    return " ".join(parts[index] for index in chosen)


def _table(rows: list[str], hypothesis: str, words: int) -> str:
    """The head of a table, and those of its rows that cover the hypothesis's words."""
    bags, weight = _weights(rows[1:], hypothesis)
    chosen = _cover(bags, [len(row.split()) for row in rows[1:]], weight, words - len(rows[0].split()))
    return " ; ".join([rows[0], *(rows[1 + index] for index in sorted(chosen))])


def _weights(parts: list[str], hypothesis: str) -> tuple[list[set[str]], dict[str, float]]:
    """The words of each part, and how much each word of the hypothesis counts: rare ones more."""
    bags = [set(tokens(part)) for part in parts]
    return bags, {word: 1 / (1 + sum(word in bag for bag in bags)) for word in set(tokens(hypothesis))}


def _shared(weight: dict[str, float], bags: list[set[str]], places: list[int]) -> set[str]:
    """Words of the hypothesis that these parts hold."""
    return weight.keys() & set().union(*(bags[place] for place in places))


def _cover(bags: list[set[str]], lengths: list[int], weight: dict[str, float], words: int) -> list[int]:
    """Sentences in the order in which they add most new words of the hypothesis for their length."""
    chosen: list[int] = []
    covered: set[str] = set()
    while len(chosen) < len(bags):
        room = words - sum(lengths[index] for index in chosen)
        gains = [
            -1.0
            if index in chosen or (chosen and lengths[index] > room)
            else fsum(weight[word] * (0.1 if word in covered else 1.0) for word in weight.keys() & bags[index])
            / (8 + lengths[index]) ** 0.5
            for index in range(len(bags))
        ]
        best = int(np.argmax(gains))
        if gains[best] <= 0 and chosen:
            break
        chosen.append(best)
        covered |= weight.keys() & bags[best]
    return chosen
