"""Corrected pass rates by simulation with fixed seeds: cross-fitted maps, three ways to draw the labels."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

from hcat.core.arrays import Bools, Floats
from hcat.core.estimates.crossfit import cross_fit
from hcat.core.estimates.labelled_run import LabelledRun, labelled_run
from hcat.core.estimates.paired_difference import estimate_difference
from hcat.core.estimates.prediction_powered import estimate_pass_rate

Drawn = tuple[Bools, Floats, Floats | None]
"""Which samples are labelled, with what probability each was drawn, and its stratum."""

DRAWS = int(os.environ.get("HCAT_DRAWS", "200"))
"""1000 in `make simulate`."""
TOTAL = 600
KEYS = [f"s{i}" for i in range(TOTAL)]


def at_random(x: Floats, n: int, rng: np.random.Generator) -> Drawn:
    labelled = np.zeros(len(x), dtype=bool)
    labelled[rng.permutation(len(x))[:n]] = True
    return labelled, np.full(len(x), n / len(x)), None


def near_the_boundary(x: Floats, n: int, rng: np.random.Generator) -> Drawn:
    """Samples of middling score are drawn up to ten times as often; those of high score pass more than the others."""
    want = np.exp(-np.abs(x + 0.7) * 2) + 0.1
    probability = np.minimum(1, want / want.sum() * n)
    return rng.random(len(x)) < probability, probability, None


def by_stratum(x: Floats, n: int, rng: np.random.Generator) -> Drawn:
    """The same number of each stratum, though strata are of very different size."""
    strata = np.digitize(x, [-1.3, -0.6, 0.1])
    labelled, probability = np.zeros(len(x), dtype=bool), np.zeros(len(x))
    for stratum in range(4):
        rows = np.flatnonzero(strata == stratum)
        size = min(n // 4, len(rows))
        labelled[rng.permutation(rows)[:size]] = True
        probability[rows] = size / len(rows)
    return labelled, probability, strata.astype(np.float64)


@dataclass(frozen=True)
class World:
    """Scores of quality `slope`; people's labels follow no logistic curve of them."""

    slope: float
    shift: float

    def probability(self, x: Floats) -> Floats:
        return 0.05 + 0.9 / (1 + np.exp(-(self.slope * x + self.shift)))

    @property
    def rate(self) -> float:
        quantiles = (np.arange(100_000) + 0.5) / 100_000
        return float(self.probability(stats.norm.ppf(quantiles)).mean())


def draw_run(world: World, draw: Callable[..., Drawn], n: int, rng: np.random.Generator) -> LabelledRun:
    x = rng.normal(size=TOTAL)
    y = (rng.random(TOTAL) < world.probability(x)).astype(float)
    labelled, probability, strata = draw(x, n, rng)
    passed = np.where(labelled, y, np.nan)
    weights = 1 / probability
    names = None if strata is None else strata.astype(str).tolist()
    prediction = cross_fit(x[:, None], passed, keys=KEYS, metrics=["m"], weights=weights, strata=names)
    return labelled_run(passed, prediction, weights=weights, strata=strata)


def bounds(level: float) -> tuple[float, float]:
    low, high = stats.binom.interval(0.999, DRAWS, level)
    return low / DRAWS, high / DRAWS


@pytest.mark.parametrize("draw", [at_random, near_the_boundary, by_stratum])
@pytest.mark.parametrize("world", [World(2.0, 1.0), World(0.0, 0.5)], ids=["good metric", "useless metric"])
def test_intervals_cover_and_labels_are_never_wasted(world: World, draw: Callable[..., Drawn]) -> None:
    rng = np.random.default_rng(17)
    # Strata of the score already know much of what the metric knows.
    gain = 1.0 if draw is by_stratum else 0.95
    truth = world.rate
    hits = {"labels_only": 0, "ppi": 0}
    widths, unweighted, errors = [], [], []
    for _ in range(DRAWS):
        run = draw_run(world, draw, 100, rng)
        made = estimate_pass_rate(run)
        for name, estimate in (("labels_only", made.labels_only), ("ppi", made.ppi)):
            hits[name] += int(estimate.low <= truth <= estimate.high)
        widths.append((made.labels_only.high - made.labels_only.low, made.ppi.high - made.ppi.low))
        errors.append((made.standard_error, made.labels_only_standard_error))
        unweighted.append(float(np.nanmean(run.passed)) - truth)
    low, high = bounds(0.95)
    assert low <= hits["labels_only"] / DRAWS <= high
    assert low <= hits["ppi"] / DRAWS <= high
    only, powered = np.array(widths).T
    se = np.array(errors)
    assert (se[:, 0] <= se[:, 1] * (1 + 1e-9)).all()
    if world.slope:
        assert powered.mean() < gain * only.mean()
    else:
        assert powered.mean() <= 1.005 * only.mean()
    if draw is not at_random and world.slope:
        # What weights and strata are for: the plain mean of the labels is off by many standard errors of its mean.
        assert abs(np.mean(unweighted)) > 10 * np.std(unweighted) / np.sqrt(DRAWS)


