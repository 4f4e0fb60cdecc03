"""Levels of looks: known heights of the boundary, and a random walk that hardly ever crosses it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtri

from core.statistics.looks import NARROWEST, watched_level


def test_the_boundary_is_that_of_the_confidence_sequence_and_lowest_where_it_says() -> None:
    # Equation 2.6 of Waudby-Smith et al. 2024 with α = .05 and ρ² for 100 labels: times = 7.94 at n = 100, and
    # sqrt(2 · 8.94 / 7.94 · log(sqrt(8.94) / .05)) = 3.035.
    assert -float(ndtri(watched_level(NARROWEST, 0.025))) == pytest.approx(3.035, abs=5e-4)
    levels = [watched_level(n, 0.025) for n in (20, 60, 90, 100, 110, 200, 10_000)]
    assert max(levels) == levels[3] and levels == sorted(levels[:4]) + sorted(levels[4:], reverse=True)


def test_a_random_walk_crosses_it_no_more_often_than_stated() -> None:
    rng, steps, walks = np.random.default_rng(1), 2_000, 2_000
    heights = -ndtri([watched_level(n, 0.025) for n in range(1, steps + 1)])
    crossed = 0
    for _ in range(4):
        walk = np.cumsum(rng.standard_normal((walks // 4, steps)), axis=1) / np.sqrt(np.arange(1, steps + 1))
        crossed += int((walk > heights).any(axis=1).sum())
    assert 0.005 < crossed / walks < 0.025 + 3 * (0.025 * 0.975 / walks) ** 0.5
