"""What a threshold promises where its labels are trials of fewer test cases."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from hcat.core.calibration.calibrate import calibrate
from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.conformal.guarantee import coverage_range
from hcat.core.calibration.conformal.mondrian import class_thresholds
from hcat.core.calibration.conformal.threshold import conformal_quantile
from hcat.core.capabilities.calibration.wording.guarantee import guarantee, guarantee_of
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.statistics.partition import assign_split
from hcat.core.types import Criterion, Label
from tests.core.calibration.calibration_file import calibration_json


def threshold(n: int, cases: int | None, alpha: float = 0.1):  # type: ignore[no-untyped-def]
    return replace(conformal_quantile(np.arange(1, n + 1) / (n + 1), alpha=alpha), test_cases=cases)


def test_the_range_counts_test_cases() -> None:
    # n = 75, α = 0.1: k = ⌈76 · 0.9⌉ = 69, which is reached in the ⌈69 · 15/75⌉ = 14th of 15 test cases: Beta(14, 2).
    assert coverage_range(threshold(75, 15)) == pytest.approx(stats.beta.interval(0.95, 14, 2))
    assert coverage_range(threshold(99, None)) == coverage_range(threshold(99, 99))
    # A single test case says next to nothing: Beta(1, 1).
    assert coverage_range(threshold(20, 1)) == pytest.approx((0.025, 0.975))


@pytest.mark.parametrize("cases", [15, 40])
def test_copies_cover_as_often_as_is_said(cases: int) -> None:
    """With uniform nonconformity the coverage of a threshold q̂ is q̂ itself."""
    rng = np.random.default_rng(5)
    q = np.array([conformal_quantile(np.repeat(rng.random(cases), 5), alpha=0.1).q_hat for _ in range(1500)])
    inside = {}
    for known in (cases, None):
        low, high = coverage_range(threshold(5 * cases, known))
        inside[known] = float(np.mean((q >= low) & (q <= high)))
    assert abs(inside[cases] - 0.95) < 0.02 and inside[None] < 0.8
    # The promise in words: (1 − α)(1 + 1/n) / (1 + 1/m).
    assert q.mean() > 0.9 * (1 + 1 / (5 * cases)) / (1 + 1 / cases) - 0.005


def test_the_sentence_says_so() -> None:
    text = guarantee(threshold(75, 15))
    # 0.9 · (1 + 1/75) / (1 + 1/15) = 0.855.
    for wanted in ("75 labels", "15 clusters", "at least 0.855", "new cluster", "equally many samples"):
        assert wanted in text
    low, high = stats.beta.interval(0.95, 14, 2)
    assert f"between {low:.1%} and {high:.1%}" in text and "at most" not in text
    assert "only nearly" in guarantee(threshold(75, 15), weighted=True)
    # 0.9 · (1 + 1/2400) / (1 + 1/2000) = 0.89993: a bound is not rounded up.
    assert "at least 0.8999," in guarantee(threshold(2400, 2000))
    assert "test case" not in guarantee(threshold(75, None))


def test_within_classes_too() -> None:
    by_class = class_thresholds(np.linspace(0, 1, 60), [0] * 40 + [1] * 20, names=("fail", "pass"), alpha=0.1)
    of_trials = replace(by_class, thresholds={n: replace(t, test_cases=8) for n, t in by_class.thresholds.items()})
    text = guarantee(threshold(60, 16), conditional=of_trials)
    # The smaller: 0.9 · (1 + 1/40) / (1 + 1/8) = 0.82.
    assert "at least 0.82 within each class" in text and "fewest clusters (8, of 40 labels)" in text


@pytest.mark.parametrize("conditional", ["none", "class", "topic"])
def test_a_calibration_counts_the_test_cases_of_its_threshold(conditional: str) -> None:
    rng = np.random.default_rng(3)
    names = [f"case-{c}/{t}" for c in range(120) for t in range(4)]
    good = np.repeat(rng.random(120), 4)
    passed = rng.random(480) < 1 / (1 + np.exp(-6 * (good - 0.5)))
    frame = pd.DataFrame({"good": good}, index=pd.Index(names, name="sample_id", dtype="str"))
    labels = [Label(name, "correctness", int(level), "ann") for name, level in zip(names, passed, strict=True)]
    cases = {name: name.split("/")[0] for name in names}
    made = calibrate(
        labels,
        ScoreTable(frame, Provenance("0", "r", ("good",))),
        criterion=Criterion("correctness"),
        metrics=["good"],
        conditional=conditional,
        groups={"topic": {name: "a" if int(case.split("-")[1]) < 60 else "b" for name, case in cases.items()}},
        test_cases=cases,
        replicates=0,
    )
    expected = sum(assign_split(case) == "conformal" for case in set(cases.values()))
    assert made.threshold.test_cases == expected and made.threshold.n == 4 * expected
    if made.thresholds is not None:
        counted = [t.test_cases for t in made.thresholds.thresholds.values()]
        assert all(one is not None and 0 < one <= expected for one in counted)
        assert conditional == "class" or sum(one or 0 for one in counted) == expected
    assert "clusters" in guarantee_of(made)
    again = Calibration.from_json(calibration_json(made))
    assert (again.threshold, guarantee_of(again)) == (made.threshold, guarantee_of(made))
