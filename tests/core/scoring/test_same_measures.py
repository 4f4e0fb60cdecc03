"""Languages and bare texts are told as they were before they were told faster."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

from benchmarks.telling import kind_as_before, language_as_before
from hcat.core.language import FUNCTION_WORDS, language_of
from hcat.core.scoring.bare_texts import DATE, FEW_WORDS, NUMBER, VERBS, bare_kind

AMOUNTS = ("5", "EUR 12.50", "3 million", "12%", "5 May 2024", "the third quarter of 2023", "two thirds", "7 won")
OTHERS = ("Anna", "annual fee", "hundred", "and", "of the bank", "to", "Bad Homburg", "reported", "’s", "not yet")


def made_texts() -> list[str]:
    rng = random.Random(1)
    verbs = [*sorted(VERBS), *(verb.capitalize() for verb in sorted(VERBS))]
    beside = [f"{a} {verb} {b}" for verb, a, b in itertools.product(verbs, AMOUNTS[:5], AMOUNTS[2:6])]
    joined = [f"{a}{sign}{verb}" for verb, a, sign in itertools.product(verbs, AMOUNTS, ("", "-", "'", "’", "_"))]
    parts = [*AMOUNTS, *OTHERS, *verbs]
    mixed = [" ".join(rng.choices(parts, k=rng.randint(1, 6))) for _ in range(3_000)]
    return [*beside, *joined, *mixed, "", " ", "ıs 5", "İs 5"]


def test_bare_texts_are_told_as_before() -> None:
    texts = [*made_texts(), *demo_lines()]
    assert [bare_kind.__wrapped__(text) for text in texts] == [kind_as_before(text) for text in texts]
    assert {bare_kind(text) for text in texts} == {None, NUMBER, DATE, FEW_WORDS}


def test_languages_are_told_as_before() -> None:
    rng = random.Random(2)
    words = [word for own in FUNCTION_WORDS.values() for word in sorted(own)]
    others = ["Bank", "Gebühr", "手续费", "ひらがな", "коммісія", "12", "été", "ß", "İ", "한국어"]
    mixed = [" ".join(rng.choices([*words, *others], k=rng.randint(1, 12))) for _ in range(5_000)]
    alone = [" ".join(rng.choices(sorted(own), k=4)) for own in FUNCTION_WORDS.values() for _ in range(100)]
    texts = [*mixed, *alone, *others, *made_texts(), *demo_lines()]
    told = [language_of.__wrapped__(text) for text in texts]
    assert told == [language_as_before(text) for text in texts]
    assert {*FUNCTION_WORDS, "Chinese", "Japanese", None} <= set(told)


def demo_lines() -> list[str]:
    return [line for file in sorted(Path("data/demo").rglob("*.md")) for line in file.read_text("utf-8").splitlines()]