@pytest.mark.parametrize("everywhere", [False, True], ids=["in one stratum", "in both"])
def test_maps_by_stratum_gain_where_the_metric_works_in_one_alone(everywhere: bool) -> None:
    """Half of 100 labels from either stratum: the standard error by one map and by maps of each, of labels alone."""
    rng, stratum, hits, errors = np.random.default_rng(29), np.arange(TOTAL) % 2, 0, []
    names = stratum.astype(str).tolist()
    for _ in range(DRAWS):
        y = (rng.random(TOTAL) < 0.6).astype(float)
        x = np.where((stratum == 0) | everywhere, rng.normal(2.2 * y, 1), rng.normal(1.1, 1.4, TOTAL))
        drawn = np.concatenate([rng.permutation(np.flatnonzero(stratum == h))[:50] for h in (0, 1)])
        passed = np.full(TOTAL, np.nan)
        passed[drawn] = y[drawn]
        made = []
        for strata in (None, names):
            prediction = cross_fit(x[:, None], passed, keys=KEYS, metrics=["m"], strata=strata)
            made.append(estimate_pass_rate(labelled_run(passed, prediction, strata=stratum)))
        hits += int(made[1].ppi.low <= 0.6 <= made[1].ppi.high)
        alone = [each.ppi.value for each in made]
        errors.append((made[0].labels_only.value - 0.6, alone[0] - 0.6, alone[1] - 0.6))
    labels_only, one_map, of_each = np.sqrt(np.mean(np.square(errors), axis=0))
    print(f"by labels only 1, by one map {one_map / labels_only:.3f}, by maps of each {of_each / labels_only:.3f}")
    low, high = bounds(0.95)
    assert low <= hits / DRAWS <= high
    assert one_map < labels_only and of_each < labels_only
    assert of_each < (1.03 if everywhere else 0.97) * one_map


@pytest.mark.parametrize("passing", [0.95, 0.1], ids=["refusals mostly right", "refusals mostly wrong"])
@pytest.mark.parametrize("draw", [at_random, near_the_boundary])
def test_intervals_cover_where_a_fifth_of_the_answers_decline(draw: Callable[..., Drawn], passing: float) -> None:
    """Refusals have labels and no prediction, and pass at another rate than answers (about 0.55)."""
    rng, world, refusing = np.random.default_rng(37), World(2.0, 0.5), 0.2
    truth = (1 - refusing) * world.rate + refusing * passing
    hits = {"labels_only": 0, "ppi": 0}
    widths = []
    for _ in range(DRAWS):
        x, refused = rng.normal(size=TOTAL), rng.random(TOTAL) < refusing
        y = (rng.random(TOTAL) < np.where(refused, passing, world.probability(x))).astype(float)
        labelled, probability, strata = draw(x, 100, rng)
        passed, weights = np.where(labelled, y, np.nan), 1 / probability
        X = np.where(refused, np.nan, x)[:, None]
        prediction = cross_fit(X, passed, keys=KEYS, metrics=["m"], weights=weights)
        assert np.isnan(prediction).sum() == refused.sum()
        made = estimate_pass_rate(labelled_run(passed, prediction, weights=weights, strata=strata))
        for name, estimate in (("labels_only", made.labels_only), ("ppi", made.ppi)):
            hits[name] += int(estimate.low <= truth <= estimate.high)
        widths.append((made.labels_only.high - made.labels_only.low, made.ppi.high - made.ppi.low))
    low, high = bounds(0.95)
    assert low <= hits["labels_only"] / DRAWS <= high
    assert low <= hits["ppi"] / DRAWS <= high
    only, powered = np.array(widths).mean(axis=0)
    assert powered < only


def test_width_falls_with_the_quality_of_the_metric() -> None:
    rng = np.random.default_rng(23)
    ratios = []
    for slope in (0.0, 1.0, 2.0, 6.0):
        made = [estimate_pass_rate(draw_run(World(slope, 0.0), at_random, 100, rng)) for _ in range(100)]
        ratios.append(np.mean([e.standard_error / e.labels_only_standard_error for e in made]))
    assert ratios == sorted(ratios, reverse=True)
    assert 0.98 <= ratios[0] <= 1
    assert ratios[-1] < 0.75


@pytest.mark.parametrize("shared", [100, 40], ids=["same cases labelled", "some of them"])
def test_paired_differences_cover(shared: int) -> None:
    """Two runs over the same test cases, whose outcomes go together."""
    rng = np.random.default_rng(29)
    hits, ratios = 0, []
    truth = World(2.0, 1.0).rate - World(2.0, 0.5).rate
    for _ in range(DRAWS):
        x, common = rng.normal(size=TOTAL), rng.random(TOTAL)
        order = rng.permutation(TOTAL)
        runs = []
        for world, start in ((World(2.0, 0.5), 0), (World(2.0, 1.0), 100 - shared)):
            # The same uniform number decides in both runs for four cases of five.
            luck = np.where(rng.random(TOTAL) < 0.8, common, rng.random(TOTAL))
            y = (luck < world.probability(x)).astype(float)
            passed = np.full(TOTAL, np.nan)
            passed[order[start : start + 100]] = y[order[start : start + 100]]
            prediction = cross_fit(x[:, None], passed, keys=KEYS, metrics=["m"])
            runs.append(labelled_run(passed, prediction, clusters=KEYS))
        made = estimate_difference(*runs)
        hits += int(made.ppi.low <= truth <= made.ppi.high)
        ratios.append((made.ppi.high - made.ppi.low) / (made.labels_only.high - made.labels_only.low))
    low, high = bounds(0.95)
    assert low <= hits / DRAWS <= high
    assert np.mean(ratios) <= 1.0
