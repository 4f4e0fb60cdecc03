"""A pattern that is tried only where one of its signs is finds what it found without them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from benchmarks.telling import without_signs
from hcat.core.refusals import declining, detection, other_languages
from hcat.core.refusals.detection import answering
from hcat.core.refusals.signs import SignedPattern

PATTERNS = {"English": declining.DECLINES, "other languages": other_languages.DECLINES}
DEMO = Path("data/demo")


@pytest.mark.parametrize("language", PATTERNS)
def test_whatever_a_pattern_matches_has_a_sign(language: str) -> None:
    signed = PATTERNS[language]

    @settings(
        max_examples=300,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        derandomize=True,
        phases=[Phase.generate],
    )
    @given(st.from_regex(signed.pattern.compiled))
    def has_one(text: str) -> None:
        assert signed.signs.search(text)

    has_one()


def sentences_of_its_words(signed: SignedPattern, n: int) -> Iterator[str]:
    """Made of the words that stand in the pattern, so that many are near to what it matches."""
    words = sorted({*re.findall(r"[^\W\d_]{2,}", signed.pattern.pattern), "i", "n't", "'d", "a", ",", "."})
    rng = random.Random(1)
    for _ in range(n):
        yield re.sub(r" (n't|'d|[,.])", r"\1", " ".join(rng.choices(words, k=rng.randint(3, 14))))


@pytest.mark.parametrize("language", PATTERNS)
def test_sentences_of_its_words_are_found_as_without_signs(language: str) -> None:
    signed = PATTERNS[language]
    found = 0
    for text in sentences_of_its_words(signed, 8_000):
        matches = [match.span() for match in signed.pattern.finditer(text)]
        assert [match.span() for match in signed.finditer(text)] == matches
        assert (signed.search(text) is None) == (not matches)
        found += bool(matches)
    assert found > 80


def test_texts_answer_as_without_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [line for file in sorted(DEMO.rglob("*.md")) for line in file.read_text("utf-8").splitlines()]
    made = [text for signed in PATTERNS.values() for text in sentences_of_its_words(signed, 1_500)]
    tested = [text for file in Path("tests/core/refusals").glob("*.py") for text in strings_in(file)]
    texts = [*lines, *made, *tested]
    now = [answering.__wrapped__(text) for text in texts]
    monkeypatch.setattr(detection, "DECLINES", without_signs(declining.DECLINES))
    monkeypatch.setattr(other_languages, "DECLINES", without_signs(other_languages.DECLINES))
    assert now == [answering.__wrapped__(text) for text in texts]
    assert len(texts) > 3_000 and {"refused", "answered"} <= {each.kind for each in now}


def strings_in(file: Path) -> list[str]:
    """The answers that other tests know to decline or not."""
    return re.findall(r'"([^"\n]{10,})"', file.read_text("utf-8"))
