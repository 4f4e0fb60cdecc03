"""Boschloo's test against scipy's, and where it must be plain."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import boschloo_exact, fisher_exact

from core.statistics import boschloo
from core.statistics.boschloo import boschloo_p


def test_it_is_that_of_scipy() -> None:
    rng = np.random.default_rng(1)
    for _ in range(25):
        n, other_n = rng.integers(2, 40, 2).tolist()
        hits, other_hits = int(rng.integers(0, n + 1)), int(rng.integers(0, other_n + 1))
        table = [[hits, other_hits], [n - hits, other_n - other_hits]]
        assert boschloo_p(hits, n, other_hits, other_n) == pytest.approx(
            boschloo_exact(table, alternative="less", n=256).pvalue, abs=1e-6
        )


def test_all_against_none_is_largest_at_one_half() -> None:
    assert boschloo_p(0, 4, 4, 4) == pytest.approx(2**-8)


def test_nothing_is_said_of_an_empty_side_and_many_go_by_fisher(monkeypatch: pytest.MonkeyPatch) -> None:
    assert boschloo_p(0, 0, 1, 3) == 1.0
    monkeypatch.setattr(boschloo, "LARGEST", 10)
    expected = fisher_exact([[3, 6], [6, 3]], alternative="less").pvalue
    assert boschloo_p(3, 9, 6, 9) == pytest.approx(expected)
