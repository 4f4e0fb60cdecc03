"""Evidence against a promise, by hand, and what the alarm looks at."""

from __future__ import annotations

import numpy as np
import pytest

from hcat.core.capabilities.policy.drift import Outcomes, drift, outcomes_to_see
from hcat.core.capabilities.policy.error_test import BETS
from hcat.core.errors import HcatError


def test_evidence_of_one_window_by_hand() -> None:
    # One hit and one miss at a promise of 1/4: each stake b gives (1 + b · (1 − ¼) / ¼)(1 − b · ¼ / ¼).
    [window] = drift("error", [("w", Outcomes(np.array([True, False])))], least=0, most=0.25).windows
    assert window.evidence == pytest.approx(float(np.mean((1 + 3 * BETS) * (1 - BETS))))


def test_a_promise_that_is_kept_raises_no_alarm_and_one_that_is_broken_does() -> None:
    good, bad = (Outcomes(np.arange(50) < k) for k in (2, 15))
    assert drift("error", [("a", good), ("b", good)], least=0, most=0.1).alarm is None
    assert drift("error", [("a", good), ("b", bad), ("c", bad)], least=0, most=0.1).alarm in (1, 2)
    assert drift("load", [("a", good)] * 5, least=0.3, most=0.5).alarm is not None


def test_bounds_narrow_and_windows_without_outcomes_say_nothing() -> None:
    seen = drift("error", [(str(k), Outcomes(np.arange(20) < 4)) for k in range(6)], least=0, most=0.9)
    widths = [window.high - window.low for window in seen.windows]
    assert widths == sorted(widths, reverse=True)
    assert seen.windows[-1].low < 0.2 < seen.windows[-1].high
    [nothing] = drift("error", [("w", Outcomes(np.array([], dtype=bool)))], least=0, most=0.1).windows
    assert nothing.evidence == 1.0 and (nothing.low, nothing.high) == (0.0, 1.0) and nothing.share.n == 0


def test_edges() -> None:
    hit = Outcomes(np.array([True]))
    assert drift("error", [("w", hit)], least=0, most=0).alarm == 0
    assert drift("error", [("w", hit)], least=0, most=1).alarm is None
    with pytest.raises(HcatError):
        drift("error", [], least=0.5, most=0.2)


@pytest.mark.parametrize("most", [0.05, 0.1])
def test_an_error_of_twice_the_promise_is_seen_about_as_soon_as_said(most: float) -> None:
    n, rng = outcomes_to_see(2 * most, most=most, alpha=0.025), np.random.default_rng(1)
    seen = [drift("e", [("w", Outcomes(rng.random(n) < 2 * most))], least=0, most=most, alpha=0.025) for _ in range(60)]
    assert 0.4 < np.mean([each.alarm is not None for each in seen]) < 0.95
    with pytest.raises(HcatError):
        outcomes_to_see(most, most=most, alpha=0.05)


def test_bounds_are_of_the_mean_where_the_share_changes() -> None:
    windows = [("good", Outcomes(np.arange(100) < 1)), ("bad", Outcomes(np.arange(100) < 90))]
    last = drift("error", windows, least=0, most=0.1).windows[-1]
    assert last.low < 91 / 200 < last.high
