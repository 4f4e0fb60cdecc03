"""Drift alarms looked at after every window: how often they are false, and how soon they come."""

from __future__ import annotations

import numpy as np
import pytest

from core.estimates.policy.drift import Outcomes, drift

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
