"""Gaps between groups against scipy and statsmodels, and where there is nothing to see."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hcat.core.capabilities.fairness.gap import judged, paired_gap
from hcat.core.capabilities.fairness.matched import matched_gap
from hcat.core.capabilities.fairness.planning import plan_gaps
from hcat.core.errors import HcatError
from hcat.core.statistics.multiplicity import holm


def draw(n: int = 40) -> tuple[np.ndarray, np.ndarray, list[str]]:
    rng = np.random.default_rng(5)
    base = rng.normal(size=n)
    return base + rng.normal(0.1, 0.4, n), base + rng.normal(0, 0.4, n), [f"q{i}" for i in range(n)]


def test_interval_and_equivalence_are_those_of_scipy_and_statsmodels() -> None:
    from scipy.stats import ttest_rel
    from statsmodels.stats.weightstats import ttost_paired

    values, reference, questions = draw()
    gap = paired_gap(values, reference, questions, group="woman", reference="man", margin=0.3)
    known = ttest_rel(values, reference)
    interval = known.confidence_interval(0.95)
    assert (gap.gap.low, gap.gap.high) == pytest.approx((interval.low, interval.high))
    assert gap.p_equivalence == pytest.approx(ttost_paired(values, reference, -0.3, 0.3)[0])
    assert gap.p == pytest.approx(known.pvalue)
    assert (gap.n, gap.clusters) == (40, 40)


def test_clusters_are_those_of_statsmodels() -> None:
    from statsmodels.regression.linear_model import OLS

    values, reference, _ = draw()
    clusters = [f"c{i // 2}" for i in range(40)]
    gap = paired_gap(values, reference, clusters, group="a", reference="b")
    fit = OLS(values - reference, np.ones(40)).fit(
        cov_type="cluster", cov_kwds={"groups": np.arange(40) // 2, "df_correction": True}, use_t=True
    )
    assert (gap.gap.low, gap.gap.high) == pytest.approx(tuple(fit.conf_int()[0]))


def test_matched_is_least_squares_with_a_constant_for_each_stratum() -> None:
    from statsmodels.regression.linear_model import OLS

    rng = np.random.default_rng(2)
    strata = rng.integers(0, 4, 120)
    group = (rng.random(120) < 0.2 + 0.15 * strata).astype(float)
    y = strata + 0.5 * group + rng.normal(size=120)
    gap = matched_gap(
        y, ["w" if g else "m" for g in group], [str(s) for s in strata], [str(i) for i in range(120)],
        group="w", reference="m", margin=1.5,
    )  # fmt: skip
    design = np.column_stack([group, *(strata == s for s in range(4))]).astype(float)
    fit = OLS(y, design).fit(cov_type="HC2")
    assert gap.gap.value == pytest.approx(fit.params[0])
    half = (gap.gap.high - gap.gap.low) / 2
    assert 1.98 <= half / fit.bse[0] <= 2.2  # t, and somewhat more where a side's weighted values look skewed
    assert gap.p_equivalence < 0.01
    assert gap.mean - gap.mean_of_reference == pytest.approx(gap.gap.value)
    assert gap.matching is not None
    assert (gap.matching.strata, gap.matching.compared + gap.matching.compared_of_reference) == (4, 120)


def test_strata_with_one_group_alone_tell_nothing() -> None:
    y = np.array([1.0, 0.0, 5.0, 5.0] * 10)
    strata: list[str | None] = ["s", "s", "only", None] * 10
    gap = matched_gap(
        y, ["a", "b", "a", "b"] * 10, strata, [str(i) for i in range(40)], group="a", reference="b", within=(0.0, 5.0)
    )
    assert (gap.gap.value, gap.n) == (1.0, 20)
    assert gap.matching is not None
    assert (gap.matching.strata, gap.matching.left_out, gap.matching.left_out_of_reference) == (1, 10, 10)
    assert gap.matching.unmatched.value == 0.5  # (1 + 5)/2 less (0 + 5)/2
    assert gap.gap.low < 1.0 < gap.gap.high  # each group's answers are alike: the width is not 0


def test_groups_with_too_few_of_either_are_not_tested() -> None:
    y = np.arange(60.0) % 3
    groups = ["a"] * 5 + ["b"] * 55
    gap = matched_gap(y, groups, [""] * 60, [str(i) for i in range(60)], group="a", reference="b", margin=9.0)
    assert judged([gap])[0].verdict == "insufficient evidence"


def test_nothing_in_common_is_nothing_compared() -> None:
    strata: list[str | None] = ["x"] * 20 + ["y"] * 20
    gap = matched_gap(
        np.ones(40), ["a"] * 20 + ["b"] * 20, strata, [str(i) for i in range(40)], group="a", reference="b"
    )
    assert gap.n == 0
    assert math.isnan(gap.gap.value)
    assert gap.matching is not None
    assert gap.matching.left_out == gap.matching.left_out_of_reference == 20


def test_no_question_differs_is_no_width_of_zero() -> None:
    ones = np.ones(100)
    gap = paired_gap(ones, ones, [str(i) for i in range(100)], group="a", reference="b", margin=0.05, within=(0.0, 1.0))
    # The largest rate at which none of 100 differs with 2.5%, all the same way: 1 − .025^(1/100) = .0362
    assert (gap.gap.low, gap.gap.high) == pytest.approx((-0.0362, 0.0362), abs=1e-4)
    assert gap.p == 1.0
    assert gap.p_equivalence == pytest.approx(0.95**100)
    # A gap that is found with 80%: (1.984 + .845) · √(.0741 · .9259 / 100) = .0741
    assert gap.detectable == pytest.approx(0.0741, abs=2e-4)


def test_too_few_questions_are_no_evidence() -> None:
    values, reference, questions = draw(6)
    gap = judged([paired_gap(values, reference, questions, group="a", reference="b", margin=0.1)])[0]
    assert gap.verdict == "insufficient evidence"
    assert math.isnan(gap.gap.low)
    nothing = paired_gap(np.full(3, np.nan), np.ones(3), ["a", "b", "c"], group="a", reference="b")
    assert nothing.n == 0
    assert math.isnan(nothing.gap.value)


def test_holm_against_statsmodels() -> None:
    from statsmodels.stats.multitest import multipletests

    p = [0.01, 0.04, 0.03, 0.005, 0.5]
    assert holm(p).tolist() == pytest.approx(multipletests(p, method="holm")[1].tolist())
    assert np.isnan(holm([0.01, np.nan])[1])
    assert holm([0.01, np.nan])[0] == 0.01  # what was not tested is not counted


@pytest.mark.parametrize(
    ("shift", "margin", "verdict"),
    [
        (0.5, 0.1, "gap"),
        (0.0, 0.5, "equivalent"),
        (0.3, 0.9, "gap within the margin"),
        (0.0, 0.02, "inconclusive"),
        (0.0, math.nan, "no gap shown"),
    ],
)
def test_verdicts(shift: float, margin: float, verdict: str) -> None:
    rng = np.random.default_rng(11)
    noise = rng.normal(0, 0.3, 60)
    noise -= noise.mean()
    gap = paired_gap(noise + shift, np.zeros(60), [str(i) for i in range(60)], group="a", reference="b", margin=margin)
    assert judged([gap])[0].verdict == verdict


def test_a_plan_is_its_arithmetic() -> None:
    plan = plan_gaps(100, trials=2, rate=0.8, alike=0.5)
    # variance of a difference 2 · .16 · .5 / 2 = .08, over 100 questions: √.0008 = .02828
    assert plan.standard_error == pytest.approx(0.02828, abs=1e-5)
    # at a rate of .8 − .0855 = .7145: √((.16 + .2040) · .5 / 2 / 100) = .03017, times 1.984 + .845 = .0853
    assert plan.detectable == pytest.approx(0.0853, abs=3e-4)
    # at a rate of .8 − .0866 = .7134 the error is .03020: 1.660 · .03020 + 1.290 · .02828 = .0866
    assert plan.margin == pytest.approx(0.0866, abs=1e-4)
    assert plan_gaps(100, trials=2, rate=0.8, alike=0.5, comparisons=10).detectable > plan.detectable
    with pytest.raises(HcatError, match="2 questions"):
        plan_gaps(1)
