"""AC1, prevalence and agreement on either side against published tables."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hcat.core.arrays import Floats
from hcat.core.capabilities.agreement.kappa import cohen_kappa
from hcat.core.capabilities.agreement.prevalence import gwet_ac1, minority_labels, pass_prevalence, specific_agreement
from hcat.core.capabilities.agreement.ratings import Ratings
from hcat.core.capabilities.agreement.summary import AC1, ALPHA, KAPPA, RAW, Agreement, agreement
from hcat.core.capabilities.agreement.wording import coefficient_text
from hcat.core.types import Criterion

N = math.nan
GWET_TABLE = [1] * 118 + [1] * 5 + [0] * 2, [1] * 118 + [0] * 5 + [1] * 2
"""Gwet 2002, Kappa statistic is not satisfactory, table 1: 118 both positive, 5 and 2 that differ."""
FOUR_RATERS = [
    [0, 0, N, 0],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [2, 2, 2, 2],
    [1, 1, 1, 1],
    [0, 1, 2, 3],
    [3, 3, 3, 3],
    [0, 0, 1, 0],
    [1, 1, 1, 1],
    [N, 4, 4, 4],
    [N, N, 0, 0],
    [N, N, 2, N],
]
"""Gwet, Handbook of Inter-Rater Reliability, table 2.9: 12 subjects, 4 raters, 5 categories."""


def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def levels(first: list[int], second: list[int]) -> Floats:
    return np.array([first, second], dtype=float).T


def test_ac1_of_the_published_table_of_two() -> None:
    # Share of positives (123/125 + 120/125) / 2 = .972; chance 2 · .972 · .028 = .054432; (.944 − .054432) / .945568.
    made = gwet_ac1(levels(*GWET_TABLE), rng=rng(), n_levels=2)
    assert made.value == pytest.approx(0.9408, abs=1e-4)
    assert cohen_kappa(*GWET_TABLE, rng=rng()).value == pytest.approx(-0.0234, abs=1e-4)
    # The standard error by Gwet's equation 32 is .0216.
    assert made.low == pytest.approx(0.9408 - 1.96 * 0.0216, abs=0.02)
    assert made.low < made.value < made.high < 1


def test_ac1_of_four_raters_with_missing_labels() -> None:
    # The handbook prints 0.77544, from an agreement of 0.81818 and a chance of 0.19032.
    assert gwet_ac1(np.array(FOUR_RATERS), rng=rng(), n_levels=5).value == pytest.approx(0.77544, abs=1e-5)


def test_agreement_on_either_side_by_hand() -> None:
    # 94 both pass, 3 and 3 differ: 188 / 194 on pass, 0 / 6 on fail, 97 of 100 pass.
    table = levels([1] * 97 + [0] * 3, [1] * 94 + [0] * 3 + [1] * 3)
    sides = {side: specific_agreement(table, side=side, rng=rng(), n_levels=2, passing=1) for side in ("pass", "fail")}
    assert sides["pass"].value == pytest.approx(188 / 194)
    assert (sides["fail"].value, sides["fail"].low) == (0, 0)
    assert sides["fail"].high > 0.1
    assert pass_prevalence(table, rng=rng(), n_levels=2, passing=1).value == pytest.approx(0.97)
    assert minority_labels(table, n_levels=2) == pytest.approx(3)


def test_nothing_is_shown_to_be_below_chance_by_six_disagreements() -> None:
    found = _agreement([1] * 97 + [0] * 3, [1] * 94 + [0] * 3 + [1] * 3)
    for name in (KAPPA, ALPHA):
        made = found.coefficients[name]
        assert made.value < 0 < 0.2 < made.high, name


def test_few_labels_of_the_rarer_side_leave_kappa_out_but_not_ac1() -> None:
    found = _agreement([1] * 29 + [0], [1] * 30)
    assert found.enough and found.minority == pytest.approx(0.5)
    assert found.insufficient == (KAPPA, ALPHA)
    assert coefficient_text(found, KAPPA) == "insufficient evidence, n = 30"
    assert found.suffices_for(AC1) and found.suffices_for(RAW)


def _agreement(first: list[int], second: list[int]) -> Agreement:
    table = Ratings(tuple(map(str, range(len(first)))), ("a", "b"), levels(first, second))
    return agreement(table, criterion=Criterion("c"), rng=rng())
