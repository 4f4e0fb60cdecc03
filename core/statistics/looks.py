"""Levels of sequential tests, which are repeated while labels come in."""

from __future__ import annotations

import math

NARROWEST = 100
"""The number of labels at which the boundary of a sequential test is lowest."""


def watched_level(n: int, error: float) -> float:
    """The one-sided level of a test at n labels in sequential monitoring: its total error over all n is at most
    `error`.

    The normal tail beyond Robbins' normal mixture boundary, which a random walk without drift ever crosses from below
    with a probability of at most `error`. It is lowest at `NARROWEST` labels and grows with log n. For exact tests the
    total error is not proved but simulated (tests/simulation/test_fitness_error_rates.py): discrete p-values only make
    it smaller. Source: Robbins 1970, Statistical methods related to the law of the iterated logarithm; Waudby-Smith,
    Arbour, Sinha, Kennedy & Ramdas 2024, Time-uniform central limit theory and asymptotic confidence sequences,
    equation 2.6 (width) and appendix B.2 (where it is narrowest)."""
    from scipy.special import ndtr

    alpha = 2 * error
    narrowest = -2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))
    times = max(n, 1) / NARROWEST * narrowest
    height = math.sqrt(2 * (times + 1) / times * math.log(math.sqrt(times + 1) / alpha))
    return float(ndtr(-height))
