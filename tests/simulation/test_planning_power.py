"""Plans by simulation with fixed seeds: as many labels as planned give what was asked for."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from scipy import stats

from hcat.core.calibration.conformal.threshold import conformal_quantile
from hcat.core.estimates.forecast import label_forecast
from hcat.core.estimates.labelled_run import LabelledRun, labelled_run
from hcat.core.estimates.learning import forecast
from hcat.core.estimates.paired_difference import estimate_difference
from hcat.core.estimates.planning import labels_for_conformal, labels_for_difference, labels_for_width
from hcat.core.labelling.unequal import boundary_sizes, inclusion_probabilities

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
        ahead = label_forecast(labelled_run(y, p))
        made = ahead.estimates.ppi
        return made.high - made.low, ahead.quality

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


Truth = Callable[[int], LabelledRun]
"""A run of which this many labels are known; those of more hold those of fewer."""
Making = Callable[[np.random.Generator], Truth]


def _of_strata(rng: np.random.Generator) -> Truth:
    stratum = np.repeat(["a", "b"], 300)
    passed = np.where(stratum == "a", rng.random(600) < 0.97, rng.random(600) < 0.05)
    place = np.concatenate([rng.permutation(300), rng.permutation(300)])
    return lambda n: labelled_run(np.where(place < n / 2, passed, np.nan), np.full(600, np.nan), strata=stratum)


def _of_a_boundary(rng: np.random.Generator) -> Truth:
    p, luck = rng.beta(0.8, 0.5, 400), rng.random(400)
    passed = rng.random(400) < p

    def known(n: int) -> LabelledRun:
        drawn = inclusion_probabilities(boundary_sizes(p), planned=n) if n < 400 else np.ones(400)
        return labelled_run(np.where(luck < drawn, passed, np.nan), np.full(400, np.nan), weights=1 / drawn)

    return known


def _of_trials(rng: np.random.Generator, *, whole_cases: bool) -> Truth:
    case = np.repeat(np.arange(60), 5)
    rates = rng.beta(0.6, 0.3, 60)[case]
    passed, metric = rng.random(300) < rates, np.clip(rates + rng.normal(0, 0.1, 300), 0, 1)
    place = 5 * rng.permutation(60)[case] + np.arange(300) % 5 if whole_cases else rng.permutation(300)
    return lambda n: labelled_run(np.where(place < n, passed, np.nan), metric, clusters=case)


@pytest.mark.parametrize(
    ("made", "sizes"),
    [
        (_of_strata, (80, 200, 600)),
        (_of_a_boundary, (150, 250, 400)),
        (partial(_of_trials, whole_cases=True), (150, 225, 300)),
        (partial(_of_trials, whole_cases=False), (100, 200, 300)),
    ],
    ids=["strata", "boundary", "whole test cases", "trials at random"],
)
def test_a_forecast_is_the_width_that_comes(
    made: Callable[[np.random.Generator], Truth], sizes: tuple[int, ...]
) -> None:
    """From the first number of labels to more and to all; labels that are worth more or less than plain ones."""
    rng = np.random.default_rng(53)
    foretold, came = [], []
    for _ in range(DRAWS // 3):
        known = made(rng)
        foretold.append([point.width for point in forecast(label_forecast(known(sizes[0])), sizes)])
        intervals = [label_forecast(known(n)).estimates.ppi for n in sizes]
        came.append([interval.high - interval.low for interval in intervals])
    first, middle, last = np.mean(foretold, axis=0) / np.mean(came, axis=0)
    assert first == pytest.approx(1, abs=0.01)  # a boundary queue draws about as many as planned
    assert middle == pytest.approx(1, abs=0.06)
    assert last == pytest.approx(1, abs=0.04)
