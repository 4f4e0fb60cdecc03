"""As many right answers "yes" as "no", nearly: else a system that always says the same would look good."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hcat.core.testgen.selection.support import polarity
from hcat.core.testgen.test_case import TestCase

MOST_TIMES_THE_OTHER = 1.5
"""The more frequent answer may occur so many times as often as the other: 60 of 100, rounded up."""


def surplus(cases: Sequence[TestCase], *, existing: Sequence[TestCase] = ()) -> dict[int, str]:
    """Position → the answer that there are too many of, for the last of the yes/no cases that go beyond the balance."""
    counts = {answer: _count(existing, answer) + _count(cases, answer) for answer in ("yes", "no")}
    frequent, rare = ("yes", "no") if counts["yes"] >= counts["no"] else ("no", "yes")
    limit = max(1, math.ceil(MOST_TIMES_THE_OTHER * counts[rare]))
    beyond = max(0, counts[frequent] - limit)
    positions = [position for position, case in enumerate(cases) if _answer(case) == frequent]
    return dict.fromkeys(positions[len(positions) - min(beyond, len(positions)) :], frequent)


def _count(cases: Sequence[TestCase], answer: str) -> int:
    return sum(_answer(case) == answer for case in cases)


def _answer(case: TestCase) -> str | None:
    return polarity(case.reference) if case.type == "yes/no" else None
