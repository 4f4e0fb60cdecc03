"""Whether paired differences are 0: by changing their signs, which nothing but chance gave them where they are."""

from __future__ import annotations

import numpy as np

from hcat.core.arrays import Floats

DRAWS = 9_999
_AT_A_TIME = 1_111
_ENUMERATED = 13
"""With so few differences that are not 0 all signs are gone through, and p is exact."""
_TIE = 1e-9
_SEED = 20_260_112


def sign_flip_p(sums: Floats) -> Floats:
    """Two-sided p of each of k sums of paired differences (clusters, k): one row a cluster, whose signs change
    together.

    Under differences that are symmetric about 0, as where two runs answer alike up to chance, p is exact at every n;
    where only their mean is 0, it holds for many clusters. Of differences that are −1, 0 or 1, one a cluster, it is
    McNemar's exact test. Of many clusters 9,999 sign vectors are drawn; where none comes near, p is no more than
    Hoeffding's bound of the tail. NaN for a sum without clusters. Source: Fisher 1935, section 21; Romano 1990;
    Hoeffding 1963, theorem 2.
    """
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
    """How many of the drawn sign vectors give sums at least as far from 0. Clusters are put in order by content, so
    that their order in the run changes nothing."""
    ordered = values[np.lexsort(values.T)]
    rng = np.random.default_rng(_SEED)
    extreme = np.zeros(values.shape[1])
    for _ in range(DRAWS // _AT_A_TIME):
        signs = 2.0 * rng.integers(0, 2, size=(_AT_A_TIME, len(ordered))) - 1.0
        extreme += (np.abs(signs @ ordered) >= least).sum(axis=0)
    return extreme
