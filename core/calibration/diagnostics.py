"""What the third split says of a calibration: is it calibrated, does it cover, what does it get wrong."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.calibration.conformal import prediction_sets
from core.calibration.discrimination import auc_estimate, effective_n
from core.estimates.intervals import ProportionMethod, mean_interval, proportion_interval
from core.types import Estimate

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

DECISION_THRESHOLD = 0.5
MOST_BINS = 10
LABELS_PER_BIN = 10


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Samples of like probability, from `low` to `high`: what the map said on average and how many people passed."""

    low: float
    high: float
    probability: float
    observed: Estimate
    n: int


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """Measured on the check split alone: n labels, of which people passed `passes`.

    `type_1` and `type_2` are the machine's errors against people at `decision_threshold` (see `error_rates`).
    `coverage` is the share of samples whose prediction set holds the label; `set_sizes` counts sets by size, from 0 on;
    `undecided` is the share of sets that hold neither only fails nor only passes, which people must decide.
    `baselines` holds the AUC of trivial scores on the same samples. ECE is a plain number and leans upwards: with few
    labels even a perfect map has some.
    """

    n: int
    passes: int
    auc: Estimate
    ece: float
    brier: Estimate
    reliability: tuple[ReliabilityBin, ...]
    decision_threshold: float
    type_1: Estimate
    type_2: Estimate
    coverage: Estimate
    set_sizes: Mapping[int, int]
    undecided: Estimate
    baselines: Mapping[str, Estimate] = field(default_factory=dict)


def diagnose(
    probability: ArrayLike,
    passed: ArrayLike,
    *,
    q_hat: float,
    sets: ArrayLike | None = None,
    levels: ArrayLike | None = None,
    passing: int = 1,
    decision_threshold: float = DECISION_THRESHOLD,
    weights: ArrayLike | None = None,
    baselines: Mapping[str, Estimate] | None = None,
    level: float = 0.95,
) -> Diagnostics:
    """All diagnostics of probabilities (n,) against what people said (n,), n ≥ 1, on samples that set nothing.

    `sets` (n, levels) are the prediction sets and `levels` (n,) what people gave, where there are more than fail and
    pass, or where more than one q̂ made the sets; levels pass from `passing` on. `weights` are the inverse of the
    probabilities with which the samples were drawn; every share is then one of the population, and its interval rests
    on the effective n.
    """
    p, y = np.asarray(probability, dtype=np.float64), np.asarray(passed, dtype=bool)
    w = None if weights is None else np.asarray(weights, dtype=np.float64)
    held = prediction_sets(p, q_hat) if sets is None else np.asarray(sets, dtype=bool)
    given = y.astype(np.intp) if levels is None else np.asarray(levels, dtype=np.intp)
    sizes = held.sum(axis=1)
    decided = held[:, :passing].any(axis=1) != held[:, passing:].any(axis=1)
    bins = reliability(p, y, weights=w, level=level)
    type_1, type_2 = error_rates(p, y, threshold=decision_threshold, weights=w, level=level)
    return Diagnostics(
        n=len(p),
        passes=int(y.sum()),
        auc=auc_estimate(p, y, weights=w, level=level),
        ece=calibration_error(p, y, weights=w),
        brier=mean_interval((p - y) ** 2, weights=w, level=level, within=(0.0, 1.0)),
        reliability=bins,
        decision_threshold=decision_threshold,
        type_1=type_1,
        type_2=type_2,
        coverage=share(held[np.arange(len(p)), given], weights=w, level=level, method="clopper-pearson"),
        set_sizes={size: int(np.sum(sizes == size)) for size in range(held.shape[1] + 1)},
        undecided=share(~decided, weights=w, level=level),
        baselines=dict(baselines or {}),
    )


