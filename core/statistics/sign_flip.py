"""Sign-flip tests of whether paired differences are 0: under the null hypothesis their signs are random."""

from __future__ import annotations

import numpy as np

from hcat.core.arrays import Floats

DRAWS = 9_999
_AT_A_TIME = 1_111
_ENUMERATED = 13
"""The most nonzero differences for which all signs are enumerated, and p is exact."""
_TIE = 1e-9
_SEED = 20_260_112


def sign_flip_p(sums: Floats) -> Floats:
    """The two-sided p-value of each of k sums of paired differences (clusters, k): one row a cluster, flipped as a
    whole.

    For differences that are symmetric about 0, as if two runs answer alike up to chance, p is exact at every n; if only
    their mean is 0, it holds for many clusters. For differences of −1, 0 or 1, one a cluster, it is McNemar's exact
    test. For many clusters 9,999 sign vectors are drawn; if none is as extreme, p is at most Hoeffding's bound of the
    tail. NaN for a sum without clusters. Source: Fisher 1935, section 21; Romano 1990; Hoeffding 1963, theorem 2."""
    present = np.where(np.isnan(sums), 0.0, sums)
    total, squares = np.abs(present.sum(axis=0)), (present**2).sum(axis=0)
    slack = total - _TIE * (1 + total)
    moving = (present != 0).sum(axis=0)
    p = np.ones(present.shape[1])
    for column in np.flatnonzero((moving > 0) & (moving <= _ENUMERATED)):
        p[column] = _exact(present[present[:, column] != 0, column], slack[column])
    drawn = np.flatnonzero(moving > _ENUMERATED)
    if len(drawn):
        extreme = _drawn(present[:, drawn], slack[drawn])
        bound = 2 * np.exp(-(total[drawn] ** 2) / (2 * squares[drawn]))
        by_draws = (extreme + 1) / (DRAWS + 1)
        p[drawn] = np.where(extreme == 0, np.minimum(by_draws, bound), by_draws)
    return np.where(np.isnan(sums).all(axis=0), np.nan, p)


def _exact(values: Floats, least: float) -> float:
    patterns = np.arange(2 ** len(values))[:, None] >> np.arange(len(values)) & 1
    return float(np.mean(np.abs((2 * patterns - 1) @ values) >= least))


def _drawn(values: Floats, least: Floats) -> Floats:
    """The number of drawn sign vectors whose sums are at least as far from 0.

    Clusters are sorted by content, so that their order in the run changes nothing."""
    ordered = values[np.lexsort(values.T)]
    rng = np.random.default_rng(_SEED)
    extreme = np.zeros(values.shape[1])
    for _ in range(DRAWS // _AT_A_TIME):
        signs = 2.0 * rng.integers(0, 2, size=(_AT_A_TIME, len(ordered))) - 1.0
        extreme += (np.abs(signs @ ordered) >= least).sum(axis=0)
    return extreme
