"""Slices whose values depend on each other: trials of one test case, or one calibration behind all of them.

Errors of means follow from sums over test cases (the cluster-robust "sandwich", Liang and Zeger 1986), and from how the
means move when the calibration is fitted again to resampled labels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats
from hcat.core.slices.comparison import Moments, rest_of, wilson
from hcat.core.statistics.clusters import count_clusters

_NO_SPREAD = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Dependence:
    """Sources of dependence between values. `cases` (N,) number the test case of each sample from 0. `refit_sums` (B,
    k), where the values are calibrated probabilities, are the sums of the scored ones of each of k slices under B
    calibrations fitted to resampled labels."""

    cases: Codes
    refit_sums: Floats | None = None

    @property
    def apart(self) -> bool:
        """Whether each sample is of a test case of its own."""
        return len(self.cases) == count_clusters(self.cases)

    def only(self, chosen: Bools) -> Dependence:
        """The dependence of the chosen samples alone, with their test cases numbered from 0 again."""
        if chosen.all() and np.bincount(self.cases).all():
            return self
        cases = np.unique(self.cases[chosen], return_inverse=True)[1]
        return Dependence(cases, self.refit_sums)


@dataclass(frozen=True, slots=True)
class Errors:
    """Variances and design effects of k slices (k,). The variances are those of the slice's mean, of the rest's, of
    their difference, and of what the calibration adds to the mean and to the difference.

    `slice_cases` and `rest_cases` count the test cases in slice and rest, `cases` all. The design effects are the
    factors, at least 1, by which trials of one test case inflate the variance of the mean of a slice and of its rest.
    `refit_means` (B, k) are the slices' means under each refitted calibration, where there are any.
    """

    slice: Floats
    rest: Floats
    difference: Floats
    calibration: Floats
    calibration_difference: Floats
    slice_cases: Floats
    rest_cases: Floats
    cases: int
    design_effect: Floats
    rest_design_effect: Floats
    refit_means: Floats | None


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """The pairs of a slice and a test case that occur (pairs,): the numbers of both, the samples of the pair, and their
    summed deviations from the slice's mean."""

    slices: Codes
    cases: Codes
    n: Floats
    strays: Floats


def _pairs(values: Floats, codes: Codes, of: Moments, cases: Codes) -> _Pairs:
    total = max(int(cases.max(initial=-1)) + 1, 1)
    if (rows := _row_of_each(cases)) is not None:
        apart = values - _or_zero(of.mean)[codes]
        return _Pairs(codes[rows], np.arange(total), np.ones(total), apart[rows])
    pair, place = np.unique(codes * total + cases, return_inverse=True)
    strays = np.bincount(place, weights=values - _or_zero(of.mean)[codes], minlength=len(pair))
    return _Pairs(*np.divmod(pair, total), np.bincount(place).astype(np.float64), strays.astype(np.float64))


def _row_of_each(cases: Codes) -> Codes | None:
    """The row of each test case, where these are of one row each and numbered without a gap; else None."""
    if not len(cases) or int(cases.max()) + 1 != len(cases):
        return None
    rows = np.full(len(cases), -1, dtype=np.intp)
    rows[cases] = np.arange(len(cases))
    return rows if int(rows.min()) >= 0 else None


def errors(values: Floats, codes: Codes, of: Moments, dependence: Dependence) -> Errors:
    """The errors of each slice of the values (N,), which `codes` (N,) name from 0. Nothing here is NaN in `values`."""
    rest = rest_of(values, of)
    cases, total = dependence.cases, int(dependence.cases.max(initial=-1)) + 1
    found = _pairs(values, codes, of, cases)
    where, case, n_pair, inside = found.slices, found.cases, found.n, found.strays
    centre = float(values.mean()) if len(values) else 0.0
    y = values - centre
    n_case, y_case = np.bincount(cases, minlength=total).astype(np.float64), np.bincount(cases, weights=y)
    mean, rest_mean = _or_zero(of.mean - centre), _or_zero(rest.mean - centre)
    outside_all = y_case[case] - rest_mean[where] * n_case[case]
    outside = outside_all - (inside + (mean - rest_mean)[where] * n_pair)
    slices, others, k = np.maximum(of.n, 1), np.maximum(rest.n, 1), len(of.n)

    def by_slice(terms: Floats) -> Floats:
        return np.bincount(where, weights=terms, minlength=k).astype(np.float64)

    slice_cases = by_slice(np.ones(len(where)))
    rest_cases = total - by_slice((n_case[case] == n_pair).astype(np.float64))
    everywhere = float(y_case @ y_case) - 2 * rest_mean * float(y_case @ n_case) + rest_mean**2 * float(n_case @ n_case)
    of_slice, of_rest = _finite_sample(slice_cases), _finite_sample(rest_cases)
    s = of_slice * by_slice(inside**2) / slices**2
    outside_sum = everywhere - by_slice(outside_all**2) + by_slice(outside**2)
    r = of_rest * np.maximum(outside_sum, 0.0) / others**2
    # By the factors of both sides, so that what a test case adds to both cancels in full.
    shared = np.sqrt(of_slice * of_rest) * by_slice(inside * outside) / (slices * others)
    alike = _alike_within(found, of)
    squares, others_squares = by_slice(n_pair**2), by_slice(n_case[case] ** 2 - (n_case[case] - n_pair) ** 2)
    moved = moved_by_refits(of.n, dependence.refit_sums)
    return Errors(
        slice=s,
        rest=r,
        difference=np.maximum(s + r - 2 * shared, 0.0),
        calibration=moved.variance,
        calibration_difference=moved.of_difference,
        slice_cases=slice_cases,
        rest_cases=rest_cases,
        cases=count_clusters(cases),
        design_effect=1 + alike * np.maximum(squares / slices - 1, 0.0),
        rest_design_effect=1 + alike * np.maximum((float(n_case @ n_case) - others_squares) / others - 1, 0.0),
        refit_means=moved.means,
    )


