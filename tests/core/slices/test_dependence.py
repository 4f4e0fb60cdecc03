"""Slices of several trials a test case, and of values that one calibration made."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtri, stdtrit
from scipy.stats import permutation_test
from statsmodels.api import OLS, add_constant

from hcat.core.errors import HcatError
from hcat.core.slices.comparison import moments
from hcat.core.slices.dependence import Dependence, errors
from hcat.core.slices.table import find_weaknesses
from hcat.core.statistics.effective_n import rate_interval
from tests.core.slices.refits import held


def trials(rng: np.random.Generator, cases: int, each: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values, slices and test cases, of which some have trials in several slices."""
    case = np.repeat(np.arange(cases), each)
    codes = rng.integers(0, 3, len(case))
    values = rng.normal(0, 1, cases)[case] + rng.normal(0, 1, len(case)) + 0.3 * codes
    return values, codes, case


def test_errors_against_statsmodels() -> None:
    """The cluster-robust covariance of a regression on "in the slice", without its small-sample factor."""
    values, codes, case = trials(np.random.default_rng(0), 40, 4)
    found = errors(values, codes, moments(values, codes, slices=3), Dependence(case))
    for k in range(3):
        inside = codes == k
        fit = OLS(values, add_constant(inside.astype(float))).fit(
            cov_type="cluster", cov_kwds={"groups": case, "use_correction": False}
        )
        covariance = fit.cov_params()
        factor = {
            "slice": len(set(case[inside])) / (len(set(case[inside])) - 1),
            "rest": len(set(case[~inside])) / (len(set(case[~inside])) - 1),
        }
        assert found.rest[k] / factor["rest"] == pytest.approx(covariance[0, 0])
        assert found.slice[k] / factor["slice"] == pytest.approx(covariance.sum())
        shared = (found.slice[k] + found.rest[k] - found.difference[k]) / 2
        shared /= np.sqrt(factor["slice"] * factor["rest"])
        plain = found.slice[k] / factor["slice"] + found.rest[k] / factor["rest"] - 2 * shared
        assert plain == pytest.approx(covariance[1, 1])


def test_one_trial_a_case_is_the_usual_variance() -> None:
    rng = np.random.default_rng(1)
    values, codes = rng.normal(size=60), rng.integers(0, 2, 60)
    of = moments(values, codes, slices=2)
    found = errors(values, codes, of, Dependence(np.arange(60)))
    assert found.slice == pytest.approx(of.variance / of.n)
    assert found.slice_cases.tolist() == of.n.tolist()
    assert found.design_effect.tolist() == found.rest_design_effect.tolist() == [1.0, 1.0]


def test_two_variants_of_each_test_case_are_compared_in_pairs() -> None:
    """The original and one variant of each: the paired test with all 2¹⁴ changes of sign, by both of the rows."""
    rng = np.random.default_rng(9)
    hard = rng.normal(size=14)
    values = np.r_[hard + rng.normal(0, 0.1, 14), hard - 0.08 + rng.normal(0, 0.1, 14)]
    frame = pd.DataFrame({"d": pd.Categorical(["original"] * 14 + ["variant"] * 14)})
    cases = [str(k) for k in range(14)] * 2
    rows = find_weaknesses(frame, pd.Series(values), metric="m", direction="higher", test_cases=cases).frame
    signs = permutation_test(
        (values[:14] - values[14:],), np.mean, permutation_type="samples", n_resamples=np.inf
    ).pvalue
    assert 0.001 < signs < 0.1
    assert rows["p"].to_numpy() == pytest.approx(signs, rel=0.3)


