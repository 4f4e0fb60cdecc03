"""Agreement over all pairs of annotators at once: the share of equal labels, and the mean of their κ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, groupby, islice, permutations, product

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Floats, Ints
from hcat.core.capabilities.agreement.kappa import Weighting, kappas, level_distances
from hcat.core.capabilities.agreement.kinds import PRIOR_ITEMS, PRIOR_OF_SHARES
from hcat.core.errors import HcatError
from hcat.core.statistics.bootstrap import LEAST_ITEMS, REPLICATES, bootstrap_by_item, complete_agreement
from hcat.core.statistics.proportions import weighted_proportion
from hcat.core.types import Estimate

MINIMUM_N = 10
"""The least number of samples that two annotators, or any two of several, need in common for a report of agreement."""
MOST_ORDERS = 24
"""The most orders that are tried for annotators with equal counts of labels."""


def raw_agreement(
    levels: ArrayLike,
    *,
    rng: np.random.Generator,
    test_cases: ArrayLike | None = None,
    level: float = 0.95,
    replicates: int = REPLICATES,
) -> Estimate:
    """The share of equal pairs of labels, within each item and then over the n items with two labels or more.

    `levels` is (items, annotators), NaN if missing. The interval is that of `bootstrap_by_item`; if all items agree, or
    none does, Clopper and Pearson's. If items are trials, `test_cases` (items,) name that of each, and the interval is
    by test case. NaN if no item has two labels. Source: Fleiss 1971, equation 3."""
    table = _table(levels)
    paired = (~np.isnan(table)).sum(axis=1) >= 2
    shares, cases = _equal_pairs(table[paired]), None if test_cases is None else np.asarray(test_cases)[paired]
    n, name = len(shares), "share of equal pairs"
    if n == 0:
        return Estimate(math.nan, math.nan, math.nan, 0, level, name)
    if shares.min() == shares.max() and shares[0] in (0, 1):
        return weighted_proportion(shares == 1, clusters=cases, level=level, method="clopper-pearson")
    values, kind_of = np.unique(shares, return_inverse=True)
    values = np.append(values, [0.0, 1.0])
    unseen = np.append(np.zeros(len(values) - 2), np.full(2, PRIOR_OF_SHARES / 2))

    def statistic(drawn: Floats) -> Floats:
        means: Floats = drawn @ values / drawn.sum(axis=1)
        return means

    return bootstrap_by_item(
        statistic, kind_of, unseen, level=level, replicates=replicates, rng=rng, name=name, test_cases=cases
    )


def mean_kappa(
    levels: ArrayLike,
    *,
    rng: np.random.Generator,
    weighting: Weighting = "none",
    n_levels: int | None = None,
    least: int = MINIMUM_N,
    test_cases: ArrayLike | None = None,
    level: float = 0.95,
    replicates: int = REPLICATES,
) -> Estimate:
    """The mean of Cohen's κ over the pairs of annotators with at least `least` items in common.

    `levels` is (items, annotators) of levels 0, 1, …, NaN if missing. For two annotators it is their κ. n counts the
    items that some such pair has in common; a bootstrap draws them, which preserves the dependence between pairs. If
    items are trials, `test_cases` (items,) name that of each, and the interval is by test case. NaN if there is no such
    pair. Complete agreement has the bound of `complete_agreement`, with unobserved disagreement where it costs the mean
    most. Source: Light 1971, Measures of response agreement for qualitative data."""
    table = _table(levels)
    name = f"mean κ of pairs{'' if weighting == 'none' else f', {weighting} weights'}"
    shared = np.zeros(len(table), dtype=bool)
    for a, b in _pairs_with(table, least):
        shared |= ~np.isnan(table[:, [a, b]]).any(axis=1)
    n = int(shared.sum())
    if n == 0:
        return Estimate(math.nan, math.nan, math.nan, 0, level, name)
    # Samples that no pair shares are irrelevant: they must not affect the order of annotators, and with it the draws.
    table = in_order_of_content(table[shared])
    pairs = _pairs_with(table, least)
    kinds, kind_of = np.unique(np.where(np.isnan(table), -1, table).astype(np.intp), axis=0, return_inverse=True)
    kind_of, cases = kind_of.reshape(-1), None if test_cases is None else np.asarray(test_cases)[shared]
    size = int(kinds.max()) + 1 if n_levels is None else n_levels
    kinds, unseen = _with_unseen(kinds, pairs, size)
    cells = [_cells(kinds[:, a], kinds[:, b], size) for a, b in pairs]
    distance = level_distances(size, weighting)

    rows = [np.flatnonzero(of_pair.any(axis=1)) for of_pair in cells]  # of many annotators, most kinds are of others

    def statistic(drawn: Floats) -> Floats:
        tables = (drawn[:, few] @ of_pair[few] for few, of_pair in zip(rows, cells, strict=True))
        return _mean_known(np.stack([kappas(table.reshape(-1, size, size), distance) for table in tables]))

    counts = np.bincount(kind_of, minlength=len(kinds)).astype(np.float64)
    tables = [(counts @ of_pair).reshape(size, size) for of_pair in cells]
    if n >= LEAST_ITEMS and all(float(np.sum(one * distance)) == 0 for one in tables):
        chance = [float(one.sum(1) @ distance @ one.sum(0)) / float(one.sum()) ** 2 for one in tables]
        if min(chance) > 0:
            expected = _least_expected(cells, counts, chance)
            largest = float(distance.max())
            return complete_agreement(expected, n, largest=largest, level=level, name=name, test_cases=cases)
    return bootstrap_by_item(
        statistic, kind_of, unseen, level=level, replicates=replicates, rng=rng, name=name, test_cases=cases
    )


def _pairs_with(table: Floats, least: int) -> list[tuple[int, int]]:
    """The pairs of annotators, as columns, with at least `least` items in common."""
    given = ~np.isnan(table)
    return [(a, b) for a, b in combinations(range(table.shape[1]), 2) if np.sum(given[:, a] & given[:, b]) >= least]


def in_order_of_content(table: Floats) -> Floats:
    """The columns of (items, annotators) in an order that does not depend on names.

    So a bootstrap interval does not depend on who is named first, for example with pseudonyms. Sorted by each
    annotator's counts of labels; among those with equal counts, by the order whose sorted rows come first, of as many
    orders as are tried (`MOST_ORDERS`)."""
    said = [np.sort(column).tobytes() for column in table.T]
    alike = [list(group) for _, group in groupby(sorted(range(len(said)), key=said.__getitem__), key=said.__getitem__)]
    # Limited before they are combined: `product` lists all of each, and 30 annotators with equal counts have 30!
    # orders.
    orders = islice(product(*(list(islice(permutations(group), MOST_ORDERS)) for group in alike)), MOST_ORDERS)
    columns = [[column for group in order for column in group] for order in orders]
    filled = np.where(np.isnan(table), -1, table)
    return table[:, min(columns, key=lambda order: sorted(map(tuple, filled[:, order].tolist())))]


def _table(levels: ArrayLike) -> Floats:
    table = np.asarray(levels, dtype=np.float64)
    if table.ndim != 2:
        raise HcatError("agreement takes a table: a row per item, a column per annotator, NaN for none")
    return table


def _equal_pairs(table: Floats) -> Floats:
    """The share of equal pairs within each item, all of which have a pair."""
    values = np.unique(table[~np.isnan(table)])
    counts = (table[:, :, None] == values).sum(axis=1).astype(np.float64)
    labels = counts.sum(axis=1)
    equal: Floats = (counts * (counts - 1)).sum(axis=1) / (labels * (labels - 1))
    return equal


def _cells(first: Ints, second: Ints, size: int) -> Floats:
    """The cell of a pair's table for each kind of item, (kinds, levels²); none if a label is missing."""
    cells = np.zeros((len(first), size * size))
    both = (first >= 0) & (second >= 0)
    cells[np.flatnonzero(both), (first * size + second)[both]] = 1
    return cells


