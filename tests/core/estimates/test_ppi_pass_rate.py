from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.errors import HcatError
from hcat.core.estimates.influence import influence
from hcat.core.estimates.labelled_run import labelled_run
from hcat.core.estimates.prediction_powered import estimate_pass_rate
from hcat.core.statistics.intervals import mean_interval, proportion_interval

NAN = math.nan


def test_known_value() -> None:
    # Six samples, three labelled 1, 1, 0 with predictions 0.9, 0.7, 0.2, three others predicted 0.8, 0.6, 0.4.
    # Labels only: 2/3. Mean prediction 3.6/6 = 0.6; of the labelled ones 1.8/3 = 0.6: the correction is λ · 0.
    run = labelled_run([1, 1, 0, NAN, NAN, NAN], [0.9, 0.7, 0.2, 0.8, 0.6, 0.4])
    estimates = estimate_pass_rate(run)
    assert estimates.labels_only.value == pytest.approx(2 / 3)
    assert estimates.ppi.value == pytest.approx(2 / 3)
    # Verdicts ≥ 0.5: 0.9, 0.7, 0.8, 0.6, that is 4 of 6.
    assert estimates.naive.value == pytest.approx(4 / 6)
    assert (estimates.n_samples, estimates.n_labels, estimates.unscored) == (6, 3, 0)


def test_the_correction_by_hand() -> None:
    # Labelled predictions 0.9 and 0.1 (mean 0.5), all predictions 0.9, 0.1, 0.9, 0.9 (mean 0.7): 0.2 a λ.
    parts = influence(labelled_run([1, 0, NAN, NAN], [0.9, 0.1, 0.9, 0.9]))
    assert (parts.labels_only, parts.correction) == (0.5, pytest.approx(0.2))


def test_strata_by_hand() -> None:
    # Stratum a: 6 samples, labels 1, 0 → 0.5; stratum b: 2 samples, labels 1, 1 → 1. (6 · 0.5 + 2 · 1) / 8 = 0.625.
    run = labelled_run([1, 0, NAN, NAN, NAN, NAN, 1, 1], np.full(8, 0.5), strata=list("aaaaaabb"))
    assert estimate_pass_rate(run).labels_only.value == pytest.approx(0.625)


def test_strata_with_one_label_are_merged_by_weight() -> None:
    # b and c have one label each: merged, 1 and 0 with weights 3 and 1 → 0.75 for 4 samples; a: 0.5 for 4 samples.
    run = labelled_run(
        [1, 0, NAN, NAN, 1, NAN, NAN, 0], np.full(8, 0.5), weights=[2, 2, 1, 1, 3, 1, 1, 1], strata=list("aaaabbbc")
    )
    assert estimate_pass_rate(run).labels_only.value == pytest.approx((4 * 0.5 + 4 * 0.75) / 8)


def test_a_lone_poor_stratum_joins_the_largest() -> None:
    run = labelled_run([1, 0, 1, 0, 0, 1], np.full(6, 0.5), strata=list("aaaabb"))
    lone = labelled_run([1, 0, 1, 0, 0, NAN], np.full(6, 0.5), strata=list("aaaabb"))
    assert estimate_pass_rate(run).labels_only.value == pytest.approx((4 * 0.5 + 2 * 0.5) / 6)
    assert estimate_pass_rate(lone).labels_only.value == pytest.approx(2 / 5)


def test_labels_only_is_the_plain_wilson_interval_and_the_plain_error() -> None:
    rng = np.random.default_rng(3)
    passed = np.where(np.arange(200) < 50, rng.random(200) < 0.7, NAN)
    estimates = estimate_pass_rate(labelled_run(passed, rng.random(200)))
    plain = proportion_interval(int(np.nansum(passed)), 50)
    assert (estimates.labels_only.low, estimates.labels_only.high) == (
        pytest.approx(plain.low, abs=1e-12),
        pytest.approx(plain.high, abs=1e-12),
    )
    assert estimates.labels_only_effective_n == pytest.approx(50)


def test_the_weighted_error_is_that_of_hajeks_ratio() -> None:
    from scipy import stats

    rng = np.random.default_rng(4)
    passed = np.where(np.arange(300) < 60, rng.random(300) < 0.6, NAN)
    weights = rng.uniform(1, 9, 300)
    estimates = estimate_pass_rate(labelled_run(passed, rng.random(300), weights=weights))
    oracle = mean_interval(passed[:60], weights=weights[:60])
    error = (oracle.high - oracle.value) / stats.t.ppf(0.975, 59)
    assert estimates.labels_only.value == pytest.approx(oracle.value, abs=1e-12)
    assert estimates.labels_only_standard_error == pytest.approx(error, abs=1e-12)


