from __future__ import annotations

import math

import pytest

from hcat.core.capabilities.trials.answer_diversity import answer_diversity
from hcat.core.errors import HcatError


def test_scatter_by_hand() -> None:
    # a: x x y z → shares 1/2, 1/4, 1/4, entropy 0.5 · 1 + 2 · 0.25 · 2 = 1.5 bits of at most log2 4 = 2.
    made = answer_diversity(list("xxyz") + list("pp") + ["q"], list("aaaa") + list("bb") + ["c"])
    a, b, c = made.cases
    assert (a.trials, a.kinds, a.largest, a.entropy, a.evenness) == (4, 3, 0.5, 1.5, 0.75)
    assert (b.kinds, b.largest, b.entropy, b.evenness) == (1, 1.0, 0.0, 0.0)
    assert (c.trials, math.isnan(c.evenness)) == (1, True)
    # A single trial can't scatter: means are over a and b.
    assert (made.entropy.value, made.entropy.n) == (0.75, 2)


def test_ten_answers_of_ten_percent() -> None:
    # PROB 1: ten different answers in 100 trials, each 10 %: log2 10 = 3.32 bits.
    made = answer_diversity([str(i % 10) for i in range(100)], ["q"] * 100)
    assert made.cases[0].entropy == pytest.approx(math.log2(10))
    assert made.cases[0].largest == pytest.approx(0.1)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(HcatError):
        answer_diversity(["x"], ["a", "b"])


def test_intervals_of_scatter_stay_in_their_ranges() -> None:
    """Three test cases whose two trials agree, and one whose do not: t alone would reach from −0.55 to 1.05 bits."""
    made = answer_diversity(list("11121111"), list("aabbccdd"))
    # Entropies of 0, 0, 0 and 1 bit are two values: Wilson's upper bound of 1 in 4, and −ln(0.95) / 4 below.
    assert (made.entropy.value, made.entropy.low, made.entropy.high) == pytest.approx((0.25, 0.0128, 0.6994), abs=1e-4)
    assert made.largest.value == 0.875 and made.largest.high < 1
    assert (made.evenness.low, made.evenness.high) == pytest.approx((0.0128, 0.6994), abs=1e-4)
    # All alike is no certainty: Wilson of 4 of 4 begins at 4 / (4 + 1.96²) = 0.5101.
    assert answer_diversity(list("11111111"), list("aabbccdd")).largest.low == pytest.approx(0.5101, abs=1e-4)
