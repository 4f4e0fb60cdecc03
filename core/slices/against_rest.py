"""Slices compared with the rest of the run: which test, p, and intervals of the difference and the effect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats
from hcat.core.slices.comparison import Moments, differences_from_rest, hedges_g, moments, rest_of, rest_of_total
from hcat.core.slices.drawn_sets.by_size import ValuesBySize
from hcat.core.slices.fisher import fisher_p, newcombe_bounds
from hcat.core.slices.membership import Partition
from hcat.core.slices.permutation import permutation_tests
from hcat.core.slices.units import differ
from hcat.core.statistics.exact_sums import ExactValues, exact_values


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Each of k slices against the rest: difference of means with its interval, two-sided p, Hedges' g with its
    interval; NaN where not comparable."""

    difference: Floats
    low: Floats
    high: Floats
    p: Floats
    effect: Floats
    effect_low: Floats
    effect_high: Floats


def against_rest(
    values: Floats,
    partitions: Sequence[Partition],
    *,
    cases: Codes | None = None,
    weights: Floats | None = None,
    level: float = 0.95,
) -> list[Comparison]:
    """Compare each tested slice of each partition with all other values (N,); none of them is NaN.

    The data choose the test. Values that are each of a test case of their own and count alike are compared by
    `IndependentValues`; those with clusters or `weights` (N,) by `permutation_tests`. By weights means are Hájek's;
    effects, which have no weighted form here, are NaN.
    """
    spreads = differ(values)
    if not spreads:
        values = np.full(len(values), values[0] if len(values) else np.nan)
    if weights is None and apart(cases):
        exact = exact_values(values)
        slices = [Moments.exact(exact.moments(part.codes, len(part.tested))) for part in partitions]
        return IndependentValues(values, exact).compare(slices, [part.tested for part in partitions], level=level)
    numbers = None if cases is None or apart(cases) else np.unique(cases, return_inverse=True)[1]
    tests = permutation_tests(values, partitions, cases=numbers, weights=weights, level=level)
    compared = []
    for part, test in zip(partitions, tests, strict=True):
        low, high = (test.low, test.high) if spreads else (np.full(len(test.p), np.nan),) * 2
        if weights is not None:
            none = np.full(len(test.p), np.nan)
            compared.append(Comparison(test.difference, low, high, test.p, none, none, none))
            continue
        of = moments(values, part.codes, slices=len(part.tested))
        compared.append(_with_effect(of, rest_of(values, of), part.tested, test.p, low, high))
    return compared


def apart(cases: Codes | None) -> bool:
    """Whether each value is of a test case of its own."""
    return cases is None or int(np.bincount(cases).max(initial=0)) <= 1


@dataclass(frozen=True, eq=False)
class IndependentValues:
    """All values of a run (N,) with their exact form, each independent of the others: what slices are compared with."""

    values: Floats
    exact: ExactValues

    @cached_property
    def all(self) -> Moments:
        """Moments of all values, as one slice."""
        return Moments.exact(self.exact.moments(np.zeros(self.exact.rows, dtype=np.intp), 1))

    @property
    def variance(self) -> float:
        """Variance of single values; NaN for one value."""
        return float(self.all.variance[0])

    @cached_property
    def two(self) -> tuple[float, float] | None:
        """The values where they are but two, such as pass and fail."""
        least, most = float(self.values.min(initial=np.inf)), float(self.values.max(initial=-np.inf))
        only = differ(self.values) and bool(((self.values == least) | (self.values == most)).all())
        return (least, most) if only else None

    @property
    def are_shares(self) -> bool:
        """Whether all values are 0 or 1."""
        return bool(len(self.values)) and bool(((self.values == 0.0) | (self.values == 1.0)).all())

    def compare(self, slices: Sequence[Moments], tested: Sequence[Bools], *, level: float) -> list[Comparison]:
        """The tested slices of several partitions with all other values.

        Of two values by Fisher's exact test and Newcombe's interval, of others by random sets of their size
        (`ValuesBySize`): both are the permutation test of the studentised difference, the first with all permutations.
        """
        of = Moments(*(np.concatenate([getattr(one, name) for one in slices]) for name in ("n", "mean", "squares")))
        if not differ(self.values):  # rounding alone spreads them
            of = Moments(of.n, np.where(of.n > 0, self.all.mean, np.nan), np.zeros(len(of.n)))
        together, compare = np.concatenate(tested), self._by_size if self.two is None else self._by_counts
        found, cuts = compare(of, together, level), np.cumsum([len(one.n) for one in slices])[:-1]
        columns = [np.split(getattr(found, field.name), cuts) for field in fields(Comparison)]
        return [Comparison(*part) for part in zip(*columns, strict=True)]

    def _by_size(self, of: Moments, tested: Bools, level: float) -> Comparison:
        found = ValuesBySize(self.values).tests(of.n, of.mean, of.squares, tested, level=level)
        spreads, n, mean = differ(self.values), float(self.all.n[0]), float(self.all.mean[0])
        squares = float(self.all.squares[0]) if spreads else 0.0
        ends = (found.low, found.high) if spreads else (np.full(len(of.n), np.nan),) * 2
        return _with_effect(of, rest_of_total(n, mean, squares, of), tested, found.p, *ends)

    def _by_counts(self, of: Moments, tested: Bools, level: float) -> Comparison:
        low, high = self.two or (0.0, 1.0)
        step, total, all_hits = high - low, len(self.values), int((self.values == high).sum())
        hits = np.rint(np.where(of.n > 0, (of.mean - low) / step, 0.0) * of.n)
        shares, rest = _of_hits(hits, of.n), _of_hits(all_hits - hits, total - of.n)
        p = np.full(len(of.n), np.nan)
        if tested.any():
            p[tested] = fisher_p(hits[tested].astype(np.intp), of.n[tested], total, all_hits)
        by_share = _with_effect(shares, rest, tested, p, *newcombe_bounds(shares, rest, level=level))
        difference, ends = by_share.difference * step, (by_share.low * step, by_share.high * step)
        return Comparison(difference, *ends, p, by_share.effect, by_share.effect_low, by_share.effect_high)


def _of_hits(hits: Floats, n: Floats) -> Moments:
    """Moments of values that are 0 or 1."""
    counted = np.maximum(n, 1)
    return Moments(n, np.where(n > 0, hits / counted, np.nan), hits * (n - hits) / counted)


def _with_effect(of: Moments, rest: Moments, tested: Bools, p: Floats, low: Floats, high: Floats) -> Comparison:
    """The comparison of these slices with the rest, by p and the ends of the difference.

    Ends of g: those of the difference in the same unit, with the error of that unit, g²/2 by its degrees of freedom,
    added in squares to each side (MOVER, Zou & Donner 2008)."""
    difference = differences_from_rest(of, rest)
    effect = hedges_g(difference, of, rest, tested)
    low, high = np.where(tested, low, np.nan), np.where(tested, high, np.nan)
    ends = [hedges_g(end, of, rest, tested) for end in (low, high)]
    unit = effect**2 / (2 * np.maximum(of.n + rest.n - 2, 1))
    below, above = (np.sqrt((effect - end) ** 2 + unit) for end in ends)
    return Comparison(difference, low, high, p, effect, effect - below, effect + above)
