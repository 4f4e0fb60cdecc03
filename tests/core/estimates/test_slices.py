"""Pass rates by slice, and the p value of a difference."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from hcat.core.errors import HcatError
from hcat.core.estimates.labelled_run import labelled_run
from hcat.core.estimates.paired_difference import estimate_difference
from hcat.core.estimates.prediction_powered import estimate_pass_rate
from hcat.core.estimates.slices import estimate_slices

NAN = math.nan


def test_a_slice_is_the_estimate_of_its_own_samples() -> None:
    rng = np.random.default_rng(3)
    levels = ["a" if i % 3 else "b" for i in range(120)]
    passed = np.where(np.arange(120) < 60, rng.random(120) < 0.6, NAN)
    prediction, weights = rng.random(120), 1 + rng.random(120)
    run = labelled_run(passed, prediction, weights=weights, clusters=np.arange(120) // 2)
    found = {part.level: part.estimates for part in estimate_slices(run, levels)}
    rows = np.array(levels) == "a"
    alone = labelled_run(passed[rows], prediction[rows], weights=weights[rows], clusters=(np.arange(120) // 2)[rows])
    assert found["a"] == estimate_pass_rate(alone)
    assert list(found) == ["b", "a"]  # sample 0 is at level b
    assert found["a"].n_samples + found["b"].n_samples == 120


def test_few_labels_are_insufficient_evidence() -> None:
    passed = [1.0] * 9 + [NAN] * 11 + [0.0, 1.0] * 10
    run = labelled_run(passed, np.full(40, 0.5))
    few, many = estimate_slices(run, ["few"] * 20 + ["many"] * 20)
    assert (few.enough, many.enough) == (False, True)
    assert few.document()["status"] == "insufficient evidence"
    assert few.estimates.n_labels == 9


def test_a_slice_without_labels_has_no_rate() -> None:
    run = labelled_run([1, 0, 1, NAN, NAN], [0.5] * 5)
    _, none = estimate_slices(run, ["x", "x", "x", "y", "y"])
    assert math.isnan(none.estimates.ppi.value)
    assert none.document()["effective_n"] is None


def test_every_sample_needs_a_level() -> None:
    with pytest.raises(HcatError, match="each of the 3 samples"):
        estimate_slices(labelled_run([1, 0, 1], [0.5] * 3), ["x"])


def test_the_interval_is_the_hybrid_of_two_of_wilson_and_p_is_where_it_touches_0() -> None:
    """By statsmodels' Wilson and numpy's correlation, with t of 59 degrees in place of the normal quantile."""
    rng = np.random.default_rng(9)
    first, second = (rng.random(60) < 0.5).astype(float), (rng.random(60) < 0.75).astype(float)
    cases = [f"c{i}" for i in range(60)]
    made = estimate_difference(
        labelled_run(first, np.full(60, 0.5), clusters=cases), labelled_run(second, np.full(60, 0.5), clusters=cases)
    )
    n = 60 * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 59)) ** 2
    bounds = [proportion_confint(passed.mean() * n, n, method="wilson") for passed in (first, second)]
    value, r = second.mean() - first.mean(), np.corrcoef(first, second)[0, 1]
    under, over = first.mean() - bounds[0][0], bounds[0][1] - first.mean()
    below, above = second.mean() - bounds[1][0], bounds[1][1] - second.mean()
    assert made.ppi.low == pytest.approx(value - math.sqrt(below**2 + over**2 - 2 * r * below * over))
    assert made.ppi.high == pytest.approx(value + math.sqrt(above**2 + under**2 - 2 * r * above * under))
    assert estimate_difference(
        *(labelled_run(passed, np.full(60, 0.5), clusters=cases) for passed in (first, second)), level=1 - made.p
    ).ppi.low == pytest.approx(0.0, abs=1e-9)


def test_a_run_against_itself_has_p_1_and_agreeing_labels_none() -> None:
    cases = [str(i) for i in range(20)]
    mixed = labelled_run([1.0, 0.0] * 10, np.full(20, 0.5), clusters=cases)
    perfect = labelled_run(np.ones(20), np.full(20, 0.5), clusters=cases)
    assert estimate_difference(mixed, mixed).p == 1.0
    assert math.isnan(estimate_difference(perfect, perfect).p)
    assert estimate_difference(perfect, perfect).document()["p"] is None


def test_evidence_of_a_slice_is_counted_in_test_cases() -> None:
    """Ten labels on two test cases are two pieces of evidence: their interval can be far too narrow by chance."""
    passed = [1.0, 0.0] * 10
    two = labelled_run(passed, np.full(20, 0.5), clusters=["a"] * 5 + ["b"] * 5 + [f"c{i}" for i in range(10)])
    few, many = estimate_slices(two, ["few"] * 10 + ["many"] * 10)
    assert (few.estimates.n_labels, few.enough, many.enough) == (10, False, True)
