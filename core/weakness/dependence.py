"""Slices whose values depend on each other: trials of one test case, or one calibration behind all of them.

Errors of means follow from sums over test cases (the cluster-robust "sandwich", Liang and Zeger 1986), and from how the
means move when the calibration is fitted again to resampled labels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.weakness.comparison import Codes, Comparison, Floats, Moments, hedges_g, rest_of, wilson

_NO_SPREAD = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Dependence:
    """What ties values together. `cases` (N,) number the test case of each sample from 0. `refits` (B, N), where the
    values are calibrated probabilities, hold them under B calibrations fitted to resampled labels."""

    cases: Codes
    refits: Floats | None = None

    def only(self, chosen: NDArray[np.bool_]) -> Dependence:
        """Of the chosen samples alone, with their test cases numbered from 0 again."""
        cases = np.unique(self.cases[chosen], return_inverse=True)[1]
        return Dependence(cases, None if self.refits is None else self.refits[:, chosen])


@dataclass(frozen=True, slots=True)
class Errors:
    """Of k slices (k,): the variances of the slice's mean, of the rest's, of their difference and of what the
    calibration adds to the mean and to the difference; in how many test cases slice and rest occur; by how much trials
    of one test case inflate the variance of a mean, over all slices, at least 1 (the design effect); and the slices'
    means under each refitted calibration (B, k), where there are any."""

    slice: Floats
    rest: Floats
    difference: Floats
    calibration: Floats
    calibration_difference: Floats
    slice_cases: Floats
    rest_cases: Floats
    design_effect: float
    refit_means: Floats | None


def errors(values: Floats, codes: Codes, of: Moments, dependence: Dependence) -> Errors:
    """The errors of each slice of the values (N,), which `codes` (N,) name from 0. Nothing here is NaN in `values`."""
    rest = rest_of(values, of)
    cases, total = dependence.cases, int(dependence.cases.max(initial=-1)) + 1
    pair, place = np.unique(codes * max(total, 1) + cases, return_inverse=True)
    where, case = np.divmod(pair, max(total, 1))
    centre = float(values.mean()) if len(values) else 0.0
    y = values - centre
    n_pair, y_pair = np.bincount(place).astype(np.float64), np.bincount(place, weights=y)
    n_case, y_case = np.bincount(cases, minlength=total).astype(np.float64), np.bincount(cases, weights=y)
    mean, rest_mean = _or_zero(of.mean - centre), _or_zero(rest.mean - centre)
    inside = y_pair - mean[where] * n_pair
    outside_all = y_case[case] - rest_mean[where] * n_case[case]
    outside = outside_all - (y_pair - rest_mean[where] * n_pair)
    slices, k = np.maximum(of.n, 1), len(of.n)

    def by_slice(terms: Floats) -> Floats:
        return np.bincount(where, weights=terms, minlength=k).astype(np.float64)

    slice_cases = by_slice(np.ones(len(pair)))
    rest_cases = total - by_slice((n_case[case] == n_pair).astype(np.float64))
    everywhere = float(y_case @ y_case) - 2 * rest_mean * float(y_case @ n_case) + rest_mean**2 * float(n_case @ n_case)
    s = _finite_sample(slice_cases) * by_slice(inside**2) / slices**2
    outside_sum = everywhere - by_slice(outside_all**2) + by_slice(outside**2)
    r = _finite_sample(rest_cases) * np.maximum(outside_sum, 0.0) / np.maximum(rest.n, 1) ** 2
    shared = by_slice(inside * outside) / (slices * np.maximum(rest.n, 1))
    residual = float(of.squares.sum())
    means, apart = _refitted(codes, of.n, dependence.refits)
    return Errors(
        slice=s,
        rest=r,
        difference=np.maximum(s + r - 2 * shared, 0.0),
        calibration=_variance(means, k),
        calibration_difference=_variance(apart, k),
        slice_cases=slice_cases,
        rest_cases=rest_cases,
        design_effect=max(1.0, float(inside @ inside) / residual) if residual > 0 else 1.0,
        refit_means=means,
    )


def dependent_bounds(values: Floats, of: Moments, found: Errors, *, level: float) -> tuple[Floats, Floats]:
    """The interval of each slice's mean: Student's t with one degree of freedom fewer than test cases; for values that
    are 0 or 1 Wilson's, with n divided by the design effect. A slice without spread borrows that of all values."""
    from scipy.special import stdtrit

    width = stdtrit(np.maximum(found.slice_cases - 1, 1), 0.5 + level / 2)
    if found.calibration.any() or not np.isin(values, (0.0, 1.0)).all() or not len(values):
        spread = _with_spread(values, of, found.slice, found.design_effect)
        half = width * np.sqrt(spread + found.calibration)
        half = np.where(found.slice_cases > 1, half, np.nan)
        return of.mean - half, of.mean + half
    return wilson(Moments(of.n / found.design_effect, of.mean, of.squares), width**2)


