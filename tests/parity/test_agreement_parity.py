"""κ against scikit-learn, α against the krippendorff package."""

from __future__ import annotations

from itertools import combinations

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score, confusion_matrix

from hcat.core.capabilities.agreement.alpha import Measurement, krippendorff_alpha
from hcat.core.capabilities.agreement.kappa import Weighting, cohen_kappa
from hcat.core.capabilities.agreement.ratings import Ratings
from hcat.core.capabilities.agreement.summary import (
    ALPHA,
    KAPPA,
    ORDINAL,
    QUADRATIC,
    agreement_by_level,
    pair_agreements,
)
from hcat.core.types import Criterion


@pytest.mark.parametrize("weighting", ["none", "linear", "quadratic"])
@pytest.mark.parametrize("seed", range(6))
def test_kappa(seed: int, weighting: Weighting) -> None:
    rng = np.random.default_rng(seed)
    n, levels = int(rng.integers(5, 200)), int(rng.integers(2, 6))
    first = rng.integers(0, levels, n)
    second = np.where(rng.random(n) < 0.5, first, rng.integers(0, levels, n))
    theirs = cohen_kappa_score(
        first, second, labels=list(range(levels)), weights=None if weighting == "none" else weighting
    )
    ours = cohen_kappa(first, second, rng=rng, weighting=weighting, n_levels=levels, replicates=20)
    assert ours.value == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("measurement", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("seed", range(6))
def test_alpha(seed: int, measurement: Measurement) -> None:
    rng = np.random.default_rng(seed)
    items, annotators = int(rng.integers(5, 100)), int(rng.integers(2, 6))
    levels = np.repeat(rng.integers(0, 5, (items, 1)), annotators, axis=1).astype(float)
    levels = np.where(rng.random(levels.shape) < 0.4, rng.integers(0, 5, levels.shape), levels)
    levels[rng.random(levels.shape) < 0.3] = np.nan
    theirs = krippendorff.alpha(levels.T, level_of_measurement=measurement)
    ours = krippendorff_alpha(levels, rng=rng, measurement=measurement, replicates=20)
    assert ours.value == pytest.approx(theirs, abs=1e-10)


def test_every_level_and_pair_of_a_summary() -> None:
    rng = np.random.default_rng(17)
    criterion = Criterion("helpfulness", ("poor", "fair", "good", "best"), passing=2)
    own = rng.integers(0, 4, (150, 1))
    levels = np.where(rng.random((150, 4)) < 0.3, rng.integers(0, 4, (150, 4)), own).astype(float)
    levels[rng.random(levels.shape) < 0.3] = np.nan
    table = Ratings(tuple(f"s{k}" for k in range(150)), ("a", "b", "c", "d"), levels)
    level_of = {sample: f"topic {k % 3}" for k, sample in enumerate(table.samples)}
    for part in agreement_by_level(table, level_of, criterion=criterion, rng=rng, replicates=20):
        chosen = levels[int(part.level[-1]) :: 3]
        for name, measurement in ((ALPHA, "nominal"), (ORDINAL, "ordinal")):
            theirs = krippendorff.alpha(chosen.T, level_of_measurement=measurement)
            assert part.agreement.coefficients[name].value == pytest.approx(theirs, abs=1e-10)
        kappas = [
            cohen_kappa_score(*chosen[~np.isnan(chosen[:, [a, b]]).any(axis=1)][:, [a, b]].T, weights="quadratic")
            for a, b in combinations(range(4), 2)
        ]
        assert part.agreement.coefficients[QUADRATIC].value == pytest.approx(np.mean(kappas), abs=1e-10)
    for pair in pair_agreements(table, criterion=criterion, rng=rng, replicates=20):
        first, second = table.pair(pair.first, pair.second)
        assert pair.agreement.coefficients[KAPPA].value == pytest.approx(cohen_kappa_score(first, second), abs=1e-12)
        assert np.array_equal(pair.table, confusion_matrix(first, second, labels=range(4)))
