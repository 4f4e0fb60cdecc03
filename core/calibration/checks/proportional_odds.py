"""A test of the assumption of `fit_ordinal`: that a metric has the same slope at every cut between levels."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Codes, Floats
from hcat.core.calibration.maps.logistic import fit_logistic
from hcat.core.errors import HcatError
from hcat.core.statistics.clusters import case_codes
from hcat.core.statistics.effective_n import kish_n
from hcat.core.types import Verdict

LEAST_A_SIDE = 5
DOUBTFUL_P = 0.05

PROPORTIONAL_ODDS = Verdict(
    name="proportional odds in doubt",
    words=("doubtful",),
    claim="A metric does not move every cut between levels by the same slope.",
    error=DOUBTFUL_P,
    family="one calibration: all metrics and cuts together",
    decides="hcat.core.calibration.checks.proportional_odds:check_proportional_odds",
    carried_by="hcat.core.calibration.checks.proportional_odds:ProportionalOdds.doubtful",
)
_NO_PENALTY = 1e-6
_SEPARATED = 30.0
"""A slope per standard deviation beyond which a cut is practically separated, and the test is meaningless."""


@dataclass(frozen=True, slots=True)
class Untested:
    """The reason why the test could not be made: the number of `test_cases` if it is too small, or the `error` of a
    fit."""

    cause: Literal["one cut", "few labels", "empty level", "constant metric", "few clusters", "no fit", "separated"]
    test_cases: int = 0
    error: str = ""


@dataclass(frozen=True, slots=True)
class ProportionalOdds:
    """The χ² test of equal slopes at all cuts: statistic, degrees of freedom, p, and the slopes (cuts, metrics).

    Slopes are per standard deviation of the metric. A small p is evidence against one slope for all. NaN if the test
    can't be made, and `untested` says why; a result read from a document has the `reason` that the document states
    instead. `test_cases` counts the independent units if some have several labels."""

    statistic: float
    degrees: int
    p: float
    slopes: tuple[tuple[float, ...], ...]
    n: int
    reason: str = field(default="", compare=False)
    test_cases: int | None = None
    untested: Untested | None = field(default=None, compare=False)

    @property
    def doubtful(self) -> bool:
        """Whether the test rejects one slope for all cuts at 5 %."""
        return self.p < DOUBTFUL_P


def check_proportional_odds(
    X: ArrayLike,
    levels: ArrayLike,
    *,
    n_levels: int,
    weights: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> ProportionalOdds:
    """Brant's Wald test: a logistic fit at each cut, and whether their slopes differ beyond chance.

    `X` (n, metrics) finite, `levels` (n,). The covariance of the fits is that of the scores of nested cuts, with
    squared weights for labels drawn unequally; if `groups` (n,) name one test case for several labels, scores are
    summed by test case. Degrees of freedom: (levels − 2) · metrics. p is that of Hotelling's T² for the effective
    number of equal labels or test cases (`_equal_cases`). Needs three levels, 5 labels on either side of each cut, and
    metrics that vary. Source: Brant 1990, section 3."""
    table, y = np.asarray(X, dtype=np.float64), np.asarray(levels, dtype=np.intp)
    table = table[:, None] if table.ndim == 1 else table
    n, metrics = table.shape
    cuts = n_levels - 1
    degrees = (cuts - 1) * metrics

    def untestable(why: Untested, slopes: tuple[tuple[float, ...], ...] = ()) -> ProportionalOdds:
        return ProportionalOdds(math.nan, degrees, math.nan, slopes, n, untested=why)

    codes = case_codes(groups)
    cases = None if codes is None else int(codes.max()) + 1
    if cuts < 2:
        return untestable(Untested("one cut"))
    sides = [int(np.sum(y >= cut)) for cut in range(1, n_levels)]
    if min(min(side, n - side) for side in sides) < LEAST_A_SIDE:
        return untestable(Untested("few labels"))
    if len(set(sides)) < cuts:  # the cuts on both sides of an empty level are the same
        return untestable(Untested("empty level"))
    if (table.max(axis=0) == table.min(axis=0)).any():
        return untestable(Untested("constant metric"))
    if cases is not None and cases <= degrees:
        return untestable(Untested("few clusters", test_cases=cases))
    w = np.ones(n) if weights is None else np.asarray(weights, dtype=np.float64) / np.mean(np.asarray(weights))
    z = (table - table.mean(axis=0)) / table.std(axis=0)
    design = np.column_stack([np.ones(n), z])
    try:
        fits = [fit_logistic(z, y >= cut, weights=w, penalty=_NO_PENALTY) for cut in range(1, n_levels)]
    except HcatError as error:
        return untestable(Untested("no fit", error=str(error)))
    slopes = np.array([np.array(fit.slopes) / np.array(fit.scales) for fit in fits])
    listed = tuple(tuple(row) for row in slopes.tolist())
    if float(np.abs(slopes).max()) > _SEPARATED:
        return untestable(Untested("separated"), listed)
    p = np.array([fit.probability(z) for fit in fits])
    residuals = np.array([y >= cut for cut in range(1, n_levels)]) - p
    sums = None if codes is None else _scores_by_case(design, residuals, w, codes)
    statistic = _wald(slopes, _covariance(design, p, w, sums), cuts, metrics)
    alike = _equal_cases(z, p, w, np.arange(n) if codes is None else codes)
    if alike <= degrees + 1:
        return untestable(Untested("few clusters", test_cases=math.floor(alike)), listed)
    tail = _hotelling_tail(statistic, degrees, alike)
    return ProportionalOdds(statistic, degrees, tail, listed, n, test_cases=cases)


def _covariance(design: Floats, p: Floats, w: Floats, sums: Floats | None) -> Floats:
    """Covariance of the slopes of all cuts, (cuts · metrics, cuts · metrics); p (cuts, n) is P(level ≥ cut).

    The middle of the sandwich is the model's own covariance of the scores, or that of their `sums` by test case, (cuts,
    cases, width)."""
    cuts, width = len(p), design.shape[1]
    inverse = [np.linalg.inv((design * (w * at * (1 - at))[:, None]).T @ design) for at in p]
    blocks = np.zeros((cuts, width - 1, cuts, width - 1))
    for first in range(cuts):
        for second in range(first, cuts):
            if sums is None:
                # A level at or above the higher cut is so for the lower one too.
                together = p[second] * (1 - p[first])
                middle = (design * (w**2 * together)[:, None]).T @ design
            else:
                middle = sums[first].T @ sums[second]
            block = (inverse[first] @ middle @ inverse[second])[1:, 1:]
            blocks[first, :, second], blocks[second, :, first] = block, block.T
    return blocks.reshape(cuts * (width - 1), -1)


def _scores_by_case(design: Floats, residuals: Floats, w: Floats, codes: Codes) -> Floats:
    """The scores of each cut summed by test case, (cuts, cases, width), times √(G / (G − 1)); residuals (cuts, n).

    Source: Liang & Zeger 1986.
    """
    cases = int(codes.max()) + 1
    sums = np.zeros((len(residuals), cases, design.shape[1]))
    for of_cut, residual in zip(sums, residuals, strict=True):
        np.add.at(of_cut, codes, design * (w * residual)[:, None])
    return sums * math.sqrt(cases / (cases - 1))


def _equal_cases(z: Floats, p: Floats, w: Floats, codes: Codes) -> float:
    """The effective number of equally informative test cases for the slope with fewest of them: Kish's, by information.

    If most samples have the same score, or little weight, a few others decide, and the variance is that of these few.
    Source: Carter, Schnepel & Steigerwald 2017, section 3."""
    fewest = math.inf
    for at in p:
        mass = w * at * (1 - at)
        for column in z.T:
            centred = column - float(mass @ column) / float(mass.sum())
            fewest = min(fewest, kish_n(np.bincount(codes, weights=mass * centred**2)))
    return fewest


def _wald(slopes: Floats, covariance: Floats, cuts: int, metrics: int) -> float:
    contrast = np.kron(np.column_stack([np.ones(cuts - 1), -np.eye(cuts - 1)]), np.eye(metrics))
    difference = contrast @ slopes.ravel()
    return float(difference @ np.linalg.solve(contrast @ covariance @ contrast.T, difference))


def _hotelling_tail(statistic: float, degrees: int, cases: float) -> float:
    from scipy.special import fdtrc

    return float(fdtrc(degrees, cases - degrees, statistic * (cases - degrees) / (degrees * (cases - 1))))
