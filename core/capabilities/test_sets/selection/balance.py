"""Balance of right answers "yes" and "no", since otherwise a system that always gives the same answer would look
good."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hcat.core.capabilities.test_sets.selection.support import polarity
from hcat.core.records.test_case import TestCase

MOST_TIMES_THE_OTHER = 1.5
"""Maximum ratio of the more frequent answer to the other: 60 of 100, rounded up."""


def surplus(cases: Sequence[TestCase], *, existing: Sequence[TestCase] = ()) -> dict[int, str]:
    """Position → the answer of which there are too many, for the last yes/no cases beyond the balance."""
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