def test_perfect_predictions_leave_the_error_of_the_run_alone() -> None:
    rng = np.random.default_rng(5)
    truth = (rng.random(1000) < 0.6).astype(float)
    passed = np.where(np.arange(1000) < 80, truth, NAN)
    estimates = estimate_pass_rate(labelled_run(passed, truth))
    assert estimates.lambda_ == pytest.approx(1, abs=0.01)
    assert estimates.ppi.value == pytest.approx(truth.mean(), abs=1e-9)
    # √(0.6 · 0.4 / 1000) = 0.0155: the 80 labels would count as 1000, up to the small-sample factors 80/79 · 79/78. But
    # a label in 81, half a pass and half a fail, might be of answers where the predictions are wrong: 1 / (80/81/1000 +
    # 1/81/80) = 876.
    assert estimates.effective_n == pytest.approx(876, rel=0.06)


def test_constant_predictions_change_nothing() -> None:
    run = labelled_run([1, 0, 1, 1, NAN, NAN], np.full(6, 0.3))
    estimates = estimate_pass_rate(run)
    assert estimates.lambda_ == 0
    assert (estimates.ppi.low, estimates.ppi.high) == (estimates.labels_only.low, estimates.labels_only.high)


def test_unscored_samples_have_no_verdict_but_stay_in_the_population() -> None:
    estimates = estimate_pass_rate(labelled_run([1, 0, 1, NAN], [0.9, NAN, 0.8, 0.2]))
    assert (estimates.unscored, estimates.naive.n, estimates.labels_only.n) == (1, 3, 3)
    nothing = estimate_pass_rate(labelled_run([1, 0, 1, NAN], [NAN] * 4))
    assert math.isnan(nothing.naive.value)
    assert nothing.ppi.value == pytest.approx(2 / 3)


@pytest.mark.parametrize("passed", [[NAN, NAN, NAN], [1, NAN, NAN]])
def test_without_two_labels_there_are_no_bounds(passed: list[float]) -> None:
    estimates = estimate_pass_rate(labelled_run(passed, [0.2, 0.4, 0.9]))
    for estimate in (estimates.labels_only, estimates.ppi):
        assert math.isnan(estimate.low) and math.isnan(estimate.high)
    assert math.isnan(estimates.ppi.value) == math.isnan(passed[0])


def test_labels_that_all_agree_keep_a_width() -> None:
    estimates = estimate_pass_rate(labelled_run([1.0] * 20 + [NAN] * 30, np.linspace(0, 1, 50)))
    plain = proportion_interval(20, 20)
    assert (estimates.ppi.low, estimates.ppi.high) == (pytest.approx(plain.low), 1.0)


def test_trials_of_one_test_case_count_once() -> None:
    """Ten identical trials of each test case tell no more than one trial each."""
    rng = np.random.default_rng(6)
    truth, prediction = (rng.random(40) < 0.6).astype(float), rng.random(40)
    once = estimate_pass_rate(labelled_run(truth, prediction))
    cases = np.repeat(np.arange(40), 10)
    often = estimate_pass_rate(labelled_run(np.repeat(truth, 10), np.repeat(prediction, 10), clusters=cases))
    assert often.labels_only_standard_error == pytest.approx(once.labels_only_standard_error)
    assert often.n_labels == 400


def test_the_document_has_the_three_estimates() -> None:
    document = estimate_pass_rate(labelled_run([1, 0, NAN], [0.9, 0.2, 0.5])).document()
    estimates = document["estimates"]
    assert isinstance(estimates, dict)
    assert set(estimates) == {"naive", "labels_only", "ppi"}


@pytest.mark.parametrize(
    ("passed", "prediction", "weights"),
    [
        ([1, 0.5], [0.1, 0.2], None),
        ([1, 0], [0.1], None),
        ([1, 0], [0.1, math.inf], None),
        ([1, 0], [0.1, 0.2], [1, 0]),
    ],
)
def test_what_does_not_fit_is_refused(passed: list[float], prediction: list[float], weights: list[float]) -> None:
    with pytest.raises(HcatError):
        labelled_run(passed, prediction, weights=weights)


