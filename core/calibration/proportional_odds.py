"""A test of what `fit_ordinal` assumes: that a metric moves every cut between levels by the same slope."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.calibration.logistic import fit_logistic
from core.errors import HcatError

Floats = NDArray[np.float64]

LEAST_A_SIDE = 5
DOUBTFUL_P = 0.05
_NO_PENALTY = 1e-6
_SEPARATED = 30.0
"""A slope a standard deviation beyond which a cut is as good as separated, and the test means nothing."""


@dataclass(frozen=True, slots=True)
class ProportionalOdds:
    """χ² of equal slopes at all cuts, its degrees of freedom and p, and the slopes of each cut, (cuts, metrics), a
    standard deviation of the metric. A small p speaks against one slope for all. NaN, with a reason, where the test
    can't be made."""

    statistic: float
    degrees: int
    p: float
    slopes: tuple[tuple[float, ...], ...]
    n: int
    reason: str = ""

    @property
    def doubtful(self) -> bool:
        """Whether the test speaks against one slope for all cuts, at 5 %."""
        return self.p < DOUBTFUL_P

    @property
    def sentence(self) -> str:
        """The result, and what to do where it speaks against proportional odds."""
        if self.reason:
            return f"Proportional odds were not tested. {self.reason}"
        found = f"χ² = {self.statistic:.1f} on {self.degrees} degrees of freedom, p = {self.p:.2g}"
        if self.doubtful:
            return f"Proportional odds do not hold ({found}): compare with the method multinomial."
        return f"Nothing speaks against proportional odds ({found})."


def check_proportional_odds(
    X: ArrayLike, levels: ArrayLike, *, n_levels: int, weights: ArrayLike | None = None
) -> ProportionalOdds:
    """Brant's Wald test: a logistic fit at each cut, and whether their slopes differ beyond chance.

    `X` (n, metrics) finite, `levels` (n,). The covariance of the fits is that of the scores of nested cuts, with
    squared weights for labels drawn unequally. Degrees of freedom: (levels − 2) · metrics. Needs three levels, 5 labels
    on either side of each cut, and metrics that vary. Source: Brant 1990, section 3.
    """
    table, y = np.asarray(X, dtype=np.float64), np.asarray(levels, dtype=np.intp)
    table = table[:, None] if table.ndim == 1 else table
    n, metrics = table.shape
    cuts = n_levels - 1
    degrees = (cuts - 1) * metrics

    def untestable(reason: str, slopes: tuple[tuple[float, ...], ...] = ()) -> ProportionalOdds:
        return ProportionalOdds(math.nan, degrees, math.nan, slopes, n, reason)

    if cuts < 2:
        return untestable("Two levels have one cut: nothing is assumed.")
    sides = [int(np.sum(y >= cut)) for cut in range(1, n_levels)]
    if min(min(side, n - side) for side in sides) < LEAST_A_SIDE:
        return untestable(f"A cut has fewer than {LEAST_A_SIDE} labels on one side.")
    if (table.max(axis=0) == table.min(axis=0)).any():
        return untestable("A metric does not vary.")
    w = np.ones(n) if weights is None else np.asarray(weights, dtype=np.float64) / np.mean(np.asarray(weights))
    z = (table - table.mean(axis=0)) / table.std(axis=0)
    design = np.column_stack([np.ones(n), z])
    try:
        fits = [fit_logistic(z, y >= cut, weights=w, penalty=_NO_PENALTY) for cut in range(1, n_levels)]
    except HcatError as error:
        return untestable(f"A cut can't be fitted: {error}.")
    slopes = np.array([np.array(fit.slopes) / np.array(fit.scales) for fit in fits])
    listed = tuple(tuple(row) for row in slopes.tolist())
    if float(np.abs(slopes).max()) > _SEPARATED:
        return untestable("A cut separates the labels completely.", listed)
    statistic = _wald(slopes, _covariance(design, np.array([fit.probability(z) for fit in fits]), w), cuts, metrics)
    return ProportionalOdds(statistic, degrees, _chi2_tail(statistic, degrees), listed, n)


def _covariance(design: Floats, p: Floats, w: Floats) -> Floats:
    """Covariance of the slopes of all cuts, (cuts · metrics, cuts · metrics); p (cuts, n) is P(level ≥ cut)."""
    cuts, width = len(p), design.shape[1]
    inverse = [np.linalg.inv((design * (w * at * (1 - at))[:, None]).T @ design) for at in p]
    blocks = np.zeros((cuts, width - 1, cuts, width - 1))
    for first in range(cuts):
        for second in range(first, cuts):
            # A level at or above the higher cut is so for the lower one too.
            together = p[second] * (1 - p[first])
            middle = (design * (w**2 * together)[:, None]).T @ design
            block = (inverse[first] @ middle @ inverse[second])[1:, 1:]
            blocks[first, :, second], blocks[second, :, first] = block, block.T
    return blocks.reshape(cuts * (width - 1), -1)


def _wald(slopes: Floats, covariance: Floats, cuts: int, metrics: int) -> float:
    contrast = np.kron(np.column_stack([np.ones(cuts - 1), -np.eye(cuts - 1)]), np.eye(metrics))
    difference = contrast @ slopes.ravel()
    return float(difference @ np.linalg.solve(contrast @ covariance @ contrast.T, difference))


def _chi2_tail(statistic: float, degrees: int) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(degrees, statistic))
