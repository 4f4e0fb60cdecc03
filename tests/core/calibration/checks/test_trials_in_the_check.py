"""Where the check holds several trials of a test case, intervals rest on test cases and say so."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hcat.core.calibration.calibrate import calibrate
from hcat.core.calibration.checks.diagnostics import Diagnostics, diagnose
from hcat.core.calibration.checks.reliability import bin_sums, corrected_calibration_error
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.statistics.discrimination import auc, auc_estimate, auc_influence
from hcat.core.statistics.intervals import proportion_interval
from hcat.core.statistics.proportions import weighted_proportion
from hcat.core.types import Criterion, Estimate, Label

CASES = np.repeat(np.arange(20), 5)


def estimates(d: Diagnostics) -> list[Estimate]:
    assert d.ece_corrected is not None and d.brier_parts is not None and d.decided is not None
    parts = [d.decided.error, d.decided.type_1, d.decided.type_2, d.brier_parts.reliability, d.ece_corrected]
    within = [e for cells in d.cells.values() for cell in cells.values() for e in (cell.coverage, cell.undecided)]
    bins = [part.observed for part in d.reliability]
    return [d.auc, d.brier, d.type_1, d.type_2, d.coverage, d.undecided, *parts, *within, *bins]


def test_the_effective_n_by_hand() -> None:
    # 18 of 20 test cases pass in all 5 trials: influences sum to 18 · 0.005² + 2 · 0.045² = 0.0045 over test cases; the
    # variance is 20/19 of it, so that n = 0.09 / 0.0047368 = 19; times (1.960 / 2.093)² = 0.8769: 16.7.
    found = weighted_proportion(np.repeat([1] * 18 + [0] * 2, 5), clusters=CASES)
    assert found.value == 0.9 and found.n == 100
    assert found.method == "wilson at effective n = 16.7, clustered"
    assert found.low < proportion_interval(18, 20).low


def test_trials_that_all_agree_count_once() -> None:
    assert weighted_proportion([1] * 100, clusters=CASES).low == pytest.approx(proportion_interval(20, 20).low)
    exact = weighted_proportion([1] * 100, clusters=CASES, method="clopper-pearson")
    assert exact.low == pytest.approx(0.025 ** (1 / 20)) and exact.high == 1
    assert "n = 20.0" in weighted_proportion([1] * 100, weights=[2.0] * 100, clusters=CASES).method
    # A single test case says no more than one sample.
    assert (
        weighted_proportion([1, 1, 0], clusters=["a"] * 3).high - weighted_proportion([1, 1, 0], clusters=["a"] * 3).low
        > 0.75
    )


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 6), st.integers(1, 5)), min_size=1, max_size=40))
def test_a_clustered_share_lies_in_its_interval(rows: list[tuple[bool, int, int]]) -> None:
    hits, cases, weights = ([row[k] for row in rows] for k in range(3))
    for w in (None, weights):
        for method in ("wilson", "clopper-pearson"):
            found = weighted_proportion(hits, weights=w, clusters=cases, method=method)  # type: ignore[arg-type]
            assert 0 <= found.low <= found.value <= found.high <= 1


def test_samples_of_their_own_test_case_are_as_without() -> None:
    rng = np.random.default_rng(2)
    p = rng.random(120)
    y = rng.random(120) < p
    apart = diagnose(p, y, q_hat=0.7, test_cases=[f"c{k}" for k in range(120)], replicates=20)
    assert apart == diagnose(p, y, q_hat=0.7, replicates=20)


def test_every_interval_says_that_it_is_clustered() -> None:
    rng = np.random.default_rng(2)
    p = np.repeat(rng.random(40), 5)
    y = np.repeat(rng.random(40), 5) < p
    found = diagnose(p, y, q_hat=0.7, test_cases=[f"c{k}" for k in np.repeat(np.arange(40), 5)], replicates=100)
    assert all("cluster" in e.method for e in estimates(found))
    plain = diagnose(p, y, q_hat=0.7, replicates=100)
    wider = [b.high - b.low > a.high - a.low for a, b in zip(estimates(plain), estimates(found), strict=True)]
    assert np.mean(wider) > 0.9


def test_influences_are_those_of_delong() -> None:
    rng = np.random.default_rng(4)
    y, w = rng.random(60) < 0.6, rng.integers(1, 4, 60).astype(float)
    s = np.round(rng.normal(size=60) + y, 1)
    higher = (s[y][:, None] > s[~y]) + 0.5 * (s[y][:, None] == s[~y])
    value = auc(s, y, weights=w)
    of_pass = w[y] / w[y].sum() * (np.average(higher, axis=1, weights=w[~y]) - value)
    of_fail = w[~y] / w[~y].sum() * (np.average(higher, axis=0, weights=w[y]) - value)
    found = auc_influence(s, y, weights=w)
    assert found[y] == pytest.approx(of_pass) and found[~y] == pytest.approx(of_fail)


def test_copies_of_samples_tell_the_auc_no_better() -> None:
    rng = np.random.default_rng(4)
    y = rng.random(40) < 0.5
    s = rng.normal(size=40) + y
    once = auc_estimate(s, y)
    copied = auc_estimate(np.repeat(s, 5), np.repeat(y, 5), clusters=np.repeat(np.arange(40), 5))
    assert copied.value == once.value and "DeLong, clustered" in copied.method
    # As wide but for the 39 degrees of freedom: 39/40 and (1.960 / 2.023)² of n make it 5% wider.
    assert (copied.high - copied.low) / (once.high - once.low) == pytest.approx(1.05, abs=0.02)
    perfect = auc_estimate(np.repeat(y * 1.0, 5), np.repeat(y, 5), clusters=np.repeat(np.arange(40), 5))
    assert perfect.low < auc_estimate(y * 1.0, y).low < perfect.value == 1


def test_copies_are_no_calibration_error() -> None:
    """Of a true probability the corrected error is 0 on average, also where labels stand five times."""
    rng = np.random.default_rng(6)
    apart, together = [], []
    for _ in range(100):
        p = rng.random(40)
        y = rng.random(40) < p
        many = {"probability": np.repeat(p, 5), "passed": np.repeat(y, 5), "generator": rng, "replicates": 0}
        apart.append(corrected_calibration_error(**many).value)  # type: ignore[arg-type]
        together.append(corrected_calibration_error(**many, clusters=np.repeat(np.arange(40), 5)).value)  # type: ignore[arg-type]
    assert np.mean(apart) > 0.08 and abs(np.mean(together)) < 0.03


def test_replicates_draw_whole_test_cases() -> None:
    p = np.repeat(np.linspace(0.1, 0.9, 20), 5)
    sums = bin_sums(p, p > 0.5, clusters=CASES, generator=np.random.default_rng(1), replicates=50)
    assert (sums.weight % 5 == 0).all() and (sums.weight.sum(axis=1) == 100).all()


def test_a_calibration_hands_its_test_cases_to_the_check() -> None:
    rng = np.random.default_rng(3)
    names = [f"case-{c}/{t}" for c in range(100) for t in range(4)]
    good = np.repeat(rng.random(100), 4)
    passed = np.repeat(rng.random(100), 4) < 1 / (1 + np.exp(-6 * (good - 0.5)))
    columns = {"good": good, "answer_length": rng.random(400)}
    frame = pd.DataFrame(columns, index=pd.Index(names, name="sample_id", dtype="str"))
    table = ScoreTable(frame, Provenance("0", "r", tuple(columns)))
    labels = [Label(name, "correctness", int(level), "ann") for name, level in zip(names, passed, strict=True)]
    cases = {name: name.split("/")[0] for name in names}
    for some in (labels, labels[:80]):
        made = calibrate(some, table, criterion=Criterion("correctness"), metrics=["good"], test_cases=cases)
        assert made.diagnostics is not None
        for found in (made.diagnostics.coverage, made.diagnostics.auc, made.diagnostics.baselines["answer_length"]):
            assert "clustered" in found.method
