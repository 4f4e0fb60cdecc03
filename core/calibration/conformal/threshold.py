"""Stage 2: split conformal prediction. A threshold from one independent set of labels turns probability into sets."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Bools, Floats
from hcat.core.errors import HcatError
from hcat.core.statistics.effective_n import kish_n
from hcat.core.types import Finite

SetName = Literal["fail", "pass", "both", "empty"]

_DENOMINATOR = 10**9
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class WeightStep:
    """The threshold of samples whose weight is at most `weight`, and above that of the step before."""

    weight: Finite
    q_hat: Finite


@dataclass(frozen=True, slots=True)
class Threshold:
    """q̂ from n labels at error rate α.

    If n is too small for α, q̂ is 1, every set is full, and `enough` is False; `needed` is the smallest n that
    suffices. `test_cases` is the number of test cases of the labels, if one has several trials; None if each label is
    of its own. `alike` says that all have the same number. `effective_n` is Kish's effective number of labels if they
    were drawn unequally, else None. With `by_weight`, in increasing order, each sample has the threshold of its own
    weight, 1 beyond the last step; `q_hat` is then that of the heaviest sample, and `enough` says that some sample has
    one below 1."""

    q_hat: Finite
    n: int
    alpha: Finite
    enough: bool
    needed: int
    test_cases: int | None = None
    alike: bool = True
    effective_n: Finite | None = None
    by_weight: tuple[WeightStep, ...] = ()

    def q_hats_at(self, weights: Floats | None, n: int) -> Floats:
        """The threshold of each of n samples, (n,), by their weights (n,) if thresholds are by weight."""
        if weights is None or not self.by_weight:
            return np.full(n, self.q_hat)
        steps = np.array([step.weight for step in self.by_weight])
        q_hats = np.array([*(step.q_hat for step in self.by_weight), 1.0])
        return q_hats[np.searchsorted(steps, weights * (1 - _ROUNDING), side="left")]


@dataclass(frozen=True, slots=True)
class Region:
    """An interval of an axis, of probability or of score, on which the prediction set is the same."""

    set_name: SetName
    low: float
    high: float


class SingleMetricMap(Protocol):
    """The interface of a map for `score_regions`: the score that has a probability, and the map itself."""

    def score_at(self, probability: float) -> float | None: ...
    def probability(self, X: ArrayLike) -> Floats: ...


@runtime_checkable
class PiecewiseMap(Protocol):
    """A map of one metric that is linear or constant between its knots and constant beyond them."""

    @property
    def knots(self) -> tuple[float, ...]: ...
    def probability(self, X: ArrayLike) -> Floats: ...


def nonconformity(probability: ArrayLike, passed: ArrayLike) -> Floats:
    """s = 1 − p(y|x), shape (n,): the nonconformity of the label that people gave. HCAT 5.2, step 1."""
    p = np.asarray(probability, dtype=np.float64)
    return np.where(np.asarray(passed, dtype=bool), 1 - p, p)


def conformal_quantile(
    nonconformity: ArrayLike,
    *,
    alpha: float,
    weights: ArrayLike | None = None,
    new_weight: float | None = None,
    lightest: float | None = None,
) -> Threshold:
    """q̂: the ⌈(n+1)(1−α)⌉-th smallest of n nonconformity scores, each in [0, 1]. HCAT 5.2, step 2.

    `weights` are inverse sampling probabilities of labels: the weighted quantile of Tibshirani et al. 2019, equation 8.
    There the threshold depends on the weight of the new sample; here the largest weight (or `new_weight`, if larger)
    replaces it, so that one threshold is valid for every sample with at most that weight. That is conservative. Equal
    weights give the unweighted quantile. With `lightest`, the least weight of a new sample, the thresholds for all
    weights are given in addition."""
    scores = np.sort(np.asarray(nonconformity, dtype=np.float64))
    if np.isnan(scores).any():
        raise HcatError("nonconformity scores must be numbers: leave out unscored samples")
    if weights is not None:
        w = np.asarray(weights, dtype=np.float64)
        heaviest = max(float(w.max(initial=0.0)), new_weight or 0.0)
        if w.shape != scores.shape or not (w > 0).all():
            raise HcatError("weights must be positive, one for each nonconformity score")
        if len(w) and float(w.min()) < heaviest:
            return _weighted_quantile(np.asarray(nonconformity, dtype=np.float64), w, heaviest, alpha, lightest)
    n = len(scores)
    rank = conformal_rank(n, alpha)
    enough = rank <= n
    return Threshold(
        q_hat=float(scores[rank - 1]) if enough else 1.0,
        n=n,
        alpha=alpha,
        enough=enough,
        needed=math.ceil(1 / _exact(alpha)) - 1,
    )


def conformal_rank(n: int, alpha: float) -> int:
    """⌈(n + 1)(1 − α)⌉ in exact arithmetic: in floats, (9 + 1)(1 − 0.1) can come out above 9."""
    return math.ceil((n + 1) * (1 - _exact(alpha)))


def promised_share(alpha: float) -> float:
    """1 − α in exact arithmetic: the share of samples that sets should cover."""
    return float(1 - _exact(alpha))


def prediction_sets(probability: ArrayLike, q_hat: float) -> Bools:
    """The prediction sets: whether each class is in the set of each sample, (n, 2), columns fail (0) and pass (1).

    HCAT 5.2, step 3. A class is in the set when its nonconformity is at most q̂, computed as in `nonconformity`, so
    that a sample that itself set the threshold is covered. Probabilities must be numbers: an unscored sample has no
    set."""
    p = np.asarray(probability, dtype=np.float64)
    if np.isnan(p).any():
        raise HcatError("an unscored sample has no prediction set: leave out samples without a probability")
    return np.column_stack([p <= q_hat, 1 - p <= q_hat])


def probability_regions(q_hat: float, *, q_hat_pass: float | None = None) -> tuple[Region, ...]:
    """The prediction set along the probability axis, from 0 to 1: as in the source's Figure 4, for drawing.

    Below q̂ the set contains fail, from 1 − q̂ on it contains pass: both if these overlap (q̂ ≥ 0.5), empty in the
    gap. With thresholds by class, `q_hat` is that of fail and `q_hat_pass` that of pass. Regions without width are
    left out."""
    fail_to, pass_from = q_hat, 1 - (q_hat if q_hat_pass is None else q_hat_pass)
    low, high = sorted((fail_to, pass_from))
    middle: SetName = "both" if fail_to >= pass_from else "empty"
    regions = (Region("fail", 0.0, low), Region(middle, low, high), Region("pass", high, 1.0))
    return tuple(region for region in regions if region.high > region.low)


def score_regions(
    single: SingleMetricMap | PiecewiseMap, q_hat: float, *, q_hat_pass: float | None = None
) -> tuple[Region, ...]:
    """The prediction set along the score axis of a map of one metric, from −∞ to ∞, in increasing order of score.

    `q_hat_pass` as in `probability_regions`; piecewise maps allow one threshold only."""
    if isinstance(single, PiecewiseMap):
        return _piecewise_regions(single, q_hat)
    centre = single.score_at(0.5)
    if centre is None:
        constant = float(single.probability(np.zeros(1))[0])
        in_1 = 1 - constant <= (q_hat if q_hat_pass is None else q_hat_pass)
        return (Region(name_of_set(in_0=constant <= q_hat, in_1=in_1), -math.inf, math.inf),)
    regions = []
    for region in probability_regions(q_hat, q_hat_pass=q_hat_pass):
        ends = [_edge(single, region.low, centre), _edge(single, region.high, centre)]
        regions.append(Region(region.set_name, min(ends), max(ends)))
    return tuple(sorted(regions, key=lambda region: region.low))


def _piecewise_regions(single: PiecewiseMap, q_hat: float) -> tuple[Region, ...]:
    """The regions between the knots and the crossings of q̂ and 1 − q̂, each with the set at its middle."""
    knots = np.asarray(single.knots)
    height = single.probability(knots)
    cuts = [*knots.tolist()]
    for wanted in (q_hat, 1 - q_hat):
        crossed = np.flatnonzero((height[:-1] - wanted) * (height[1:] - wanted) < 0)
        share = (wanted - height[crossed]) / (height[crossed + 1] - height[crossed])
        cuts += (knots[crossed] + share * (knots[crossed + 1] - knots[crossed])).tolist()
    edges = [-math.inf, *sorted(set(cuts)), math.inf]
    middles = [edges[1] - 1, *((np.array(edges[1:-2]) + np.array(edges[2:-1])) / 2).tolist(), edges[-2] + 1]
    regions: list[Region] = []
    for low, high, row in zip(edges, edges[1:], prediction_sets(single.probability(middles), q_hat), strict=False):
        name = name_of_set(in_0=bool(row[0]), in_1=bool(row[1]))
        if regions and regions[-1].set_name == name:
            low = regions.pop().low
        regions.append(Region(name, low, high))
    return tuple(regions)


def _edge(single: SingleMetricMap, probability: float, centre: float) -> float:
    if 0 < probability < 1:
        edge = single.score_at(probability)
        return math.nan if edge is None else edge
    # The map is monotone, so one inner point tells on which side of the axis probability 0 and 1 lie.
    inner = single.score_at(0.75)
    rising = inner is not None and inner > centre
    return math.inf if (probability >= 1) == rising else -math.inf


def name_of_set(*, in_0: bool, in_1: bool) -> SetName:
    if in_0 and in_1:
        return "both"
    if in_1:
        return "pass"
    return "fail" if in_0 else "empty"


def _weighted_quantile(
    scores: Floats, weights: Floats, heaviest: float, alpha: float, lightest: float | None
) -> Threshold:
    order = np.argsort(scores, kind="stable")
    mass = np.cumsum(weights[order])
    target = promised_share(alpha) * (float(mass[-1]) + heaviest)
    position = int(np.searchsorted(mass, target * (1 - _ROUNDING), side="left"))
    steps = () if lightest is None else _weight_steps(scores[order], mass, alpha)
    decisive = heaviest if lightest is None else lightest
    return Threshold(
        q_hat=float(scores[order][position]) if position < len(scores) else 1.0,
        n=len(scores),
        alpha=alpha,
        enough=position < len(scores) if lightest is None else bool(steps) and steps[-1].weight >= lightest,
        # Enough means Σw ≥ (1 − α)(Σw + w) for the weight w of a new sample; solved for n at the mean weight so far.
        needed=math.ceil(float(1 / _exact(alpha) - 1) * decisive / float(weights.mean()) * (1 - _ROUNDING)),
        effective_n=kish_n(weights),
        by_weight=steps,
    )


def _weight_steps(ascending: Floats, mass: Floats, alpha: float) -> tuple[WeightStep, ...]:
    """The largest weight of a new sample for which each score is the threshold.

    There, (1 − α)(Σw + weight) reaches the score's mass."""
    bounds = mass / promised_share(alpha) - float(mass[-1])
    positive = bounds > 0
    return tuple(
        WeightStep(weight, q_hat)
        for weight, q_hat in zip(bounds[positive].tolist(), ascending[positive].tolist(), strict=True)
    )


def _exact(alpha: float) -> Fraction:
    """The decimal that was meant: 0.1 is a tenth, and so is 1 − 0.9."""
    if not 1e-6 <= alpha <= 1 - 1e-6:
        raise HcatError(f"alpha is the share of errors to allow, between 0 and 1, such as 0.1; got {alpha}")
    return Fraction(alpha).limit_denominator(_DENOMINATOR)