def error_rates(
    probability: ArrayLike,
    passed: ArrayLike,
    *,
    threshold: float,
    weights: ArrayLike | None = None,
    level: float = 0.95,
) -> tuple[Estimate, Estimate]:
    """Type I and type II error of the machine against people, when it passes probabilities ≥ `threshold`.

    Type I: of the samples that people fail, the share that the machine passes (a bad answer gets through).
    Type II: of the samples that people pass, the share that the machine fails (a good answer is held back).
    NaN where people failed, or passed, none. HCAT 5.
    """
    p, y = np.asarray(probability, dtype=np.float64), np.asarray(passed, dtype=bool)
    w = None if weights is None else np.asarray(weights, dtype=np.float64)
    machine = p >= threshold
    return (
        share(machine[~y], weights=None if w is None else w[~y], level=level),
        share(~machine[y], weights=None if w is None else w[y], level=level),
    )


def calibration_error(probability: ArrayLike, passed: ArrayLike, *, weights: ArrayLike | None = None) -> float:
    """Expected calibration error in [0, 1]: mean distance of stated and observed share over bins of equal mass."""
    p, y = np.asarray(probability, dtype=np.float64), np.asarray(passed, dtype=np.float64)
    w = np.ones(len(p)) if weights is None else np.asarray(weights, dtype=np.float64)
    if len(p) == 0:
        return math.nan
    gaps = np.bincount(equal_mass_bins(p), weights=w * (p - y))
    return float(np.abs(gaps).sum() / w.sum())


def reliability(
    probability: ArrayLike, passed: ArrayLike, *, weights: ArrayLike | None = None, level: float = 0.95
) -> tuple[ReliabilityBin, ...]:
    """The reliability diagram as data: bins of equal mass in rising probability, each with its n and interval."""
    p, y = np.asarray(probability, dtype=np.float64), np.asarray(passed, dtype=bool)
    w = None if weights is None else np.asarray(weights, dtype=np.float64)
    bin_of = equal_mass_bins(p)
    diagram = []
    for number in range(int(bin_of.max(initial=-1)) + 1):
        rows = bin_of == number
        inside = None if w is None else w[rows]
        diagram.append(
            ReliabilityBin(
                low=float(p[rows].min()),
                high=float(p[rows].max()),
                probability=float(np.average(p[rows], weights=inside)),
                observed=share(y[rows], weights=inside, level=level),
                n=int(rows.sum()),
            )
        )
    return tuple(diagram)


def equal_mass_bins(values: ArrayLike) -> NDArray[np.intp]:
    """The bin of each value, from 0: at most 10 bins, of 10 or more values each where there are as many.

    Equal values share a bin, so that bins can be fewer and of unequal size.
    """
    v = np.asarray(values, dtype=np.float64)
    if len(v) == 0:
        return np.zeros(0, dtype=np.intp)
    count = max(1, min(MOST_BINS, len(v) // LABELS_PER_BIN))
    cuts = np.unique(np.quantile(v, np.arange(1, count) / count, method="lower"))
    return np.searchsorted(cuts[cuts < v.max()], v, side="left")


def share(
    hits: ArrayLike, *, weights: ArrayLike | None = None, level: float = 0.95, method: ProportionMethod = "wilson"
) -> Estimate:
    """The share of hits and its interval; NaN for n = 0.

    With weights the interval is Clopper and Pearson's at the effective n (Korn & Graubard 1998); the method says so.
    """
    h = np.asarray(hits, dtype=bool)
    if weights is None or len(h) == 0:
        return proportion_interval(int(h.sum()), len(h), level=level, method=method)
    w = np.asarray(weights, dtype=np.float64)
    value, n = float(np.average(h, weights=w)), effective_n(w)
    low, high = _clopper_pearson(value * n, n, level)
    return Estimate(value, low, high, len(h), level, f"clopper-pearson at effective n = {n:.1f}")


def _clopper_pearson(hits: float, n: float, level: float) -> tuple[float, float]:
    from scipy.special import betaincinv

    tail, misses = (1 - level) / 2, max(n - hits, 0.0)
    low = 0.0 if hits <= 0 else float(betaincinv(hits, misses + 1, tail))
    high = 1.0 if misses <= 0 else float(betaincinv(hits + 1, misses, 1 - tail))
    return low, high