def test_a_slice_of_trials_has_the_width_of_its_test_cases() -> None:
    """Ten test cases of ten equal trials each, beside a thousand with one: no more is known of the ten for these."""
    values = np.r_[np.repeat([1.0] * 7 + [0.0] * 3, 10), [1.0] * 700 + [0.0] * 300]
    cases = [f"a{k // 10}" for k in range(100)] + [f"b{k}" for k in range(1000)]
    frame = pd.DataFrame({"d": pd.Categorical(["a"] * 100 + ["b"] * 1000)})
    make = {"metric": "m", "direction": "higher", "test_cases": cases, "within": (0.0, 1.0)}
    rows = find_weaknesses(frame, pd.Series(values), **make).frame.set_index("level_1")
    alone = rate_interval(0.7, 10 * (ndtri(0.975) / stdtrit(9, 0.975)) ** 2, n=10, method="")
    assert (rows["low"]["a"], rows["high"]["a"]) == pytest.approx((alone.low, alone.high), abs=0.02)
    many = rate_interval(0.7, 1000, n=1000, method="")
    assert (rows["low"]["b"], rows["high"]["b"]) == pytest.approx((many.low, many.high), abs=0.002)


@pytest.mark.parametrize("scale", [1.0, 0.1])
def test_test_cases_whose_means_are_all_equal_are_no_certainty(scale: float) -> None:
    """The same trials in every test case of a slice: a variance of 0 is rounding, and both rows are one comparison."""
    values = np.r_[np.tile([1.0, 0, 0, 0], 10), np.tile([1.0, 1, 1, 0], 10)] * scale
    cases = [str(k // 4) for k in range(80)]
    frame = pd.DataFrame({"d": pd.Categorical(["a"] * 40 + ["b"] * 40)})
    rows = find_weaknesses(frame, pd.Series(values), metric="m", direction="higher", test_cases=cases).frame
    assert rows["p"].iloc[0] == pytest.approx(rows["p"].iloc[1]) and 1e-9 < rows["p"].iloc[0] < 0.05
    assert (rows["high"] - rows["low"] > 0.1 * scale).all()


def test_identical_trials_add_nothing() -> None:
    """Five copies of each answer are no more evidence than one: same intervals, same p, n five times."""
    rng = np.random.default_rng(2)
    once = pd.DataFrame({"d": pd.Categorical(rng.choice(list("ab"), 80))})
    values = pd.Series(rng.normal(0.6, 0.1, 80))
    copies = pd.concat([once] * 5, ignore_index=True)
    many = find_weaknesses(
        copies,
        pd.concat([values] * 5, ignore_index=True),
        metric="m",
        direction="higher",
        test_cases=[str(case) for case in range(80)] * 5,
    ).frame
    few = find_weaknesses(once, values, metric="m", direction="higher").frame
    assert many["n"].tolist() == (5 * few["n"]).tolist()
    assert many["cases"].tolist() == few["n"].tolist()
    # Both give the t interval of a mean of n values, and the permutation test of the same n means.
    for column in ("mean", "low", "high", "difference", "p"):
        assert many[column].to_numpy() == pytest.approx(few[column].to_numpy(), rel=1e-9)


def test_too_few_test_cases_are_no_evidence_however_many_trials() -> None:
    dimensions = pd.DataFrame({"d": pd.Categorical(["a"] * 50 + ["b"] * 50)})
    values = pd.Series(np.random.default_rng(3).normal(size=100))
    cases = [f"a{k % 5}" for k in range(50)] + [f"b{k}" for k in range(50)]
    rows = find_weaknesses(dimensions, values, metric="m", direction="higher", test_cases=cases).frame
    assert rows["cases"].tolist() == [5, 50]
    assert set(rows["verdict"]) == {"insufficient evidence"}


def test_refits_widen_by_what_the_calibration_moves() -> None:
    """Refits that shift everything by ±0.1 widen means, and leave differences and interactions as they are."""
    rng = np.random.default_rng(4)
    dimensions = pd.DataFrame({name: pd.Categorical(rng.choice(list("ab"), 200)) for name in ("d", "e")})
    values = pd.Series(rng.uniform(0.2, 0.8, 200))
    shifts = np.where(np.arange(50) % 2, 0.1, -0.1)
    refits = values.to_numpy() + shifts[:, None]
    make = {"metric": "p", "direction": "higher", "pairs": True}
    plain = find_weaknesses(dimensions, values, **make).frame
    carried = find_weaknesses(dimensions, values, refits=held(refits), **make).frame
    assert ((carried["high"] - carried["low"]) > (plain["high"] - plain["low"]) + 0.05).all()
    assert carried["p"].to_numpy() == pytest.approx(plain["p"].to_numpy(), abs=1e-9)
    pairs = plain["dimension_2"].notna()
    for column in ("interaction_low", "interaction_high"):
        assert carried[column][pairs].to_numpy() == pytest.approx(plain[column][pairs].to_numpy())


def test_values_and_refits_in_another_order_than_the_dimensions() -> None:
    rng = np.random.default_rng(5)
    ids = [f"s{k}" for k in range(120)]
    dimensions = pd.DataFrame({"d": pd.Categorical(rng.choice(list("ab"), 120))}, index=ids)
    values = pd.Series(rng.uniform(size=120), index=ids)
    refits = values.to_numpy() + rng.normal(0, 0.2, (30, 120))
    order = rng.permutation(120)
    make = {"metric": "p", "direction": "higher"}
    straight = find_weaknesses(dimensions, values, refits=held(refits), **make).frame
    shuffled = find_weaknesses(dimensions, values.iloc[order], refits=held(refits[:, order]), **make).frame
    for column in ("mean", "low", "high", "p", "shrunken"):
        assert shuffled[column].to_numpy() == pytest.approx(straight[column].to_numpy())


def test_wrong_shapes_are_refused() -> None:
    dimensions = pd.DataFrame({"d": pd.Categorical(list("ab") * 10)})
    values = pd.Series(np.arange(20.0))
    with pytest.raises(HcatError, match="3 test cases were given for 20 samples"):
        find_weaknesses(dimensions, values, metric="m", direction="higher", test_cases=["a", "b", "c"])
    with pytest.raises(HcatError, match="4 columns for 20 samples"):
        find_weaknesses(dimensions, values, metric="m", direction="higher", refits=held(np.ones((2, 4))))


def test_equal_values_in_a_slice_borrow_spread() -> None:
    """A slice that is all 1 is not certain: its interval has width, and its p is above 0."""
    dimensions = pd.DataFrame({"d": pd.Categorical(["a"] * 30 + ["b"] * 30)})
    values = pd.Series([0.9] * 30 + list(np.linspace(0.2, 0.95, 30)))
    cases = [str(k // 2) for k in range(60)]
    rows = find_weaknesses(dimensions, values, metric="m", direction="higher", test_cases=cases).frame
    assert (rows["high"] > rows["low"]).all()
    assert (rows["p"] > 0).all()


def test_a_rest_without_spread_borrows_too() -> None:
    """12 test cases that all pass are no evidence against 100 of which 90 do; both rows are one comparison."""
    dimensions = pd.DataFrame({"d": ["large"] * 200 + ["small"] * 24})
    values = pd.Series(np.repeat(np.r_[np.ones(90), np.zeros(10), np.ones(12)], 2))
    cases = [str(k // 2) for k in range(224)]
    rows = find_weaknesses(dimensions, values, metric="m", direction="higher", test_cases=cases).frame
    assert rows["p"].to_numpy() == pytest.approx(rows["p"].iloc[0])
    assert (rows["p"] > 0.2).all() and set(rows["verdict"]) == {"not shown to be lower"}


def test_the_whole_run_has_the_error_of_a_slice_that_holds_it() -> None:
    """Its interval was that of as many independent values, with a calibration that is known for certain."""
    rng = np.random.default_rng(12)
    case = np.repeat(np.arange(30), 5)
    values = pd.Series(0.5 + 0.2 * rng.normal(size=30)[case] + 0.05 * rng.normal(size=150))
    frame = pd.DataFrame({"d": ["all"] * 150})
    names, refits = [str(one) for one in case], held(values.to_numpy() + rng.normal(0, 0.03, (50, 1)))
    for given in ({"test_cases": names}, {"refits": refits}, {"test_cases": names, "refits": refits}):
        table = find_weaknesses(frame, values, metric="m", direction="higher", **given)
        overall, row = table.settings.overall["m"], table.frame.iloc[0]
        assert (overall.low, overall.high) == (pytest.approx(row["low"]), pytest.approx(row["high"]))
        assert overall.n == 150
