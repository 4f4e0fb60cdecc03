"""Reliability of an evaluator's verdicts on known right and wrong answers (GRAMMAR, table 1).

Precision and recall alone are misleading: of 200 answers of which 15% are right, an evaluator that passes all has
precision 0.15 and recall 1. So they are reported with the base rate, and with likelihood ratios, by which a verdict
multiplies the odds of a right answer and which don't depend on it. All intervals keep clusters whole."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Bools, Codes, Floats, Ints
from hcat.core.calibration.maps.combined import fit_combined
from hcat.core.errors import HcatError
from hcat.core.statistics.clusters import clustered_variance
from hcat.core.statistics.discrimination import auc_estimate
from hcat.core.statistics.effective_n import t_quantile
from hcat.core.statistics.partition import grouped_folds
from hcat.core.statistics.proportions import weighted_proportion
from hcat.core.types import Direction, Estimate

FOLDS = 5
COMBINED = "combined"
"""The name of all metrics combined, each sample by weights that were fitted to other clusters."""

_SIGNS: Mapping[Direction, float] = {"higher": 1.0, "lower": -1.0, "none": 1.0}


@dataclass(frozen=True, slots=True)
class EvaluatorReliability:
    """The performance of an evaluator on known answers.

    It says "right" from `threshold` on (or down to it, if lower is better); None if each of five folds has the
    threshold that was best on the others (Youden's index). `precision` is the share of right answers among those that
    it calls right, `recall` the share of right answers that it calls right, `likelihood_ratio` how many times as often
    it says so of right answers as of wrong ones, and `negative_likelihood_ratio` the same of "wrong". Unscored answers
    are left out of all, the base rate included."""

    evaluator: str
    threshold: float | None
    auc: Estimate
    base_rate: Estimate
    precision: Estimate
    recall: Estimate
    specificity: Estimate
    likelihood_ratio: Estimate
    negative_likelihood_ratio: Estimate
    n: int
    unscored: int


def evaluator_reliability(
    name: str,
    score: ArrayLike,
    right: ArrayLike,
    *,
    clusters: ArrayLike,
    direction: Direction = "higher",
    threshold: float | None = None,
    level: float = 0.95,
) -> EvaluatorReliability:
    """The reliability of one evaluator from its scores (n,), NaN = unscored, on answers that are `right` (n,) or not.

    Raises HcatError if the scored answers are all right or all wrong."""
    values = _SIGNS[direction] * np.asarray(score, dtype=np.float64)
    truth, groups = np.asarray(right, dtype=bool), np.asarray(clusters)
    scored = np.isfinite(values)
    unscored = int((~scored).sum())
    values, truth, groups = values[scored], truth[scored], groups[scored]
    if truth.all() or not truth.any():
        raise HcatError(f"{name}: its scored answers need right and wrong ones")
    folds = grouped_folds(groups, truth, folds=FOLDS)
    says = values >= _SIGNS[direction] * threshold if threshold is not None else _held_out(values, truth, folds)
    codes = np.unique(groups, return_inverse=True)[1]

    def rate(hits: Bools, among: Bools) -> Estimate:
        return weighted_proportion(hits[among], clusters=groups[among], level=level)

    return EvaluatorReliability(
        evaluator=name,
        threshold=threshold,
        auc=auc_estimate(values, truth, clusters=groups, level=level),
        base_rate=rate(truth, np.ones_like(truth)),
        precision=rate(truth, says),
        recall=rate(says, truth),
        specificity=rate(~says, ~truth),
        likelihood_ratio=_ratio(says, truth, codes, level),
        negative_likelihood_ratio=_ratio(~says, truth, codes, level),
        n=len(truth),
        unscored=unscored,
    )


def combined_scores(
    scores: Floats, right: ArrayLike, *, clusters: ArrayLike, directions: Sequence[Direction]
) -> Floats:
    """The probability of a right answer by all metrics (n, metrics) together, (n,), NaN if none is scored.

    Each fold's are by weights fitted to the other clusters alone. Raises HcatError if a fit has answers of one kind
    only."""
    truth = np.asarray(right, dtype=bool)
    folds = grouped_folds(clusters, truth, folds=FOLDS)
    groups = np.asarray(clusters)
    usable = np.isfinite(scores).any(axis=1)
    columns = [column for column in range(scores.shape[1]) if np.isfinite(scores[:, column]).any()]
    probability = np.full(len(truth), np.nan)
    for fold in range(FOLDS):
        fit, out = usable & (folds != fold), usable & (folds == fold)
        seen = [column for column in columns if np.isfinite(scores[fit][:, column]).any()]
        fitted = fit_combined(
            scores[fit][:, seen],
            truth[fit].astype(np.float64),
            directions=[directions[column] for column in seen],
            groups=groups[fit],
        )
        probability[out] = fitted.probability(scores[out][:, seen])
    return probability


def reliabilities(
    scores: Mapping[str, Floats],
    right: ArrayLike,
    *,
    clusters: ArrayLike,
    directions: Mapping[str, Direction],
    thresholds: Mapping[str, float] | None = None,
) -> tuple[EvaluatorReliability, ...]:
    """The reliability of each evaluator with right and wrong answers among its scored ones, the best AUC first.

    With two or more, that of all of them combined comes before the others. `thresholds` are those that are given; the
    others are chosen on held-out folds."""
    stated, found = thresholds or {}, []
    for name, values in scores.items():
        with suppress(HcatError):
            found.append(
                evaluator_reliability(
                    name,
                    values,
                    right,
                    clusters=clusters,
                    direction=directions.get(name, "higher"),
                    threshold=stated.get(name),
                )
            )
    ordered = sorted(found, key=lambda each: -each.auc.value)
    used = [each.evaluator for each in ordered]
    if len(used) > 1:
        with suppress(HcatError):
            together = combined_scores(
                np.stack([scores[name] for name in used], axis=1),
                right,
                clusters=clusters,
                directions=[directions.get(name, "higher") for name in used],
            )
            ordered.insert(0, evaluator_reliability(COMBINED, together, right, clusters=clusters))
    return tuple(ordered)


def _held_out(values: Floats, truth: Bools, folds: Ints) -> Bools:
    """Whether each answer is called right by the threshold that is best on the other folds."""
    says = np.zeros(len(values), dtype=bool)
    for fold in range(FOLDS):
        out = folds == fold
        says[out] = values[out] >= _youden(values[~out], truth[~out])
    return says


def _youden(values: Floats, truth: Bools) -> float:
    """The threshold with the largest sensitivity + specificity − 1; the lowest of equals. Youden 1950."""
    if not truth.any() or truth.all() or len(values) == 0:
        return -math.inf if truth.all() else math.inf
    distinct, level = np.unique(values, return_inverse=True)
    passes, fails = (
        np.bincount(level[truth], minlength=len(distinct)),
        np.bincount(level[~truth], minlength=len(distinct)),
    )
    sensitivity, false_alarm = passes[::-1].cumsum()[::-1] / passes.sum(), fails[::-1].cumsum()[::-1] / fails.sum()
    return float(distinct[int(np.argmax(sensitivity - false_alarm))])


def _ratio(says: Bools, truth: Bools, codes: Codes, level: float) -> Estimate:
    """The likelihood ratio of a verdict, with a t interval of the logarithm, by clusters.

    If one of the four counts is 0, a half is added to each. Source: Simel, Samsa & Matchar 1991 for the logarithm;
    Liang & Zeger 1986 for clusters."""
    half = 0.5 if min(_cells(says, truth)) == 0 else 0.0
    hits, misses, false_hits, true_misses = (count + half for count in _cells(says, truth))
    first, second = hits / (hits + misses), false_hits / (false_hits + true_misses)
    influence = np.where(
        truth, (says - first) / (hits + misses) / first, -(says - second) / (false_hits + true_misses) / second
    )
    groups = len(np.unique(codes))
    if groups < 2:
        return Estimate(first / second, math.nan, math.nan, len(truth), level, "one cluster")
    # Added halves have a variance of their own, so that no interval has a width of 0.
    added = half * (1 / hits - 1 / (hits + misses) + 1 / false_hits - 1 / (false_hits + true_misses))
    error = math.sqrt(clustered_variance(influence - influence.mean(), codes) + added)
    reach = t_quantile(level, groups - 1) * error
    value = math.log(first / second)
    method = "ratio, t on the logarithm, clustered" + (", 0.5 added" if half else "")
    return Estimate(math.exp(value), math.exp(value - reach), math.exp(value + reach), len(truth), level, method)


def _cells(says: Bools, truth: Bools) -> tuple[int, int, int, int]:
    """The numbers of right answers with and without the verdict, and of wrong answers with and without it."""
    return (
        int((says & truth).sum()),
        int((~says & truth).sum()),
        int((says & ~truth).sum()),
        int((~says & ~truth).sum()),
    )
