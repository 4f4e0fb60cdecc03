"""What each sample of a run adds to its corrected pass rate: the basis of estimates and their errors."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.arrays import Bools, Floats, Ints
from core.errors import HcatError
from core.statistics.clusters import as_seen, equal_clusters
from core.statistics.effective_n import kish_n

Keys = NDArray[np.str_] | Ints

LEAST_IN_STRATUM = 2
NEGLIGIBLE = 1e-10
"""A share of the variance below which it is rounding, or a prediction without information."""
ROUNDING = 1e-12
"""A standard error below this counts as zero."""
NO_TRUST = 1e-9
"""A λ up to this is rounding: it moves no estimate, and costs no degree of freedom."""


@dataclass(frozen=True, eq=False)
class LabelledRun:
    """All N samples of a run, of which n are labelled.

    `passed` (N,) is 1 or 0 as people say, NaN where no label is. `prediction` (N,) is the probability of a pass,
    NaN where unscored; it must come from a map that never saw the sample's own label (see `cross_fit`).
    `weights` (N,) are inverses of the probability with which a sample was drawn for labelling; only their ratios count,
    and only those of labelled samples. `strata` (N,) names the stratum that each sample was drawn from. `clusters`
    (N,) names what is independent of one another (`core.records.clusters`); by default each sample. `design` (N,) are
    inverses of the probability with which the test set's design drew each sample's case: estimates are then of all
    cases that it could have drawn. Only their ratios count too.
    """

    passed: Floats
    prediction: Floats
    weights: Floats | None = None
    strata: NDArray[np.str_] | None = None
    clusters: Keys | None = None
    design: Floats | None = None

    def __post_init__(self) -> None:
        for name in ("passed", "prediction", "weights", "strata", "clusters", "design"):
            column = getattr(self, name)
            if column is not None and np.shape(column) != (len(self.passed),):
                raise HcatError(f"{name} must have one value for each of the {len(self.passed)} samples")
        labels = self.passed[self.labelled]
        if not ((labels == 0) | (labels == 1)).all():
            raise HcatError("labels must be 1 for pass, 0 for fail, or NaN for none")
        if np.isinf(self.prediction).any():
            raise HcatError("predictions must be finite; use NaN for unscored samples")
        if self.weights is not None:
            drawn = self.weights[self.labelled]
            if not (np.isfinite(drawn).all() and (drawn > 0).all()):
                raise HcatError("weights must be positive and finite on every labelled sample")
        if self.design is not None and not (np.isfinite(self.design).all() and (self.design > 0).all()):
            raise HcatError("design weights must be positive and finite on every sample")

    @property
    def labelled(self) -> Bools:
        return ~np.isnan(self.passed)

    @property
    def keys(self) -> Keys:
        return np.arange(len(self.passed)) if self.clusters is None else self.clusters

    @property
    def sample_weights(self) -> Floats:
        """How much each sample counts (N,), 1 on average: its design weight."""
        if self.design is None or not len(self.passed):
            return np.ones(len(self.passed))
        return np.asarray(self.design / self.design.mean(), dtype=np.float64)

    @property
    def label_weights(self) -> Floats:
        """How much a label on each sample counts (N,): the inverse of both probabilities, of its case and its label."""
        weights = np.ones(len(self.passed)) if self.weights is None else self.weights
        return weights if self.design is None else weights * self.sample_weights

    def independent(self, rows: Ints) -> int:
        """How many clusters these samples come from."""
        if self.clusters is None or _rises(self.clusters[rows]):
            return len(rows)
        return len(np.unique(self.clusters[rows]))

    def part(self, rows: Bools) -> LabelledRun:
        """The samples of a mask (N,) as a run of their own: a domain of the same draw."""
        return LabelledRun(
            self.passed[rows],
            self.prediction[rows],
            None if self.weights is None else self.weights[rows],
            None if self.strata is None else self.strata[rows],
            None if self.clusters is None else self.clusters[rows],
            None if self.design is None else self.design[rows],
        )

    def numbered(self) -> LabelledRun:
        """The same run with clusters numbered from 0, since numbers sort much faster than names."""
        if self.clusters is None or self.clusters.dtype.kind == "i":
            return self
        numbers: dict[str, int] = {}
        codes = [numbers.setdefault(name, len(numbers)) for name in self.clusters.tolist()]
        return replace(self, clusters=np.array(codes, dtype=np.intp))


def labelled_run(
    passed: ArrayLike,
    prediction: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    design: ArrayLike | None = None,
) -> LabelledRun:
    """A `LabelledRun` from anything array-like. HcatError if lengths or values do not fit."""
    return LabelledRun(
        np.asarray(passed, dtype=np.float64),
        np.asarray(prediction, dtype=np.float64),
        None if weights is None else np.asarray(weights, dtype=np.float64),
        None if strata is None else np.asarray(strata, dtype=np.str_),
        None if clusters is None else np.asarray(clusters, dtype=np.str_),
        None if design is None else np.asarray(design, dtype=np.float64),
    )


@dataclass(frozen=True, slots=True)
class PlainLabels:
    """Plain labels that a standard error is compared with: how many there are, their pass rate by weight (NaN without
    any), the number of all samples, Kish's number of independent labels by weight and cluster, and how many clusters of
    equal weight, all `alike`, would tell the error as surely. They are worth `most` so many: their number where all
    weigh alike. `varying` is the share of labels of which it matters whether others had been drawn instead: fewer than
    all where N is finite."""

    n: int
    rate: float
    samples: int
    independent: Callable[[], float]
    alike: Callable[[], float]
    most: float
    varying: float = 1.0

    @property
    def spread(self) -> float:
        """The variance of one plain label; NaN of fewer than two."""
        return self.rate * (1 - self.rate) * self.n / (self.n - 1) if self.n > 1 else math.nan

    def effective_n(self, error: float) -> float:
        """How many plain labels have this standard error, as far as these labels show it.

        Failures found with little weight, as by a queue that looks for them, make the standard error too small where
        they are few (`as_seen`).
        """
        if math.isnan(error):
            return math.nan
        if self.spread > NEGLIGIBLE and error**2 > NEGLIGIBLE * self.spread / self.samples:
            precise, n = self.spread / error**2, self.n * self.varying
            return as_seen(precise, self.independent(), rate=self.rate, n=n)
        # All labels agree, or all clusters: only weights and clusters say anything.
        return self.independent()


@dataclass(frozen=True, eq=False)
class Influence:
    """What every sample adds to an estimate labels_only + λ · correction: (constant + λ · slope), shape (N,) each.

    `keys` (N,) name the clusters; `n` counts labels, `degrees` its degrees of freedom. `floor` is the variance
    that strata in which all labels agree must have besides: theirs would be 0, and the interval too narrow.
    `plain` is what its error is compared with. `strata` counts those that are estimated on their own. `draw` is what is
    left once the N samples are given: which of them were drawn.
    """

    labels_only: float
    correction: float
    constant: Floats
    slope: Floats
    keys: Keys
    n: int
    degrees: float
    floor: float
    plain: PlainLabels
    strata: int = 1
    draw: LabelDraw | None = None

    def error(self, lambda_: float) -> float:
        """The standard error at this λ; NaN where no degree of freedom is left."""
        if self.degrees < 1:
            return math.nan
        moved = self.by_cluster(lambda_)
        return math.sqrt(float(moved @ moved) + self.floor)

    def degrees_less(self, fitted: int) -> float:
        """Those of freedom of the error where so many trusts λ were fitted. Where there is but one stratum, no more
        than clusters of unlike weight leave, but 1 at least."""
        if self.strata > 1:
            return self.degrees - fitted
        return min(self.degrees - fitted, max(self.plain.alike() - 1 - fitted, 1.0))

    def effective_n(self, lambda_: float, *, inflation: float = 1.0) -> float:
        """How many plain labels have the error at this λ, whose choice multiplies the variance by `inflation`.

        Where clusters vary less than unrelated labels would, that is of chance: by themselves labels of one stratum are
        worth no more than there are, and predictions add to that."""
        found = self.plain.effective_n(self.error(lambda_) * math.sqrt(inflation))
        alone = self.plain.effective_n(self.error(0.0))
        return found * self.plain.most / alone if self.strata == 1 and alone > self.plain.most else found

    def by_cluster(self, lambda_: float) -> Floats:
        """What each cluster adds to the estimate at this λ; independent of one another, with mean 0."""
        return sum_by(self.keys, self.constant + lambda_ * self.slope)


@dataclass(frozen=True, eq=False)
class LabelDraw:
    """The labels alone (n,), with the part of the variance of each that is `left` where the N samples are given."""

    parts: Influence
    left: Floats


@dataclass(frozen=True, slots=True)
class Tuned:
    """λ of each run, and by what the variance at these λ is to be multiplied for their having been chosen."""

    lambdas: tuple[float, ...]
    inflation: float = 1.0


def influence(run: LabelledRun) -> Influence:
    """The influence of each sample on the pass rate, by stratum. Strata with one label or none are merged.

    A stratum whose n labels all agree adds the variance of Laplace's rate, (n + 1)/(n + 2)².
    """
    total = len(run.passed)
    strata = _strata(run)
    rows_of = [np.flatnonzero(strata == code) for code in range(int(strata.max(initial=-1)) + 1)]
    prediction = filled(run.prediction)
    counts, weights = run.sample_weights, run.label_weights
    constant, slope = np.zeros(total), np.zeros(total)
    of_draw, left = np.zeros((2, total)), np.zeros(total)
    means, corrections, sizes = (np.zeros(len(rows_of)) for _ in range(3))
    floor = drawn_floor = 0.0
    for code, rows in enumerate(rows_of):
        y, f, count, weight = (column[rows] for column in (run.passed, prediction, counts, weights))
        drawn = ~np.isnan(y)
        n, size, heard = int(drawn.sum()), float(count.sum()), weight[drawn]
        share = np.where(drawn, weight, 0.0) / heard.sum() if n else np.full(len(rows), np.nan)
        agree = bool(n) and y[drawn].min() == y[drawn].max()
        # Of labels that agree exactly their value, so that rounding never looks like spread.
        means[code] = float(y[drawn][0]) if agree else float(share[drawn] @ y[drawn]) if n else math.nan
        predicted, mean = float(share @ f), float(np.average(f, weights=count))
        corrections[code], sizes[code] = mean - predicted, size
        left[rows[drawn]] = _left_open(heard / count[drawn], len(rows))
        if agree:
            told = n if run.design is None else kish_n(heard)
            of_stratum = (size / total) ** 2 * variance_of_agreeing(told)
            floor, drawn_floor = floor + of_stratum, drawn_floor + of_stratum * float(left[rows[drawn]].mean())
        independent = run.independent(rows[drawn])
        small = math.sqrt(independent / (independent - 1)) if independent > 1 else math.nan
        constant[rows] = small * size * share * (np.where(drawn, y, 0.0) - means[code])
        of_labels = small * size * share * (f - predicted)
        slope[rows] = small * count * (f - mean) - of_labels
        of_draw[:, rows] = np.sqrt(left[rows]) * (constant[rows], -of_labels)
    labels_only = float(sizes @ means / total) if total else math.nan
    correction = float(sizes @ corrections / total) if total else math.nan
    degrees = _degrees(run, rows_of, constant)
    if len(rows_of):
        constant += counts * (means - labels_only)[strata]
        slope += counts * (corrections - correction)[strata]
    found = Influence(
        labels_only=labels_only,
        correction=0.0 if math.isnan(correction) else correction,
        constant=constant / max(total, 1),
        slope=slope / max(total, 1),
        keys=run.keys,
        n=int(run.labelled.sum()),
        degrees=degrees,
        floor=floor,
        plain=plain_labels(run),
        strata=max(len(rows_of), 1),
    )
    known = run.labelled
    of_labels_constant, of_labels_slope = of_draw[:, known] / max(total, 1)
    alone = replace(found, constant=of_labels_constant, slope=of_labels_slope, keys=run.keys[known], floor=drawn_floor)
    return replace(found, draw=LabelDraw(alone, left[known]))


def plain_labels(run: LabelledRun) -> PlainLabels:
    """What the errors of this run are compared with."""
    drawn = run.labelled
    y, weights = run.passed[drawn], run.label_weights[drawn]
    rate = float(np.average(y, weights=weights)) if y.size else math.nan
    by_cluster = lru_cache(maxsize=1)(lambda: sum_by(run.keys[drawn], weights))
    return PlainLabels(
        y.size,
        rate,
        len(run.passed),
        lambda: kish_n(by_cluster()),
        lambda: equal_clusters(by_cluster()),
        most_of_labels(y.size, kish_n(weights)),
    )


def most_of_labels(n: int, kish: float) -> float:
    """How many plain labels n of this Kish's number can be worth: as many where all weigh alike; else there is no
    bound, as heavy labels may be those that hardly vary."""
    return n if kish >= n * (1 - NEGLIGIBLE) else math.inf


def _left_open(weights: Floats, size: int) -> Floats:
    """1 − π of n labels, π being the probability of each of being drawn from so many samples, which these weights (n,)
    give up to a factor. So much of their variance is left once the samples are given.

    Source: Särndal, Swensson & Wretman 1992, section 5.7, for draws that are nearly independent of one another.
    """
    if len(weights) == size:
        return np.zeros(size)
    return np.asarray(np.maximum(1 - weights.sum() / (weights * size), 0.0), dtype=np.float64)


def tune(runs: list[Influence], *, signs: tuple[float, ...] = (1.0,)) -> Tuned:
    """λ in [0, 1] for each run, minimising the variance of the signed sum of estimates; all 0 where not worth it."""
    nothing = Tuned((0.0,) * len(runs))
    degrees = min(run.degrees for run in runs)
    if not degrees > len(runs):
        return nothing
    keys = np.concatenate([run.keys for run in runs])
    constant = sum_by(keys, np.concatenate([sign * run.constant for run, sign in zip(runs, signs, strict=True)]))
    columns = []
    for position in range(len(runs)):
        # Every other run has slope 0 in this column.
        pieces = [sign * run.slope * (j == position) for j, (run, sign) in enumerate(zip(runs, signs, strict=True))]
        columns.append(sum_by(keys, np.concatenate(pieces)))
    slopes = np.column_stack(columns)
    slopes[:, (slopes**2).sum(axis=0) <= ROUNDING**2] = 0.0  # predictions that are all alike
    before = float(constant @ constant)
    if before <= ROUNDING**2 or float((slopes**2).sum()) <= NEGLIGIBLE * before:
        return nothing
    if len(runs) == 1:
        lambdas = np.clip(-(slopes[:, 0] @ constant) / (slopes[:, 0] @ slopes[:, 0]), 0.0, 1.0)[None]
    else:
        lambdas = _least_squares_in_bounds(slopes.T @ slopes, slopes.T @ constant)
    lambdas = np.where(lambdas > NO_TRUST, lambdas, 0.0)
    used = int(np.sum(lambdas > 0))
    inflation = degrees / (degrees - used)
    after = float(np.sum((constant + slopes @ lambdas) ** 2)) * inflation
    return Tuned(tuple(lambdas.tolist()), inflation) if after < before else nothing


def variance_of_agreeing(n: float) -> float:
    """Of a rate of which n labels all agree: that of Laplace's."""
    return (n + 1) / (n + 2) ** 2 / n