@given(st.integers(0, 10**6), st.floats(0.1, 50))
def test_only_ratios_of_weights_count_and_ppi_is_never_less_exact(seed: int, factor: float) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 60))
    passed = np.where(rng.random(n) < 0.6, rng.random(n) < 0.5, NAN)
    prediction, weights = rng.random(n), rng.uniform(0.5, 5, n)
    estimates = estimate_pass_rate(labelled_run(passed, prediction, weights=weights))
    scaled = estimate_pass_rate(labelled_run(passed, prediction, weights=factor * weights))
    assert estimates.ppi.value == pytest.approx(scaled.ppi.value, nan_ok=True, abs=1e-6)
    assert 0 <= estimates.lambda_ <= 1
    if not math.isnan(estimates.standard_error):
        assert estimates.standard_error <= estimates.labels_only_standard_error * (1 + 1e-9)


@pytest.mark.parametrize(("good", "trials", "cases"), [(1, 2, 10), (1, 4, 3), (9, 10, 20), (3, 4, 3)])
def test_test_cases_that_all_pass_alike_keep_a_width(good: int, trials: int, cases: int) -> None:
    y = np.tile([1.0] * good + [0.0] * (trials - good), cases)
    names = np.repeat([f"q{k}" for k in range(cases)], trials)
    found = estimate_pass_rate(labelled_run(y, np.full(len(y), np.nan), clusters=names))
    assert found.effective_n == pytest.approx(cases)
    assert found.ppi.high - found.ppi.low > 0.1
    mirrored = estimate_pass_rate(labelled_run(1 - y, np.full(len(y), np.nan), clusters=names))
    assert (mirrored.ppi.low, mirrored.ppi.high) == pytest.approx((1 - found.ppi.high, 1 - found.ppi.low), abs=1e-9)


@pytest.mark.parametrize("n", [5, 6, 7, 10, 12, 20])
def test_labels_that_all_agree_need_no_metric(n: int) -> None:
    """Rounding never looks like a spread that the metric could explain: all pass is all fail in the mirror."""
    prediction = np.linspace(0.1, 0.9, 4 * n)
    found = [
        estimate_pass_rate(labelled_run(np.r_[np.full(n, y), np.full(3 * n, np.nan)], prediction)) for y in (1.0, 0.0)
    ]
    assert all(one.lambda_ == 0 and one.ppi.value in (0.0, 1.0) for one in found)
    assert found[0].ppi.low == found[0].labels_only.low == pytest.approx(1 - found[1].ppi.high, abs=1e-12)


def test_the_rate_of_these_answers_is_exact_once_all_are_labelled() -> None:
    passed = np.array([1.0] * 31 + [0.0] * 52)
    found = estimate_pass_rate(labelled_run(passed, np.full(83, NAN)))
    assert found.of_these is not None and found.of_these.is_exact
    assert (found.of_these.ppi.value, found.of_these.ppi.low, found.of_these.ppi.high) == (31 / 83, 31 / 83, 31 / 83)
    assert found.ppi.high - found.ppi.low > 0.2  # of answers like these there are more


def test_plain_labels_have_the_finite_population_correction() -> None:
    # 30 of 60 labels of 100 pass: Wilson at n / (1 − n/N) = 150, rounded outwards to hundredths: 0.4203, 0.5797.
    passed = np.concatenate([np.tile([1.0, 0.0], 30), np.full(40, NAN)])
    found = estimate_pass_rate(labelled_run(passed, np.full(100, NAN))).of_these
    assert found is not None
    assert (found.labels_only.value, found.labels_only.low, found.labels_only.high) == pytest.approx((0.5, 0.42, 0.58))


def test_no_bound_of_these_answers_contradicts_a_label() -> None:
    passed = np.array([1.0] * 18 + [0.0] + [NAN])
    found = estimate_pass_rate(labelled_run(passed, np.full(20, NAN))).of_these
    assert found is not None
    assert (found.ppi.low, found.ppi.high) == pytest.approx((0.9, 0.95))


def test_failures_found_with_little_weight_are_not_taken_for_all() -> None:
    # 40 labels of weight 1 and 20 of weight 15; the 4 that fail are light. Their variance alone would count as 1,100.
    passed = np.array([0.0] * 4 + [1.0] * 56)
    weights = np.array([1.0] * 40 + [15.0] * 20)
    run = labelled_run(
        np.concatenate([passed, np.full(280, NAN)]), np.full(340, NAN), weights=np.concatenate([weights, np.ones(280)])
    )
    found = estimate_pass_rate(run)
    # Kish: 340² / (40 + 20 · 225) = 25.5. Of the variance of labels, 60 · 0.0116 / (61 · 0.0195) = 0.59 is seen.
    assert found.labels_only_effective_n < 60
