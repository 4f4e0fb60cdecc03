"""Precision, recall, base rate and likelihood ratios against arithmetic, and their intervals by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hcat.core.errors import HcatError
from hcat.core.estimates.evaluator_reliability import combined_scores, evaluator_reliability


def test_known_values() -> None:
    # The source's shape: 200 answers, 12 right; the evaluator passes 11 of them and 47 wrong ones (58 in all).
    right = np.array([True] * 12 + [False] * 188)
    score = np.array([1.0] * 11 + [0.0] + [1.0] * 47 + [0.0] * 141)
    found = evaluator_reliability("judge", score, right, clusters=np.arange(200), threshold=0.5)
    assert found.precision.value == pytest.approx(11 / 58)  # their 19%
    assert found.recall.value == pytest.approx(11 / 12)  # their 92%
    assert found.base_rate.value == pytest.approx(12 / 200)
    assert found.specificity.value == pytest.approx(141 / 188)
    assert found.likelihood_ratio.value == pytest.approx((11 / 12) / (47 / 188))  # 3.67
    assert found.negative_likelihood_ratio.value == pytest.approx((1 / 12) / (141 / 188))
    # Without clusters the logarithm's variance is Simel's, times G/(G − 1): 1/11 − 1/12 + 1/47 − 1/188.
    error = math.sqrt((1 / 11 - 1 / 12 + 1 / 47 - 1 / 188) * 200 / 199)
    assert found.likelihood_ratio.high == pytest.approx(
        found.likelihood_ratio.value * math.exp(1.97196 * error), rel=1e-4
    )


def test_lower_may_be_better_and_what_is_unscored_is_left_out() -> None:
    right = np.array([True, True, False, False, True])
    found = evaluator_reliability(
        "distance", [0.1, 0.2, 0.8, 0.9, math.nan], right, clusters=list("abcde"), direction="lower", threshold=0.5
    )
    assert (found.n, found.unscored, found.auc.value) == (4, 1, 1.0)
    assert (found.precision.value, found.recall.value) == (1.0, 1.0)
    assert "0.5 added" in found.likelihood_ratio.method
    with pytest.raises(HcatError):
        evaluator_reliability("x", [1.0, 0.0], [True, True], clusters=["a", "b"])


def test_a_threshold_is_chosen_on_other_clusters() -> None:
    rng = np.random.default_rng(5)
    clusters = np.repeat(np.arange(100), 4)
    right = rng.random(100)[clusters] < 0.4
    noise = rng.random(400)  # tells nothing: no threshold that is chosen elsewhere may do better than chance
    found = evaluator_reliability("noise", noise, right, clusters=clusters)
    assert found.threshold is None
    assert found.likelihood_ratio.low < 1 < found.likelihood_ratio.high
    told = evaluator_reliability("signal", noise + 2.0 * right, right, clusters=clusters)
    assert told.precision.value == 1.0
    assert told.recall.value > 0.98  # the threshold of other folds is a right answer's score, so that some lie below


def test_the_combination_is_fitted_to_other_clusters() -> None:
    rng = np.random.default_rng(6)
    clusters = np.repeat(np.arange(120), 3)
    right = rng.random(120)[clusters] < 0.5
    noise = combined_scores(rng.random((360, 3)), right, clusters=clusters, directions=("higher",) * 3)
    assert evaluator_reliability("noise", noise, right, clusters=clusters).auc.value < 0.62
    parts = np.stack([right + rng.normal(0, 1, 360), right + rng.normal(0, 1, 360), rng.normal(0, 1, 360)], axis=1)
    parts[:40, 1] = np.nan
    both = combined_scores(parts, right, clusters=clusters, directions=("higher",) * 3)
    one = evaluator_reliability("one", parts[:, 0], right, clusters=clusters).auc.value
    assert evaluator_reliability("both", both, right, clusters=clusters).auc.value > one


def test_intervals_hold_the_truth() -> None:
    """Groups of four whose rightness and verdicts go together: sensitivity 0.8, false alarms 0.3, 57 groups."""
    held = dict.fromkeys(("recall", "precision", "likelihood_ratio"), 0)
    draws = 150
    truth = {"recall": 0.8, "precision": 0.4 * 0.8 / (0.4 * 0.8 + 0.6 * 0.3), "likelihood_ratio": 0.8 / 0.3}
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        clusters = np.repeat(np.arange(57), 4)
        right = (rng.random(57) < 0.4)[clusters]
        chance = np.where(right, rng.beta(4, 1, 57)[clusters], rng.beta(1.2, 2.8, 57)[clusters])
        says = (rng.random(228) < chance).astype(float)
        found = evaluator_reliability("judge", says, right, clusters=clusters, threshold=0.5)
        for name, value in truth.items():
            estimate = getattr(found, name)
            held[name] += estimate.low <= value <= estimate.high
    assert all(0.90 <= n / draws <= 0.99 for n in held.values()), held
