"""Every verdict on data in which nothing is to be found, with few data sets: `make simulate` makes the whole table."""

from __future__ import annotations

import os

import numpy as np
import pytest

from benchmarks.battery.nulls import NULLS, Null
from benchmarks.battery.trial import Trial, tried
from benchmarks.battery.trials import TRIALS
from hcat.core.verdicts import VERDICTS
from tests.draws import fewer

CELLS = [(trial, null) for trial in TRIALS for null in trial.nulls]
NAMES = [f"{trial.verdict.name} · {null.name}" for trial, null in CELLS]


@pytest.mark.parametrize(("trial", "null"), CELLS, ids=NAMES)
def test_a_verdict_errs_no_more_often_than_it_says(trial: Trial, null: Null) -> None:
    rate = tried(trial, null, int(os.environ.get("HCAT_DRAWS", fewer(trial.thin))))
    assert not rate.is_too_frequent, f"{rate.false} of {rate.n}, for an error of {trial.verdict.error:g}"


def test_every_verdict_is_tried_on_every_null_or_says_why_not() -> None:
    assert sorted(trial.verdict.name for trial in TRIALS) == sorted(verdict.name for verdict in VERDICTS)
    names = {null.name for null in NULLS}
    for trial in TRIALS:
        assert trial.skips.keys() <= names
        assert all(len(reason.split()) >= 4 for reason in trial.skips.values()), trial.verdict.name


@pytest.mark.parametrize("null", NULLS, ids=lambda null: null.name)
def test_nulls_have_the_mean_and_the_share_of_failures_that_they_state(null: Null) -> None:
    rng = np.random.default_rng(5)
    many = [null.draw(rng, 2_000) for _ in range(200)]
    means = np.array([drawn.values.mean() for drawn in many])
    assert abs(means.mean() - null.mean) <= 4 * means.std() / np.sqrt(len(means))
    rates = np.array([null.draw_passes(rng, 500, failures=0.1).values.mean() for _ in range(300)])
    assert abs(rates.mean() - 0.9) <= 4 * rates.std() / np.sqrt(len(rates))


def test_clusters_are_unequal_and_their_values_alike() -> None:
    null = next(null for null in NULLS if null.clustered)
    drawn = null.draw_passes(np.random.default_rng(3), 20_000, failures=0.5)
    assert drawn.clusters is not None
    sizes = np.bincount(drawn.clusters)
    assert sizes.max() >= 10 * np.median(sizes) / 2
    centred = drawn.values - drawn.values.mean()
    sums = np.bincount(drawn.clusters, weights=centred)
    alike = (sums**2 - np.bincount(drawn.clusters, weights=centred**2)).sum() / (sizes * (sizes - 1.0)).sum() / 0.25
    assert 0.25 < alike < 0.6
