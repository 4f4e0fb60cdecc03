"""Paired changes by family: against arithmetic, and against statsmodels."""

from __future__ import annotations

import math

import numpy as np
import pytest
import statsmodels.api as sm
from statsmodels.stats.contingency_tables import mcnemar

from hcat.core.capabilities.robustness.change import changes_by_family, pass_changes
from hcat.core.capabilities.robustness.dose_response import dose_response


def passes(lost: int, gained: int, both: int, neither: int) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Passes of variants and origins, one pair a cluster."""
    variants = np.array([0.0] * lost + [1.0] * gained + [1.0] * both + [0.0] * neither)
    origins = np.array([1.0] * lost + [0.0] * gained + [1.0] * both + [0.0] * neither)
    return variants, origins, [str(n) for n in range(len(variants))]


@pytest.mark.parametrize(("lost", "gained"), [(9, 1), (3, 3), (0, 0), (0, 7), (25, 11)])
def test_mcnemar_is_that_of_statsmodels(lost: int, gained: int) -> None:
    found = pass_changes(*passes(lost, gained, 20, 5))
    assert (found.both, found.lost, found.gained, found.neither) == (20, lost, gained, 5)
    expected = mcnemar([[20, lost], [gained, 5]], exact=False, correction=False).pvalue if lost + gained else 1.0
    assert found.p == pytest.approx(expected, abs=1e-12)
    variants, origins, clusters = passes(lost, gained, 20, 5)
    (change,) = changes_by_family(variants, origins, ["f"] * len(variants), clusters, within=(0.0, 1.0))
    assert change.p == pytest.approx(found.p)  # one number for one thing
    assert (change.change.low <= 0 <= change.change.high) == (found.p > 0.05)


def test_several_pairs_of_an_origin_are_tested_together() -> None:
    # 12 origins that lose all of their 4 variants' passes count as 12 pairs: z = 12 / √12
    variants, origins = np.zeros(48), np.ones(48)
    found = pass_changes(variants, origins, [str(n // 4) for n in range(48)])
    assert found.p == pytest.approx(mcnemar([[0, 12], [0, 0]], exact=False, correction=False).pvalue)
    assert math.isnan(pass_changes(variants[:24], origins[:24], [str(n // 4) for n in range(24)]).p)  # too few


def test_trials_of_the_origin_share_a_pair_out() -> None:
    found = pass_changes(np.array([0.0, 1.0]), np.array([0.75, 0.5]), ["a", "b"])
    assert (found.lost, found.gained, found.both, found.neither) == (0.75, 0.5, 0.5, 0.25)
    assert found.n == 2


def test_the_change_is_the_mean_of_clustered_differences() -> None:
    rng = np.random.default_rng(5)
    clusters = [f"c{n // 3}" for n in range(60)]
    origins = rng.normal(0.6, 0.1, 60)
    values = origins - 0.1 + np.repeat(rng.normal(0, 0.1, 20), 3) + rng.normal(0, 0.05, 60)
    (change,) = changes_by_family(values, origins, ["spelling"] * 60, clusters)
    codes = np.repeat(np.arange(20), 3)
    model = sm.OLS(values - origins, np.ones(60)).fit(
        cov_type="cluster", cov_kwds={"groups": codes, "use_correction": False}, use_t=True
    )
    # statsmodels without its correction, with G / (G − 1) and t of 19 degrees
    half = 2.0930240544 * math.sqrt(20 / 19) * float(model.bse[0])
    assert change.change.value == pytest.approx(float(model.params[0]), abs=1e-12)
    assert change.change.high - change.change.value == pytest.approx(half, abs=1e-9)
    assert (change.n, change.cases, change.verdict) == (60, 20, "worse")


def test_families_come_worst_first_and_small_ones_are_not_tested() -> None:
    origins = np.full(45, 0.5)
    values = np.concatenate([np.full(20, 0.45), np.linspace(0.1, 0.3, 20), np.full(5, 0.9)])
    families = ["case"] * 20 + ["spelling"] * 20 + ["filler"] * 5
    changes = changes_by_family(values, origins, families, [str(n) for n in range(45)])
    assert [change.family for change in changes] == ["spelling", "case", "filler"]
    assert changes[2].verdict == "insufficient evidence"
    assert math.isnan(changes[2].q)
    assert [change.verdict for change in changes[:2]] == ["worse", "worse"]
    lower_is_better = changes_by_family(values, origins, families, [str(n) for n in range(45)], direction="lower")
    assert lower_is_better[0].family == "filler"
    assert lower_is_better[-1].verdict == "better"


def test_q_is_over_families() -> None:
    rng = np.random.default_rng(2)
    values = rng.normal(0, 1, 200)
    families = [f"f{n // 20}" for n in range(200)]
    changes = changes_by_family(values, np.zeros(200), families, [str(n) for n in range(200)])
    by_p = sorted(changes, key=lambda change: change.p)
    assert all(change.q >= change.p for change in changes)
    assert by_p[-1].q == pytest.approx(by_p[-1].p)


def test_unscored_pairs_are_left_out() -> None:
    (change,) = changes_by_family(
        np.array([0.1, math.nan, 0.3]), np.array([0.2, 0.2, math.nan]), ["a"] * 3, ["x", "y", "z"]
    )
    assert (change.n, change.cases, change.verdict) == (1, 1, "insufficient evidence")


def within_origins(rng: np.random.Generator, *, slope: float) -> tuple[np.ndarray, np.ndarray, list[str]]:
    strengths = np.tile([0.2, 0.5, 0.8], 30)
    own = np.repeat(rng.normal(0, 0.2, 30), 3)
    return own + slope * strengths + rng.normal(0, 0.05, 90), strengths, [f"o{n // 3}" for n in range(90)]


def test_the_slope_is_that_of_fixed_effects_in_statsmodels() -> None:
    change, strengths, origins = within_origins(np.random.default_rng(3), slope=-0.4)
    dose = dose_response(change, strengths, origins, origins, family="spelling")
    codes = np.repeat(np.arange(30), 3)
    design = np.column_stack([strengths, np.eye(30)[codes]])
    model = sm.OLS(change, design).fit(cov_type="cluster", cov_kwds={"groups": codes, "use_correction": False})
    error = math.sqrt(30 / 29) * float(model.bse[0])
    assert dose.slope.value == pytest.approx(float(model.params[0]), abs=1e-10)
    assert dose.slope.high - dose.slope.value == pytest.approx(2.0452296421 * error, abs=1e-8)  # t of 29 degrees
    assert dose.slope.n == 30
    assert [step.strength for step in dose.steps] == [0.2, 0.5, 0.8]


def test_origins_with_one_strength_do_not_bend_the_slope() -> None:
    change, strengths, origins = within_origins(np.random.default_rng(3), slope=-0.4)
    alone = dose_response(change, strengths, origins, origins, family="spelling")
    more = dose_response(
        np.append(change, [5.0, 5.0]), np.append(strengths, [0.8, 0.8]), [*origins, "x", "y"], [*origins, "x", "y"],
        family="spelling",
    )  # fmt: skip
    assert more.slope == alone.slope


def test_no_two_strengths_no_slope() -> None:
    dose = dose_response(np.zeros(4), np.full(4, 0.2), list("abcd"), list("abcd"), family="case")
    assert math.isnan(dose.slope.value) and math.isnan(dose.p)