def _least_squares_in_bounds(products: Floats, by_constant: Floats) -> Floats:
    """The two λ in [0, 1] that minimise λᵀ P λ + 2 bᵀ λ, by products (2, 2) of the slopes and with the constant (2,).

    The minimum over the whole plane where that is inside; else the least on an edge, each of which has one λ at a
    bound and the other at its own minimum."""
    inside = np.linalg.lstsq(products, -by_constant, rcond=None)[0]
    if ((inside >= 0) & (inside <= 1)).all():
        return np.asarray(inside, dtype=np.float64)
    edges = []
    for fixed, free in ((0, 1), (1, 0)):
        for bound in (0.0, 1.0):
            pull, own = by_constant[free] + products[free, fixed] * bound, products[free, free]
            edge = np.zeros(2)
            edge[fixed], edge[free] = bound, min(max(-pull / own, 0.0), 1.0) if own > 0 else 0.0
            edges.append(edge)
    return min(edges, key=lambda edge: float(edge @ products @ edge + 2 * by_constant @ edge))


def sum_by(keys: Keys, values: Floats) -> Floats:
    """Sums of values (N,) that share a key, in sorted order of the keys."""
    if len(keys) and _rises(keys):
        return values
    if len(keys) and keys.dtype.kind == "i":
        numbers = np.asarray(keys, dtype=np.intp)
        if numbers.min() >= 0 and numbers.max() < 4 * len(numbers):  # no sorting where numbers are places themselves
            return np.bincount(numbers, weights=values)[np.bincount(numbers) > 0].astype(np.float64)
    names, codes = np.unique(keys, return_inverse=True)
    return np.bincount(codes, weights=values, minlength=len(names)).astype(np.float64)


