"""Pass rates by slice, the stop rule and the forecast of the width, by simulation with fixed seeds."""

from __future__ import annotations

import os

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from hcat.core.estimates.forecast import label_forecast
from hcat.core.estimates.labelled_run import LabelledRun, labelled_run
from hcat.core.estimates.learning import forecast
from hcat.core.estimates.slices import estimate_slices
from hcat.core.estimates.stopping import decide

DRAWS = int(os.environ.get("HCAT_DRAWS", "200"))
"""1000 in `make simulate`."""


def bounds(level: float) -> tuple[float, float]:
    low, high = stats.binom.interval(0.999, DRAWS, level)
    return low / DRAWS, high / DRAWS


def drawn(x: NDArray[np.float64], y: NDArray[np.float64], n: int, how: str, rng: np.random.Generator) -> LabelledRun:
    """Labels at random, or up to ten times as often near the boundary; predictions are off by slice."""
    want = np.exp(-np.abs(x) * 2) + 0.1 if how == "boundary" else np.ones(len(x))
    probability = np.minimum(1, want / want.sum() * n)
    labelled = rng.random(len(x)) < probability
    prediction = 1 / (1 + np.exp(-2 * x))
    return labelled_run(np.where(labelled, y, np.nan), prediction, weights=1 / probability)


@pytest.mark.parametrize("how", ["random", "boundary"])
def test_intervals_of_slices_cover_where_the_metric_is_biased(how: str) -> None:
    """The metric knows nothing of the slice, which passes far less than it believes; a quarter of the samples."""
    rng = np.random.default_rng(31)
    total, hits, widths = 1200, 0, []
    grid = stats.norm.ppf((np.arange(100_000) + 0.5) / 100_000)
    truth = float((1 / (1 + np.exp(-(2 * grid - 1.5)))).mean())
    levels = ["weak" if i % 4 == 0 else "rest" for i in range(total)]
    weak = np.array(levels) == "weak"
    for _ in range(DRAWS):
        x = rng.normal(size=total)
        y = (rng.random(total) < 1 / (1 + np.exp(-(2 * x - 1.5 * weak)))).astype(float)
        made = estimate_slices(drawn(x, y, 240, how, rng), levels)[0].estimates
        hits += int(made.ppi.low <= truth <= made.ppi.high)
        widths.append((made.ppi.high - made.ppi.low) / (made.labels_only.high - made.labels_only.low))
    low, high = bounds(0.95)
    assert low <= hits / DRAWS <= high
    assert np.mean(widths) < 1.0


def test_a_rule_that_looks_five_times_seldom_decides_wrongly() -> None:
    """The rate is the threshold itself, so that "missed" is wrong, and "reached" is where it would be a hair lower."""
    rng = np.random.default_rng(37)
    total, wrong = 2000, 0
    for _ in range(DRAWS):
        x = rng.normal(size=total)
        p = 1 / (1 + np.exp(-2 * x))  # a mean of one half by symmetry
        y = (rng.random(total) < p).astype(float)
        verdicts = [
            decide(labelled_run(np.where(np.arange(total) < n, y, np.nan), p), 0.5, looks=5).verdict
            for n in (60, 120, 180, 240, 300)
        ]
        wrong += int("missed" in verdicts or "reached" in verdicts)
    assert wrong / DRAWS <= float(stats.binom.ppf(0.9995, DRAWS, 0.05)) / DRAWS


def test_the_forecast_of_the_width_comes_true() -> None:
    rng = np.random.default_rng(41)
    total, inside, ratios = 3000, 0, []
    for _ in range(DRAWS):
        x = rng.normal(size=total)
        p = 1 / (1 + np.exp(-2.5 * x))
        y = (rng.random(total) < p).astype(float)
        now, later = (label_forecast(labelled_run(np.where(np.arange(total) < n, y, np.nan), p)) for n in (100, 400))
        [point] = forecast(now, [400])
        width = later.estimates.ppi.high - later.estimates.ppi.low
        inside += int(point.low <= width <= point.high)
        ratios.append(point.width / width)
    assert inside / DRAWS >= 0.9
    assert np.mean(ratios) == pytest.approx(1, abs=0.03)
