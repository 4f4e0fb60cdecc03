"""Variants that keep the meaning never touch a number, a negation, a name or a unit (A-9)."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from hcat.core.capabilities.robustness.variants.perturb import perturb
from hcat.core.capabilities.robustness.variants.registry import FAMILIES
from hcat.core.records.test_case import TestCase
from hcat.core.settings import ROOT
from tests.core.capabilities.robustness.variants.protected_words import touched

KEEPING = [family for family in FAMILIES.values() if family.keeps_meaning and not family.by_model]
DATA = Path(ROOT).parent / "shared" / "data" / "financebench" / "gpt-4_oracle.jsonl"


def queries(path: Path) -> list[str]:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return list(dict.fromkeys(row["query"] for row in rows))


def wrongly_changed(texts: list[str], strengths: tuple[float, ...]) -> tuple[int, list[str]]:
    """How many variants were made, and those that lost what they must keep."""
    cases = [TestCase(f"q{number}", text) for number, text in enumerate(texts)]
    of = {case.id: case.query for case in cases}
    made = perturb(cases, KEEPING, strengths, seed=7).variants
    pairs = [(of[case.variant.of], case) for case in made if case.variant is not None]
    wrong = [f"{case.id}: {reason}: {case.query}" for query, case in pairs if (reason := touched(query, case.query))]
    return len(pairs), wrong


def test_the_check_itself_sees_what_is_lost() -> None:
    query = "Is the fee for the Classic account not EUR 4.50 for two months?"
    assert touched(query, query) is None
    for lost in ("4.05", "4.5"):
        assert touched(query, query.replace("4.50", lost))
    for word, other in (("not ", ""), ("Classic", "classic"), ("EUR", "USD"), ("two", "tow"), ("months", "mnoths")):
        assert touched(query, query.replace(word, other))


def test_demo_queries() -> None:
    made, wrong = wrongly_changed(queries(ROOT / "data" / "demo" / "tests.jsonl")[::4], (0.4,))
    assert made > 400
    assert wrong == []


@pytest.mark.slow(larger_than="test_demo_queries")
@pytest.mark.realdata
@pytest.mark.skipif(not DATA.is_file(), reason="the public data sets are not beside the repository")
def test_none_of_5000() -> None:
    """A quarter of them, and all in `make simulate`."""
    every = 1 if "HCAT_DRAWS" in os.environ else 4
    texts = (queries(ROOT / "data" / "demo" / "tests.jsonl") + queries(DATA))[::every]
    made, wrong = wrongly_changed(texts, (0.2, 0.4, 0.7, 1.0))
    print(f"variants that keep the meaning: {made}; wrongly changed: {len(wrong)}")
    assert made >= 5000 // every
    assert wrong == []
