"""Misspellings are those that people make (A-9), and never another word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from hcat.core.capabilities.robustness.variants.family import Origin
from hcat.core.capabilities.robustness.variants.sentence import Sentence, lexicon
from hcat.core.capabilities.robustness.variants.spelling import KINDS, SPELLING, are_adjacent, misspell, slip_kind
from hcat.core.records.test_case import TestCase
from hcat.core.settings import ROOT

CODESPELL = Path(ROOT).parent / "shared" / "data" / "robustness" / "codespell_dictionary.txt"
VOWELS = "aeiou"
WORDS = [
    *("account", "statement", "payment", "customer", "instalment", "withdraw", "insurance", "transfer", "deposit"),
    *("interest", "beginning", "government", "mortgage", "business", "separate", "receive", "information", "different"),
    *("management", "necessary", "available", "address"),
]


@dataclass(frozen=True)
class SlipShares:
    """How slips are shared out: by kind, by place, and what is written for what."""

    kinds: dict[str, float]
    first: float
    last: float
    adjacent: float
    vowels: float
    doubled: float


def slip_shares(pairs: Iterable[tuple[str, str]]) -> SlipShares:
    """The statistics of (word, slip) pairs, measured from where their common beginning and end stop."""
    kinds: Counter[str] = Counter()
    first = last = adjacent = vowels = doubled = 0
    for word, slip in pairs:
        kind = slip_kind(word, slip)
        kinds[kind] += 1
        start = next((i for i, (a, b) in enumerate(zip(word, slip, strict=False)) if a != b), min(len(word), len(slip)))
        end = 0
        while end < min(len(word), len(slip)) - start and word[-1 - end] == slip[-1 - end]:
            end += 1
        first, last = first + (start == 0), last + (end == 0)
        if kind == "substitute":
            old, new = word[start], slip[start]
            both_known = old.isalpha() and new.isalpha() and old.isascii() and new.isascii()
            beside = both_known and are_adjacent(old, new)
            adjacent += beside
            vowels += not beside and old in VOWELS and new in VOWELS
        if kind == "insert":
            doubled += slip[start] in slip[max(start - 1, 0) : start] + slip[start + 1 : start + 2]
    n = kinds.total()
    return SlipShares(
        {kind: kinds[kind] / n for kind in KINDS},
        first / n,
        last / n,
        adjacent / kinds["substitute"],
        vowels / kinds["substitute"],
        doubled / kinds["insert"],
    )


def generated(words: list[str], n: int) -> Iterator[tuple[str, str]]:
    rng = np.random.default_rng(3)
    for word in rng.choice(words, n):
        slip = misspell(str(word), rng, known=lexicon())
        if slip is not None:
            yield str(word), slip


@pytest.mark.parametrize(
    ("word", "slip", "kind"),
    [
        ("account", "acount", "delete"),
        ("account", "acccount", "insert"),
        ("account", "eccount", "substitute"),
        ("account", "accuont", "transpose"),
        ("account", "acuont", "several"),
    ],
)
def test_kinds(word: str, slip: str, kind: str) -> None:
    assert slip_kind(word, slip) == kind


def test_slips_are_shared_out_as_peoples_are() -> None:
    shares = slip_shares(generated(WORDS, 6000))
    people = {"delete": 0.291, "insert": 0.223, "substitute": 0.166, "transpose": 0.144, "several": 0.176}
    assert sum(abs(shares.kinds[kind] - people[kind]) for kind in KINDS) / 2 <= 0.05
    assert shares.first <= 0.04
    assert shares.adjacent == pytest.approx(0.31, abs=0.05)
    assert shares.vowels == pytest.approx(0.39, abs=0.06)
    assert shares.doubled == pytest.approx(0.315, abs=0.06)


def test_a_slip_is_no_other_word_and_keeps_its_capital() -> None:
    slips = [slip for _, slip in generated(WORDS, 500)]
    assert not set(slips) & lexicon()
    rng = np.random.default_rng(0)
    assert all((misspell("Account", rng) or "A")[0].isupper() for _ in range(50))


def test_strength_is_the_share_of_words() -> None:
    query = Sentence("please explain which documents people bring when opening another account")
    origin = Origin(TestCase("a", query.text), query)
    for strength, changed in ((0.1, 1), (0.5, 5), (1.0, 10)):  # 10 words of four letters or more
        change = SPELLING.make(origin, strength, np.random.default_rng(1))
        assert change is not None
        pairs = zip(query.text.split(), change.query.split(), strict=True)
        assert sum(old != new for old, new in pairs) == changed


def test_nothing_to_misspell() -> None:
    query = Sentence("EUR 500 at Northwind?")
    assert SPELLING.make(Origin(TestCase("a", query.text), query), 1.0, np.random.default_rng(1)) is None


@pytest.mark.realdata
@pytest.mark.skipif(not CODESPELL.is_file(), reason="the public data sets are not beside the repository")
def test_against_the_published_list() -> None:
    pairs = []
    for line in CODESPELL.read_text("utf-8").splitlines():
        slip, _, words = line.strip().partition("->")
        word = words.split(",")[0].strip()
        if word and " " not in word + slip:
            pairs.append((word.lower(), slip.lower()))
    people = slip_shares(pairs)
    own = slip_shares(
        generated([word for word, _ in pairs if word.isascii() and word.isalpha() and len(word) > 3], 20_000)
    )
    distance = sum(abs(people.kinds[kind] - own.kinds[kind]) for kind in KINDS) / 2
    print(f"{len(pairs)} pairs; total variation {distance:.4f}; people {people}; own {own}")
    assert distance <= 0.05
    assert own.first <= 0.04
    assert own.adjacent == pytest.approx(0.31, abs=0.05)
    assert own.vowels == pytest.approx(people.vowels, abs=0.05)
    assert own.doubled == pytest.approx(people.doubled, abs=0.05)