def dependent_comparison(values: Floats, of: Moments, found: Errors, *, minimum_n: int) -> Comparison:
    """Each slice against all other values, by Welch's t test on test cases; NaN where either side has fewer than
    `minimum_n` test cases. Trials of one test case may stand on both sides: their common part cancels."""
    from scipy.special import stdtr

    rest = rest_of(values, of)
    enough = (np.minimum(found.slice_cases, found.rest_cases) >= max(minimum_n, 2)) & (of.n > 1) & (rest.n > 1)
    difference = np.where((of.n > 0) & (rest.n > 0), of.mean - rest.mean, np.nan)
    own = np.stack(
        [
            _with_spread(values, of, found.slice, found.design_effect),
            _with_spread(values, rest, found.rest, found.design_effect),
        ]
    )
    lent = own.sum(axis=0) - found.slice - found.rest
    variance = found.difference + lent + found.calibration_difference
    degrees_own = np.maximum(np.stack([found.slice_cases, found.rest_cases]) - 1, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        degrees = own.sum(axis=0) ** 2 / (own**2 / degrees_own).sum(axis=0)
        t = np.where(variance > 0, difference / np.sqrt(variance), 0.0)
    p = np.where(variance > 0, 2 * stdtr(np.where(np.isfinite(degrees), degrees, 1.0), -np.abs(t)), 1.0)
    return Comparison(difference, np.where(enough, p, np.nan), hedges_g(difference, of, rest, enough))


def _with_spread(values: Floats, of: Moments, variance: Floats, design_effect: float) -> Floats:
    """The variance of each mean; where the values behind it are all equal, that of all values, for its n."""
    overall = float(values.var(ddof=1)) if len(values) > 1 else float("nan")
    borrowed = overall * design_effect / np.maximum(of.n, 1)
    return np.where(of.squares <= _NO_SPREAD * np.maximum(of.n, 1) * overall, borrowed, variance)


def _refitted(codes: Codes, n: Floats, refits: Floats | None) -> tuple[Floats | None, Floats | None]:
    """The slices' means, and their differences from the rest, under each refitted calibration: (B, k) each."""
    if refits is None or len(refits) < 2:
        return None, None
    sums = np.stack([np.bincount(codes, weights=refit, minlength=len(n)) for refit in refits])
    others = (sums.sum(axis=1, keepdims=True) - sums) / np.maximum(n.sum() - n, 1)
    means = sums / np.maximum(n, 1)
    return means, means - others


def _variance(draws: Floats | None, slices: int) -> Floats:
    return np.zeros(slices) if draws is None else draws.var(axis=0, ddof=1)


def _finite_sample(cases: Floats) -> Floats:
    return cases / np.maximum(cases - 1, 1)


def _or_zero(values: Floats) -> Floats:
    return np.where(np.isnan(values), 0.0, values)