@dataclass(frozen=True, slots=True, eq=False)
class CellErrors:
    """The covariance matrix (k, k) of the means of k cells, and the degrees of freedom that their test cases have."""

    covariance: Floats
    degrees: float


def cell_errors(values: Floats, codes: Codes, of: Moments, dependence: Dependence) -> CellErrors:
    """The errors of k slices together, which share no sample, but may share test cases.

    By the variance within slices and two correlations, each pooled: of two values of a test case in one slice, and of
    two in different ones. Small slices have too few pairs for correlations of their own. Source: Liang & Zeger 1986,
    exchangeable correlations.
    """
    from scipy.sparse import csr_array

    found, k = _pairs(values, codes, of, dependence.cases), len(of.n)
    within, apart = _alike_within(found, of), _alike_apart(found, of)
    alone = np.where(of.n > 0, (1 - within) / np.maximum(of.n, 1), 0.0)
    ties = np.zeros((k, k))
    if within or apart:
        shape = (k, int(found.cases.max(initial=-1)) + 1)
        shares = csr_array((found.n / np.maximum(of.n, 1)[found.slices], (found.slices, found.cases)), shape=shape)
        together = np.asarray((shares @ shares.T).todense(), dtype=np.float64)
        ties = apart * together + np.diag((within - apart) * np.diag(together))
    degrees = max(float(count_clusters(dependence.cases) - 1), 1.0)
    return CellErrors(of.within_variance * (np.diag(alone) + ties), degrees)


def _alike_within(found: _Pairs, of: Moments) -> float:
    """The correlation, in [0, 1], of two values of one test case in one slice, over all such pairs of values; 0 where
    there are none. Source: Kish 1965, Survey Sampling, section 5.4."""
    values, spread = float(found.n @ (found.n - 1)), of.within_variance
    if not values or not spread > 0:
        return 0.0
    strays = _unbiased(found, len(of.n))
    return min(max(float(strays @ strays - of.squares.sum()) / (spread * values), 0.0), 1.0)


def _alike_apart(found: _Pairs, of: Moments) -> float:
    """The same, of two values of one test case in different slices; at most 1 − 1/m in absolute value, for m test cases
    in several slices."""
    strays, several = _unbiased(found, len(of.n)), int(np.sum(np.bincount(found.cases) > 1))
    n_case, of_case = np.bincount(found.cases, weights=found.n), np.bincount(found.cases, weights=strays)
    values, spread = float(n_case @ n_case - found.n @ found.n), of.within_variance
    if several < 2 or not spread > 0:
        return 0.0
    most = 1 - 1 / several
    return min(max(float(of_case @ of_case - strays @ strays) / (spread * values), -most), most)


def _unbiased(found: _Pairs, slices: int) -> Floats:
    """Summed residuals of each pair of slice and test case, corrected for the estimation of the slice's mean."""
    cases = np.bincount(found.slices, minlength=slices).astype(np.float64)
    return np.asarray(np.sqrt(_finite_sample(cases))[found.slices] * found.strays, dtype=np.float64)


def dependent_bounds(values: Floats, of: Moments, found: Errors, *, level: float) -> tuple[Floats, Floats]:
    """The interval of each slice's mean by Student's t with one degree of freedom fewer than test cases. For values
    that are 0 or 1 it is Wilson's, with n divided by the design effect. A slice without spread borrows that of all
    values."""
    from scipy.special import stdtrit

    width = stdtrit(np.maximum(found.slice_cases - 1, 1), 0.5 + level / 2)
    if found.calibration.any() or not np.isin(values, (0.0, 1.0)).all() or not len(values):
        spread = _with_spread(values, of, found.slice, found.design_effect)
        half = width * np.sqrt(spread + found.calibration)
        half = np.where(found.slice_cases > 1, half, np.nan)
        return of.mean - half, of.mean + half
    return wilson(Moments(of.n / found.design_effect, of.mean, of.squares), width**2)


def _with_spread(values: Floats, of: Moments, variance: Floats, design_effect: Floats) -> Floats:
    """The variance of each mean; where the values behind it, or the means of test cases, are all equal, that of all
    values, for its n."""
    overall = float(values.var(ddof=1)) if len(values) > 1 else float("nan")
    borrowed = overall * design_effect / np.maximum(of.n, 1)
    return np.where(variance <= _NO_SPREAD * borrowed, borrowed, variance)


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """Variation of k slices under refitted calibrations: their means under each (B, k), None without any, and the
    variances of the mean and of its difference from the rest (k,)."""

    means: Floats | None
    variance: Floats
    of_difference: Floats


def moved_by_refits(n: Floats, sums: Floats | None) -> Moved:
    """By the sums (B, k) of the refitted values of slices that together are all values, and by their n (k,)."""
    if sums is None or len(sums) < 2:
        return Moved(None, np.zeros(len(n)), np.zeros(len(n)))
    others = (sums.sum(axis=1, keepdims=True) - sums) / np.maximum(n.sum() - n, 1)
    means = sums / np.maximum(n, 1)
    return Moved(means, means.var(axis=0, ddof=1), (means - others).var(axis=0, ddof=1))


def _finite_sample(cases: Floats) -> Floats:
    return cases / np.maximum(cases - 1, 1)


def _or_zero(values: Floats) -> Floats:
    return np.where(np.isnan(values), 0.0, values)