def _with_unseen(kinds: Ints, pairs: Sequence[tuple[int, int]], size: int) -> tuple[Ints, Floats]:
    """The kinds (kinds, annotators) followed by each cell of each pair alone, and the pseudo-count of each."""
    cells = np.stack(np.divmod(np.arange(size * size), size), axis=1)
    added = np.full((len(pairs), len(cells), kinds.shape[1]), -1, dtype=np.intp)
    for place, (first, second) in enumerate(pairs):
        added[place][:, [first, second]] = cells
    unseen = np.full(len(pairs) * len(cells), PRIOR_ITEMS / size**2)
    together = np.vstack([kinds, added.reshape(-1, kinds.shape[1])])
    return together, np.concatenate([np.zeros(len(kinds)), unseen])


def _least_expected(cells: Sequence[Floats], counts: Floats, chance: Sequence[float]) -> float:
    """The disagreement by chance that represents all pairs in the bound of a mean of κ.

    A share d of all n items reduces the mean over P pairs by d · n / P · Σ 1 / (n_pair · chance_pair) over the pairs
    that share the item. That is most if the items belong to small pairs, which the largest such sum assumes; for one
    pair it is 1 / chance."""
    cost = np.zeros(len(counts))
    for of_pair, by_chance in zip(cells, chance, strict=True):
        both = of_pair.sum(axis=1)
        cost += counts.sum() / (len(cells) * float(counts @ both) * by_chance) * both
    return 1 / float(cost.max())


def _mean_known(values: Floats) -> Floats:
    """The mean over the rows that are known in each column."""
    known = ~np.isnan(values)
    total = np.where(known, values, 0).sum(axis=0)
    mean: Floats = np.divide(total, known.sum(axis=0), out=np.full(values.shape[1], np.nan), where=known.any(axis=0))
    return mean
