"""Drift alarms looked at after every window: how often they are false, and how soon they come."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from hcat.core.arrays import Bools, Codes
from hcat.core.capabilities.policy.drift import Outcomes, drift
from tests.draws import fewer

DRAWS = 100


def alarms(rng: np.random.Generator, rates: list[float], *, least: float, most: float, kind: str = "plain") -> float:
    """The share of draws with an alarm at any of the windows, of 20 outcomes each."""
    raised = 0
    for _ in range(DRAWS):
        windows = []
        for number, rate in enumerate(rates):
            if kind == "clustered":
                outcomes = Outcomes(np.repeat(rng.random(7) < rate, 3), None, np.repeat(np.arange(7), 3))
            elif kind == "weighted":
                heavy = rng.random(40) < 0.5  # two weights
                drawn = rng.random(40) < np.where(heavy, 0.2, 0.8)
                outcomes = Outcomes((rng.random(40) < rate)[drawn], np.where(heavy, 5.0, 1.25)[drawn])
            else:
                outcomes = Outcomes(rng.random(20) < rate)
            windows.append((f"week {number}", outcomes))
        raised += drift("error", windows, least=least, most=most).alarm is not None
    return raised / DRAWS


@pytest.mark.parametrize("kind", ["plain", "clustered", "weighted"])
def test_false_alarms_over_12_looks_stay_below_alpha(kind: str) -> None:
    assert alarms(np.random.default_rng(1), [0.1] * 12, least=0, most=0.1, kind=kind) <= 0.05 + 0.03


def test_false_alarms_of_a_load_that_may_leave_at_both_ends() -> None:
    assert alarms(np.random.default_rng(2), [0.3] * 12, least=0.3, most=0.3) <= 0.05 + 0.03


def test_a_doubled_error_is_found() -> None:
    assert alarms(np.random.default_rng(3), [0.25] * 12, least=0, most=0.1) > 0.9
    assert alarms(np.random.default_rng(4), [0.1] * 12, least=0.25, most=0.4) > 0.9


def test_the_bounds_of_all_windows_hold_at_once() -> None:
    rng, missed = np.random.default_rng(5), 0
    for _ in range(40):
        windows = [(str(k), Outcomes(rng.random(20) < 0.2)) for k in range(10)]
        found = drift("error", windows, least=0, most=0.5)
        missed += any(not window.low <= 0.2 <= window.high for window in found.windows)
    assert missed / 40 <= 0.05 + 0.06


@pytest.mark.parametrize("rates", [(0.02, 0.2), (0.25, 0.04)])
def test_conversations_of_unlike_length_raise_no_more_alarms_than_the_budget(rates: tuple[float, float]) -> None:
    """The share of answers is as promised, while short conversations fail more often than long ones, or less. Stakes by
    the longest of each window raised an alarm in 0.35 of series."""
    promised = float(_conversations(np.random.default_rng(1), 100_000, rates)[0].mean())
    rng, draws = np.random.default_rng(6), fewer(60)
    false = sum(_alarm(rng, rates, promised) for _ in range(draws))
    assert false <= stats.binom.ppf(0.9995, draws, 0.025)
    found = sum(_alarm(rng, (2.5 * rates[0], 2.5 * rates[1]), promised) for _ in range(10))
    assert found == 10


def _alarm(rng: np.random.Generator, rates: tuple[float, float], promised: float) -> bool:
    """Whether 30 weeks of 20 conversations raise an alarm, the longest conversation being known."""
    weeks = [Outcomes(hits, None, codes) for hits, codes in (_conversations(rng, 20, rates) for _ in range(30))]
    windows = [(str(number), week) for number, week in enumerate(weeks)]
    return drift("error", windows, least=0, most=promised, alpha=0.025, largest=20.0).alarm is not None


def _conversations(rng: np.random.Generator, number: int, rates: tuple[float, float]) -> tuple[Bools, Codes]:
    sizes = np.where(rng.random(number) < 0.04, 20, rng.integers(1, 4, number))
    rate, codes = np.where(sizes == 20, *rates), np.repeat(np.arange(number), sizes)
    together = rng.random(len(codes)) < 0.5
    return np.where(together, (rng.random(number) < rate)[codes], rng.random(len(codes)) < rate[codes]), codes
