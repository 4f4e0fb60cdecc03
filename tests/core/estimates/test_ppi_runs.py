"""Cross-fitting, estimates of a run from labels and scores, and paired differences."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from hcat.core.capabilities.estimates.wording.paired import until_different
from hcat.core.errors import HcatError, NotEnoughLabelsError
from hcat.core.estimates.crossfit import LEAST_OF_A_STRATUM, cross_fit
from hcat.core.estimates.labelled_run import labelled_run
from hcat.core.estimates.paired_difference import estimate_difference, labels_until_different
from hcat.core.estimates.prediction_powered import estimate_pass_rate
from hcat.core.estimates.run_estimates import compare_runs, prepare_run, unequal_design
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.statistics.partition import assign_fold
from hcat.core.types import Criterion, Label
from tests.core.estimates.whole_run import estimate_run

NAN = math.nan
CRITERION = Criterion("correct")


def run_of(seed: int, *, n: int = 400, labelled: int = 80, shift: float = 0.0) -> tuple[list[Label], ScoreTable]:
    rng = np.random.default_rng(seed)
    score = rng.normal(size=n)
    passed = rng.random(n) < 1 / (1 + np.exp(-(2 * score + shift)))
    index = pd.Index([f"s{i}" for i in range(n)], name="sample_id", dtype="str")
    labels = [Label(f"s{i}", "correct", int(passed[i]), probability=labelled / n) for i in range(labelled)]
    return labels, ScoreTable(pd.DataFrame({"m": score}, index=index), Provenance("0", "h", ("m",)))


def test_folds_are_even_and_stay() -> None:
    folds = [assign_fold(f"sample {i}") for i in range(5000)]
    assert np.bincount(folds).min() > 900
    assert (min(folds), max(folds)) == (0, 4)
    assert assign_fold("sample 1") == folds[1]


def test_no_label_touches_predictions_of_its_own_fold() -> None:
    labels, scores = run_of(1)
    ids = list(scores.sample_ids)
    X = scores.values("m")[:, None]
    passed = np.full(400, NAN)
    passed[:80] = [label.level for label in labels]
    before = cross_fit(X, passed, keys=ids, metrics=["m"])
    for changed in range(0, 80, 7):
        other = passed.copy()
        other[changed] = 1 - other[changed]
        after = cross_fit(X, other, keys=ids, metrics=["m"])
        same = np.array([assign_fold(key) == assign_fold(ids[changed]) for key in ids])
        assert np.array_equal(before[same], after[same])
        assert (before[~same] != after[~same]).all()


def test_a_stratum_with_labels_enough_has_maps_of_its_own_and_others_take_all_labels() -> None:
    _, scores = run_of(1)
    ids, X = list(scores.sample_ids), scores.values("m")[:, None]
    passed = np.where(np.arange(400) < 120, np.random.default_rng(3).integers(0, 2, 400), NAN)
    strata = np.array(["few" if k % 12 == 0 else f"many {k % 2}" for k in range(400)])
    found = cross_fit(X, passed, keys=ids, metrics=["m"], strata=strata.tolist())
    for name in ("many 0", "many 1"):
        rows = np.flatnonzero(strata == name)
        own = cross_fit(X[rows], passed[rows], keys=[ids[k] for k in rows], metrics=["m"])
        assert np.array_equal(found[rows], own)
    rest = strata == "few"
    assert 0 < np.sum(~np.isnan(passed[rest])) < LEAST_OF_A_STRATUM
    assert np.array_equal(found[rest], cross_fit(X, passed, keys=ids, metrics=["m"])[rest])
    for changed in np.flatnonzero(~np.isnan(passed))[::9]:
        other = passed.copy()
        other[changed] = 1 - other[changed]
        after = cross_fit(X, other, keys=ids, metrics=["m"], strata=strata.tolist())
        same = np.array([assign_fold(key) == assign_fold(ids[changed]) for key in ids])
        assert np.array_equal(found[same], after[same])
    one = cross_fit(X, passed, keys=ids, metrics=["m"], strata=["all"] * 400)
    assert np.array_equal(one, cross_fit(X, passed, keys=ids, metrics=["m"]))


def test_trials_of_one_test_case_share_a_fold() -> None:
    labels, scores = run_of(2)
    cases = [f"case {i // 4}" for i in range(400)]
    X = scores.values("m")[:, None]
    passed = np.full(400, NAN)
    passed[:80] = [label.level for label in labels]
    before = cross_fit(X, passed, keys=cases, metrics=["m"])
    passed[0] = 1 - passed[0]
    after = cross_fit(X, passed, keys=cases, metrics=["m"])
    assert np.array_equal(before[:4], after[:4])


def test_too_few_labels_are_said() -> None:
    with pytest.raises(NotEnoughLabelsError):
        cross_fit(np.zeros((30, 1)), np.full(30, NAN), keys=[str(i) for i in range(30)], metrics=["m"])
    labels, scores = run_of(3, labelled=6)
    estimates = estimate_run(labels, scores, criterion=CRITERION, metrics=["m"])
    assert estimates.note.startswith("No metric was used")
    assert math.isnan(estimates.naive.value)
    assert (estimates.ppi.low, estimates.ppi.value) == (estimates.labels_only.low, estimates.labels_only.value)


def test_without_a_map_of_maximum_likelihood_the_labels_alone_count() -> None:
    labels, scores = run_of(3)
    apart = [Label(x.sample_id, "correct", int(scores.values("m")[i] > 0)) for i, x in enumerate(labels)]
    estimates = estimate_run(apart, scores, criterion=CRITERION, metrics=["m"], method="platt")
    assert estimates.note.startswith("No metric was used: the scores separate the labels")
    assert (estimates.ppi.low, estimates.ppi.value) == (estimates.labels_only.low, estimates.labels_only.value)
    overlapping = estimate_run(labels, scores, criterion=CRITERION, metrics=["m"], method="platt")
    assert not overlapping.note and not math.isnan(overlapping.naive.value)


def test_a_run_of_known_rate() -> None:
    labels, scores = run_of(4, n=4000, labelled=400)
    estimates = estimate_run(labels, scores, criterion=CRITERION, metrics=["m"])
    assert estimates.n_samples == 4000
    assert estimates.ppi.low < 0.5 < estimates.ppi.high
    assert estimates.effective_n > 1.2 * estimates.labels_only_effective_n == pytest.approx(1.2 * 400)


def test_labels_are_joined_weighted_and_counted() -> None:
    labels, scores = run_of(5)
    others = [Label("nowhere", "correct", 1), Label("s0", "other criterion", 0)]
    tie = [Label("s399", "correct", 0, annotator="a"), Label("s399", "correct", 1, annotator="b")]
    heavy = [Label("s390", "correct", 1, probability=0.01)]
    prepared = prepare_run([*labels, *others, *tie, *heavy], scores, criterion=CRITERION, metrics=["m"])
    assert prepared.left_out == {"tie": 1, "not in the scores": 1}
    assert int(prepared.run.labelled.sum()) == 81
    assert prepared.run.weights is not None and prepared.run.weights[390] == 100


def test_unscored_samples_keep_their_labels() -> None:
    labels, scores = run_of(6)
    scores.frame.iloc[:10, 0] = np.nan
    estimates = estimate_run(labels, scores, criterion=CRITERION, metrics=["m"])
    assert (estimates.n_labels, estimates.unscored, estimates.naive.n) == (80, 10, 390)


def test_strata_and_clusters_must_cover_the_run() -> None:
    labels, scores = run_of(7)
    with pytest.raises(HcatError, match="stratum"):
        estimate_run(labels, scores, criterion=CRITERION, metrics=["m"], strata={"s0": "a"})
    with pytest.raises(HcatError, match="at least one metric"):
        estimate_run(labels, scores, criterion=CRITERION, metrics=[])


def test_a_run_does_not_differ_from_itself() -> None:
    run = run_of(8)
    difference = compare_runs(run, run, criterion=CRITERION, metrics=["m"])
    assert difference.ppi.value == pytest.approx(0, abs=1e-12)
    assert difference.standard_error == pytest.approx(0, abs=1e-12)
    assert (difference.pairs, difference.correlation) == (80, pytest.approx(1))


def test_the_paired_error_of_labels_alone_is_that_of_the_differences() -> None:
    rng = np.random.default_rng(9)
    first, second = (rng.random(60) < 0.5).astype(float), (rng.random(60) < 0.6).astype(float)
    cases = [f"c{i}" for i in range(60)]
    made = estimate_difference(
        labelled_run(first, np.full(60, 0.5), clusters=cases), labelled_run(second, np.full(60, 0.5), clusters=cases)
    )
    differences = second - first
    assert made.labels_only.value == pytest.approx(differences.mean())
    assert made.labels_only_standard_error == pytest.approx(differences.std(ddof=1) / np.sqrt(60))


def test_runs_without_a_common_case_have_independent_errors() -> None:
    rng = np.random.default_rng(10)
    runs = [
        labelled_run(rng.random(50) < 0.5, rng.random(50), clusters=[f"{name}{i}" for i in range(50)]) for name in "ab"
    ]
    made = estimate_difference(*runs)
    alone = math.hypot(made.first.labels_only_standard_error, made.second.labels_only_standard_error)
    assert made.labels_only_standard_error == pytest.approx(alone)
    assert made.pairs == 0


def test_agreeing_labels_keep_a_width_in_the_difference() -> None:
    cases = [str(i) for i in range(20)]
    perfect = labelled_run(np.ones(20), np.full(20, 0.5), clusters=cases)
    made = estimate_difference(perfect, perfect)
    assert made.ppi.value == 0
    assert made.ppi.low < 0 < made.ppi.high


def test_a_difference_needs_test_cases() -> None:
    run = labelled_run([1, 0, 1], [0.5, 0.5, 0.5])
    with pytest.raises(HcatError, match="cluster"):
        estimate_difference(run, run)


def test_a_difference_without_a_standard_error_has_no_bounds() -> None:
    first = labelled_run([1, *[NAN] * 9], [0.4] * 10, clusters=[f"c{i}" for i in range(10)])
    second = labelled_run([1, 0] * 5, [0.4] * 10, clusters=[f"c{i}" for i in range(10)])
    found = estimate_difference(first, second)
    assert found.ppi.value == -0.5
    assert all(math.isnan(bound) for bound in (found.ppi.low, found.ppi.high, found.labels_only.low))


def test_a_difference_of_verdicts_alone_has_no_interval() -> None:
    cases = [f"c{i}" for i in range(30)]
    found = estimate_difference(*(labelled_run([NAN] * 30, [p] * 30, clusters=cases) for p in (0.4, 0.7)))
    assert (found.naive.value, found.naive.n) == (1, 60)
    assert math.isnan(found.naive.low) and math.isnan(found.naive.high)


def test_a_stratum_whose_labels_are_of_one_test_case_is_merged() -> None:
    passed = np.full(40, NAN)
    passed[[0, 2, 4, 6, 8]] = [1, 0, 1, 1, 0]
    passed[[20, 21]] = [1, 0]
    cases, strata = [f"c{i // 2}" for i in range(40)], ["a"] * 20 + ["b"] * 20
    found = estimate_pass_rate(labelled_run(passed, np.linspace(0, 1, 40), strata=strata, clusters=cases))
    together = estimate_pass_rate(labelled_run(passed, np.linspace(0, 1, 40), clusters=cases))
    assert found.ppi == together.ppi and 0 < found.ppi.low < found.ppi.high < 1


@pytest.mark.parametrize("n", [20, 50])
def test_runs_of_which_no_pair_differs_keep_a_width(n: int) -> None:
    y = np.r_[np.ones(n - 6), np.zeros(6)]
    ids = [f"q{i}" for i in range(n)]
    nothing = np.full(n, NAN)
    found = estimate_difference(labelled_run(y, nothing, clusters=ids), labelled_run(y, nothing, clusters=ids))
    # Tango's score interval without a pair that differs: n · Δ = z² (1 − Δ).
    half = 1.959964**2 / (n + 1.959964**2)
    assert (found.ppi.low, found.ppi.high) == pytest.approx((-half, half), abs=1e-6)
    assert (found.ppi, found.p) == (found.labels_only, 1.0)


def test_runs_that_differ_alike_in_every_test_case_are_no_certainty() -> None:
    cases = [f"q{i // 4}" for i in range(12)]
    first, second = np.tile([1.0, 0, 0, 0], 3), np.tile([1.0, 1, 1, 0], 3)
    runs = (labelled_run(y, np.full(12, NAN), clusters=cases) for y in (first, second))
    found = estimate_difference(*runs)
    assert found.ppi.value == pytest.approx(0.5)
    assert found.ppi.low < 0.2 and found.ppi.high == 1.0 and found.p > 0.05


def test_very_unequal_designs_are_warned_of() -> None:
    rng = np.random.default_rng(17)
    p = rng.beta(4, 1, 2000)
    inclusion = np.minimum(1, 120 * ((1 - p) ** 2 + 0.001) / np.sum((1 - p) ** 2 + 0.001))
    assert "very unequal probabilities" in unequal_design(1 / inclusion[rng.random(2000) < inclusion])
    # What its own queues of uncertain samples draw with is no such design.
    spread = np.sqrt(p * (1 - p)) + 0.05
    own = 120 * spread / spread.sum()
    assert unequal_design(1 / own[rng.random(2000) < own]) == ""


def test_labels_until_a_difference_is_shown() -> None:
    """At a standard error of s it takes n · ((1.96 + 0.84) s / d)² labels; None where the difference is shown."""
    cases = [f"c{i}" for i in range(60)]
    first = labelled_run([float(i % 5 < 3) for i in range(60)], [0.5] * 60, clusters=cases)
    second = labelled_run([float(i % 20 < 13) for i in range(60)], [0.5] * 60, clusters=cases)
    found = estimate_difference(first, second)
    needed = labels_until_different(found)
    assert found.ppi.low < 0 < found.ppi.high and needed is not None
    exact = found.ppi.n * (2.80158 * found.standard_error / found.ppi.value) ** 2
    assert needed == pytest.approx(exact, abs=1.5)
    assert f"About {needed:,} labels on both runs together" in until_different(found)
    shown = estimate_difference(first, labelled_run([1.0] * 60, [0.5] * 60, clusters=cases))
    assert labels_until_different(shown) is None and until_different(shown) == ""
