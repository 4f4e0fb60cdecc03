"""Plans by simulation with fixed seeds: as many labels as planned give what was asked for."""

from __future__ import annotations

import os

import numpy as np
import pytest
from scipy import stats

from core.calibration.conformal import conformal_quantile
from core.estimates.influence import labelled_run
from core.estimates.paired_difference import estimate_difference
from core.estimates.planning import labels_for_conformal, labels_for_difference, labels_for_width, quality_of
from core.estimates.prediction_powered import estimate_pass_rate

DRAWS = int(os.environ.get("HCAT_DRAWS", "300"))
"""1000 in `make simulate`."""


@pytest.mark.parametrize("slope", [0.0, 3.0])
def test_a_planned_width_is_reached_on_average(slope: float) -> None:
    """The quality is read from a pilot of 100 labels on other samples."""
    rng = np.random.default_rng(41)
    total = 2000

    def width_and_quality(n: int) -> tuple[float, float]:
        x = rng.normal(size=total)
        p = 1 / (1 + np.exp(-slope * x))
        y = np.where(np.arange(total) < n, rng.random(total) < p, np.nan)
        made = estimate_pass_rate(labelled_run(y, p))
        errors = made.labels_only_standard_error, made.standard_error
        return made.ppi.high - made.ppi.low, quality_of(*errors, n=n, samples=total)

    quality = float(np.mean([width_and_quality(100)[1] for _ in range(20)]))
    plan = labels_for_width(0.12, rate=0.5, quality=quality, samples=total)
    widths = [width_and_quality(plan.needed)[0] for _ in range(DRAWS)]
    assert np.mean(widths) == pytest.approx(0.12, rel=0.03)
    assert labels_for_width(0.12, samples=total).needed >= plan.needed


@pytest.mark.parametrize("together", [0.0, 0.6])
def test_a_planned_difference_is_found_with_the_power_asked_for(together: float) -> None:
    rng = np.random.default_rng(43)
    rates = (0.65, 0.8)
    # The same uniform number decides in both runs for `together` of the test cases: covariance 0.65 · 0.2 each.
    correlation = together * 0.65 * 0.2 / np.sqrt(0.65 * 0.35 * 0.8 * 0.2)
    n = labels_for_difference(0.15, rates=rates, correlation=correlation).needed
    cases = np.arange(n).astype(str)
    found = 0
    for _ in range(DRAWS):
        luck = rng.random(n)
        other = np.where(rng.random(n) < together, luck, rng.random(n))
        runs = [
            labelled_run(u < rate, np.full(n, 0.5), clusters=cases)
            for u, rate in zip((luck, other), rates, strict=True)
        ]
        found += int(estimate_difference(*runs).labels_only.low > 0)
    low, high = stats.binom.interval(0.999, DRAWS, 0.8)
    # The normal approximation of the plan is good to about three points of power.
    assert low / DRAWS - 0.03 <= found / DRAWS <= high / DRAWS + 0.03


@pytest.mark.parametrize("alpha", [0.1, 0.2])
def test_planned_labels_set_every_threshold_and_hold_the_tolerance(alpha: float) -> None:
    rng = np.random.default_rng(47)
    shares = {"common": 0.8, "rare": 0.2}
    enough = labels_for_conformal(alpha, shares=shares).needed
    precise = labels_for_conformal(alpha, tolerance=0.07).needed
    set_all, held = 0, 0
    for _ in range(DRAWS):
        reached = rng.random(enough) < 0.3
        rare = rng.random(enough) < 0.2
        counts = [int(np.sum(reached & rare)), int(np.sum(reached & ~rare))]
        set_all += int(all(conformal_quantile(rng.random(n), alpha=alpha).enough for n in counts))
        # Uniform nonconformity: a threshold of q̂ covers the share q̂ of what is to come.
        q_hat = conformal_quantile(rng.random(rng.binomial(precise, 0.3)), alpha=alpha).q_hat
        held += int(q_hat >= 1 - alpha - 0.07)
    low = float(stats.binom.ppf(0.0005, DRAWS, 0.95)) / DRAWS
    assert set_all / DRAWS >= low
    assert held / DRAWS >= low