def _rises(keys: Keys) -> bool:
    """Whether these are numbers of which each is above the one before: then they are sorted, and all differ."""
    if keys.dtype.kind != "i":
        return False
    numbers = np.asarray(keys, dtype=np.intp)
    return bool((numbers[1:] > numbers[:-1]).all())


def _strata(run: LabelledRun) -> Ints:
    """Codes of strata with labels of at least two clusters each; the others are one stratum, or part of the largest."""
    if run.strata is None:
        return np.zeros(len(run.passed), dtype=np.intp)
    _, codes = np.unique(np.asarray(run.strata), return_inverse=True)
    poor = _labelled_clusters(run, codes) < LEAST_IN_STRATUM
    if not poor.any():
        return codes
    merged = np.where(poor, len(poor), np.arange(len(poor)))
    if _labelled_clusters(run, merged[codes])[-1] < LEAST_IN_STRATUM and not poor.all():
        merged[poor] = int(np.argmax(np.bincount(codes) * ~poor))
    return np.unique(merged[codes], return_inverse=True)[1]


def _labelled_clusters(run: LabelledRun, codes: Ints) -> Ints:
    """How many clusters have labels in each stratum."""
    _, cluster = np.unique(run.keys[run.labelled], return_inverse=True)
    size = int(codes.max(initial=-1)) + 1
    pairs = np.unique(cluster * size + codes[run.labelled])
    return np.bincount(pairs % max(size, 1), minlength=size)


