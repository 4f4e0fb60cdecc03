"""The influence of each sample of a run on its corrected pass rate: the basis of estimates and their errors."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from hcat.core.arrays import Floats, Ints
from hcat.core.estimates.labelled_run import Keys, LabelledRun, sum_by
from hcat.core.estimates.plain_labels import NEGLIGIBLE, PlainLabels, plain_labels
from hcat.core.statistics.effective_n import kish_n

LEAST_IN_STRATUM = 2
ROUNDING = 1e-12
"""A standard error below this counts as zero."""
NO_TRUST = 1e-9
"""A λ up to this is rounding: it changes no estimate, and uses no degree of freedom."""


@dataclass(frozen=True, eq=False)
class Influence:
    """The influence of every sample on an estimate labels_only + λ · correction: (constant + λ · slope), shape (N,)
    each.

    `keys` (N,) name the clusters; `n` counts labels, `degrees` its degrees of freedom. `floor` is the variance added
    for strata in which all labels agree: theirs would be 0, and the interval too narrow. `plain` is what its error is
    compared with. `strata` counts those that are estimated separately. `draw` is the variance that is left given the N
    samples: which of them were drawn."""

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
        """The standard error at this λ; NaN without degrees of freedom."""
        if self.degrees < 1:
            return math.nan
        moved = self.by_cluster(lambda_)
        return math.sqrt(float(moved @ moved) + self.floor)

    def degrees_less(self, fitted: int) -> float:
        """The degrees of freedom of the error after this number of λ were fitted.

        With a single stratum, at most what clusters of unequal weight leave, but at least 1."""
        if self.strata > 1:
            return self.degrees - fitted
        return min(self.degrees - fitted, max(self.plain.alike() - 1 - fitted, 1.0))

    def effective_n(self, lambda_: float, *, inflation: float = 1.0) -> float:
        """The number of plain labels with the error at this λ, whose choice multiplies the variance by `inflation`.

        If clusters vary less than unrelated labels would, that is by chance: by themselves labels of one stratum are
        worth at most their number, and predictions add to that."""
        found = self.plain.effective_n(self.error(lambda_) * math.sqrt(inflation))
        alone = self.plain.effective_n(self.error(0.0))
        return found * self.plain.most / alone if self.strata == 1 and alone > self.plain.most else found

    def by_cluster(self, lambda_: float) -> Floats:
        """The influence of each cluster on the estimate at this λ; independent of one another, with mean 0."""
        return sum_by(self.keys, self.constant + lambda_ * self.slope)


@dataclass(frozen=True, eq=False)
class LabelDraw:
    """The labels alone (n,), with the share of the variance of each that is `left` given the N samples."""

    parts: Influence
    left: Floats


@dataclass(frozen=True, slots=True)
class Tuned:
    """λ of each run, and the factor by which choosing these λ inflates the variance."""

    lambdas: tuple[float, ...]
    inflation: float = 1.0


def influence(run: LabelledRun) -> Influence:
    """The influence of each sample on the pass rate, by stratum. Strata with one label or none are merged.

    A stratum whose n labels all agree adds the variance of Laplace's rate, (n + 1)/(n + 2)²."""
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
        # If labels agree, exactly their value, so that rounding never looks like spread.
        means[code] = float(y[drawn][0]) if agree else float(share[drawn] @ y[drawn]) if n else math.nan
        predicted, mean = float(share @ f), float(np.average(f, weights=count))
        corrections[code], sizes[code] = mean - predicted, size
        left[rows[drawn]] = _left_open(heard / count[drawn], len(rows))
        if agree:
            n_effective = n if run.design is None else kish_n(heard)
            of_stratum = (size / total) ** 2 * variance_of_agreeing(n_effective)
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


def _left_open(weights: Floats, size: int) -> Floats:
    """1 − π of n labels, where π is the probability of each being drawn from so many samples, up to a factor of the
    weights.

    This share of their variance is left given the samples. `weights` (n,) are proportional to 1/π. Source: Särndal,
    Swensson & Wretman 1992, section 5.7, for draws that are nearly independent of one another."""
    if len(weights) == size:
        return np.zeros(size)
    return np.asarray(np.maximum(1 - weights.sum() / (weights * size), 0.0), dtype=np.float64)


def tune(runs: list[Influence], *, signs: tuple[float, ...] = (1.0,)) -> Tuned:
    """λ in [0, 1] for each run, minimising the variance of the signed sum of estimates; all 0 if there is no gain."""
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
    """The variance of a rate for which n labels all agree: that of Laplace's rate."""
    return (n + 1) / (n + 2) ** 2 / n


def _least_squares_in_bounds(products: Floats, by_constant: Floats) -> Floats:
    """The two λ in [0, 1] that minimise λᵀ P λ + 2 bᵀ λ, by products (2, 2) of the slopes and with the constant (2,).

    The minimum over the whole plane if it is inside; else the least on an edge, each of which has one λ at a bound and
    the other at its own minimum."""
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


def _strata(run: LabelledRun) -> Ints:
    """Codes of strata with labels of at least two clusters each; the others form one stratum, or join the largest."""
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
    """The number of clusters with labels in each stratum."""
    _, cluster = np.unique(run.keys[run.labelled], return_inverse=True)
    size = int(codes.max(initial=-1)) + 1
    pairs = np.unique(cluster * size + codes[run.labelled])
    return np.bincount(pairs % max(size, 1), minlength=size)


def _degrees(run: LabelledRun, rows_of: list[Ints], within: Floats) -> float:
    """Satterthwaite's degrees of freedom: labelled clusters less one for a single stratum; 0 without labels."""
    clusters = np.array([run.independent(rows[run.labelled[rows]]) for rows in rows_of], dtype=np.intp)
    return degrees_by_stratum(clusters, np.array([float(within[rows] @ within[rows]) for rows in rows_of]))


def degrees_by_stratum(clusters: Ints, variances: Floats) -> float:
    """The same, from the labelled clusters of each stratum (h,) and its contribution to the variance."""
    if len(clusters) < 2:
        return max(float(clusters.sum()) - 1.0, 0.0)
    if not variances.any():
        return float(max(int(clusters.sum()) - len(clusters), 1))
    of_each = np.maximum(clusters - 1, 1)
    degrees = float(variances.sum() ** 2 / np.sum(variances**2 / of_each))
    return max(degrees, float(of_each[variances > 0].min()))  # which rounding else undercuts


def filled(prediction: Floats) -> Floats:
    """The predictions with the mean for unscored samples.

    Any prediction is valid that does not come from the sample's own label."""
    unscored = np.isnan(prediction)
    return np.where(unscored, 0.0 if unscored.all() else float(prediction[~unscored].mean()), prediction)
