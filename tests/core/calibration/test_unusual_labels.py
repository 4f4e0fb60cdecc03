"""Calibration where samples lack a metric, weights go with the outcome, or the labels to fit with are of one kind."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hcat.core.calibration.calibrate import calibrate
from hcat.core.calibration.checks.baselines import baseline_aucs
from hcat.core.calibration.checks.diagnostics import diagnose
from hcat.core.calibration.conformal.mondrian import BY_CLASS
from hcat.core.calibration.dataset import join_scores
from hcat.core.calibration.maps.isotonic import fit_isotonic
from hcat.core.calibration.refits import refitted_probabilities
from hcat.core.capabilities.calibration.wording.calibration import map_description
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.statistics.clusters import weighted_effective_n
from hcat.core.statistics.proportions import weighted_proportion
from hcat.core.types import Criterion, Label

CRITERION = Criterion("correctness")


def table(**columns: np.ndarray) -> ScoreTable:
    size = len(next(iter(columns.values())))
    index = pd.Index([f"s{k}" for k in range(size)], name="sample_id", dtype="str")
    return ScoreTable(pd.DataFrame(columns, index=index), Provenance("0", "r", tuple(columns)))


def labels(passed: np.ndarray) -> list[Label]:
    return [Label(f"s{k}", CRITERION.name, int(level), "ann") for k, level in enumerate(passed)]


def related(seed: int, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two metrics, and whether people pass."""
    rng = np.random.default_rng(seed)
    first = rng.normal(size=n)
    return first, first + rng.normal(size=n), rng.random(n) < 1 / (1 + np.exp(-2 * first))


@pytest.mark.parametrize("method", ["combined", "xgboost"])
def test_a_test_case_without_a_metric_does_not_stop_the_check(method: str) -> None:
    """In a round whose fit has no such test case, nothing can be said of it: it is not checked there."""
    checked = set()
    for seed in range(4):
        first, second, passed = related(seed, 96)
        second[:6] = np.nan
        cases = {f"s{k}": f"{seed} case {k // 6}" for k in range(96)}
        made = calibrate(
            labels(passed),
            table(a=first, b=second),
            criterion=CRITERION,
            metrics=["a", "b"],
            method=method,
            test_cases=cases,
            replicates=0,
        )
        assert made.diagnostics is not None
        if made.diagnostics.folds > 1:
            checked.add(made.diagnostics.n)
    assert checked <= {90, 96} and 90 in checked


def test_refits_lack_the_samples_that_the_calibration_lacks() -> None:
    first, second, passed = related(1, 300)
    second[:6] = np.nan
    scores = table(a=first, b=second)
    made = calibrate(labels(passed), scores, criterion=CRITERION, metrics=["a", "b"], method="combined", replicates=0)
    refits = refitted_probabilities(made, labels(passed), scores, criterion=CRITERION, refits=3).values()
    assert np.isnan(made.probability(scores)).sum() == 6
    assert (np.isnan(refits).sum(axis=1) == 6).all()


def test_refits_keep_the_directions_of_the_calibration() -> None:
    first, _, passed = related(2, 300)
    scores = table(b=-first)
    made = calibrate(
        labels(passed),
        scores,
        criterion=CRITERION,
        metrics=["b"],
        method="combined",
        directions={"b": "higher"},
        replicates=0,
    )
    refits = refitted_probabilities(made, labels(passed), scores, criterion=CRITERION, refits=3).values()
    assert np.ptp(made.probability(scores)) == pytest.approx(0, abs=1e-9)
    assert np.ptp(refits, axis=1) == pytest.approx(0, abs=1e-9)


def test_a_baseline_whose_way_round_the_fit_does_not_show_is_left_out() -> None:
    first, second, passed = related(3, 300)
    known = join_scores(labels(passed), table(a=first), criterion=CRITERION, metrics=["a"])
    fit, check = known.part("fit"), known.part("check")
    failed_to_fit = [int(name[1:]) for name, good in zip(fit.sample_ids, fit.passed, strict=True) if not good]
    scores = table(a=first, token_f1=second, token_recall=second.copy())
    scores.frame.loc[[f"s{k}" for k in failed_to_fit], "token_f1"] = np.nan
    assert np.isfinite(scores.frame["token_f1"][list(fit.sample_ids)]).mean() > 0.4
    found = baseline_aucs(scores, fit, check, besides=["a"], level=0.95)
    assert "token_f1" not in found and found["token_recall"].value > 0.5


def test_a_weighted_share_by_hand() -> None:
    # Weights 1, 1, 2 with hits 1, 0, 0: share 1/4; its variance (0.25·0.75)² + (0.25·0.25)² + (0.5·0.25)² = 0.0546875,
    # which is that of 3.4 labels: Kish's 16/6 stands.
    assert weighted_effective_n(np.array([1.0, 0, 0]), np.array([1.0, 1, 2])) == pytest.approx(16 / 6)
    # With the heavy one as the hit: share 1/2; variance (0.25·0.5)²·2 + (0.5·0.5)² = 0.09375: 2.667, as Kish has it.
    assert weighted_effective_n(np.array([0.0, 0, 1]), np.array([1.0, 1, 2])) == pytest.approx(16 / 6)
    # Of two heavy labels one hits, of twenty light ones all do.
    hits, weights = np.r_[1.0, 0, np.ones(20)], np.r_[10.0, 10, np.ones(20)]
    value = 30 / 40
    variance = ((10 * (1 - value)) ** 2 + (10 * value) ** 2 + 20 * (1 - value) ** 2) / 40**2
    assert weighted_effective_n(hits, weights) == pytest.approx(value * (1 - value) / variance)
    assert weighted_effective_n(hits, weights) < 40**2 / (2 * 100 + 20)


def test_weighted_shares_cover_where_heavy_labels_differ() -> None:
    """10 labels of 200 samples of which half pass, 300 of 300 that all pass: Kish's n alone covered 88 %."""
    rng = np.random.default_rng(4)
    truth, inside = (200 * 0.5 + 300) / 500, 0
    for _ in range(1000):
        found = weighted_proportion(
            np.r_[rng.random(10) < 0.5, np.ones(300)], weights=np.r_[np.full(10, 20.0), np.ones(300)]
        )
        inside += found.low <= truth <= found.high
    assert inside >= 940


def test_a_dimension_named_class_does_not_hide_coverage_within_classes() -> None:
    found = diagnose(
        [0.1, 0.9, 0.8, 0.2], [0, 1, 0, 1], q_hat=0.3, groups={BY_CLASS: ["A", "B", "A", "B"]}, replicates=0
    )
    assert set(found.cells[BY_CLASS]) == {"fail", "pass"}


def test_a_falling_map_is_said_to_fall() -> None:
    x = np.linspace(0, 1, 40)
    for passed, way in ((x > 0.5, "rises"), (x < 0.5, "falls")):
        assert f"probability {way} with" in map_description(
            fit_isotonic(x[:, None], passed.astype(float), metrics=["m"])
        )