def _degrees(run: LabelledRun, rows_of: list[Ints], within: Floats) -> float:
    """Satterthwaite's degrees of freedom: labelled clusters less one where there is one stratum; 0 without labels."""
    clusters = np.array([run.independent(rows[run.labelled[rows]]) for rows in rows_of], dtype=np.intp)
    return degrees_by_stratum(clusters, np.array([float(within[rows] @ within[rows]) for rows in rows_of]))


def degrees_by_stratum(clusters: Ints, variances: Floats) -> float:
    """The same by the labelled clusters of each stratum (h,), and by what it adds to the variance."""
    if len(clusters) < 2:
        return max(float(clusters.sum()) - 1.0, 0.0)
    if not variances.any():
        return float(max(int(clusters.sum()) - len(clusters), 1))
    of_each = np.maximum(clusters - 1, 1)
    degrees = float(variances.sum() ** 2 / np.sum(variances**2 / of_each))
    return max(degrees, float(of_each[variances > 0].min()))  # which rounding else undercuts


def filled(prediction: Floats) -> Floats:
    """Any prediction that does not come from the sample's label is allowed: the mean stands for those unscored."""
    unscored = np.isnan(prediction)
    return np.where(unscored, 0.0 if unscored.all() else float(prediction[~unscored].mean()), prediction)
