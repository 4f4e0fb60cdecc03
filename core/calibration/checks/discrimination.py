"""Does a metric tell what people pass from what they fail, better than chance and than trivial scores?"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.arrays import Bools, Floats
from core.calibration.answer_scores import score_ranks
from core.calibration.checks.baselines import baseline_columns
from core.calibration.checks.evidence import Discrimination
from core.calibration.checks.repeated_splits import SplitCheck
from core.calibration.dataset import LabelledScores
from core.calibration.maps.boosted_trees import BoostedMap
from core.calibration.maps.methods import METHODS, ProbabilityMap
from core.calibration.maps.multinomial import MultinomialMap
from core.statistics.discrimination import auc, auc_difference, auc_estimate
from core.statistics.rank_test import Alternative, mann_whitney_p
from core.types import Direction, Estimate

if TYPE_CHECKING:
    from core.scoring.score_table import ScoreTable

FALSE_YES = 0.05
"""The chance that any useless metric of a run is ever called fit for use, however many are tried, however often."""
LEAST_LABELS = 20
"""Nothing is called fit for use on fewer labels, so that looks at fewer need not be paid for."""


def price(n: int, evaluators: int) -> float:
    """The level of the test at n labels, so that false calls over all n and all evaluators come to 2.5% at most.

    Looks: over n = 20, 21, … the shares 20 / (n (n + 1)) add up to 1, so that any number of looks at growing labels is
    paid for, with no record of them; evaluators by Bonferroni. Single metrics and learned maps have 2.5% each.
    """
    return FALSE_YES / 2 * min(1.0, LEAST_LABELS / (n * (n + 1))) / evaluators if n else 0.0


def evaluators_tried(offered: int, chosen: int) -> int:
    """By how much the level of a learned map of `chosen` metrics is divided: the sets of as many among those `offered`,
    times the methods, times s (s + 1) for sets of s, of which the inverses add up to 1."""
    return math.comb(max(offered, chosen), chosen) * len(METHODS) * chosen * (chosen + 1)


def ranks_as_score(fitted: ProbabilityMap, direction: Direction) -> bool:
    """Whether a map of one metric can only rise, or only fall, with the score, whatever the labels."""
    if isinstance(fitted, BoostedMap):
        return direction != "none"
    return not isinstance(fitted, MultinomialMap)


def auc_of_score(
    scores: ScoreTable, data: LabelledScores, metric: str, direction: Direction, *, level: float
) -> Estimate:
    """The AUC of one metric's own score on all labels, in the direction in which it is better; where neither is, the
    way round that these labels show."""
    falls = direction == "lower" or (direction == "none" and _way_round(data.X[:, 0], data) < 0)
    ranks = score_ranks(scores, metric)[data.positions]
    codes, weights = data.clusters, data.unequal_weights
    return auc_estimate(-ranks if falls else ranks, data.passed, weights=weights, clusters=codes, level=level)


def of_score(
    scores: ScoreTable, data: LabelledScores, direction: Direction, *, metrics: Sequence[str], level: float
) -> Discrimination:
    """Of one metric's own score, on all labels."""
    score, codes = data.X[:, 0], data.clusters
    free = direction == "none"
    sign = _way_round(score, data) if free else -1.0 if direction == "lower" else 1.0
    upward = sign * score
    alternative: Alternative = "either" if free else "higher"
    offered = len(scores.metrics)
    margins = _margins(upward, scores, data, data, metrics, level)
    return Discrimination(
        auc=auc_of_score(scores, data, metrics[0], direction, level=level),
        p=mann_whitney_p(upward, data.passed, alternative=alternative, clusters=codes),
        level=price(len(data), offered),
        evaluators=offered,
        n=len(data),
        of_score=True,
        against_p=None if free else mann_whitney_p(upward, data.passed, alternative="lower", clusters=codes),
        margins=margins,
        beaten_by=_beaten_by(margins, lambda at: _margins(upward, scores, data, data, metrics, at), level),
    )


def of_checks(
    scores: ScoreTable, data: LabelledScores, checks: Sequence[SplitCheck], *, metrics: Sequence[str], level: float
) -> Discrimination:
    """Of the probabilities of maps, on the labels that check them in each of the splits."""
    estimates, p_values = [], []
    for check in checks:
        part, codes = check.part, check.part.clusters
        weights = part.unequal_weights
        estimates.append(auc_estimate(check.probability, part.passed, weights=weights, clusters=codes, level=level))
        p_values.append(mann_whitney_p(check.probability, part.passed, clusters=codes))
    margins = _median_margins(scores, checks, metrics, level)
    evaluators = evaluators_tried(len(scores.metrics), len(metrics))
    return Discrimination(
        auc=_median(estimates),
        p=min(1.0, 2 * float(np.median(p_values))),
        level=price(len(data), evaluators),
        evaluators=evaluators,
        n=len(data),
        of_score=False,
        margins=margins,
        beaten_by=_beaten_by(margins, lambda at: _median_margins(scores, checks, metrics, at), level),
    )


def _median_margins(
    scores: ScoreTable, checks: Sequence[SplitCheck], metrics: Sequence[str], level: float
) -> dict[str, Estimate]:
    margins = [_margins(check.probability, scores, check.part, check.fit, metrics, level) for check in checks]
    names = {name for each in margins for name in each}
    return {name: _median([each[name] for each in margins if name in each]) for name in sorted(names)}


def _beaten_by(
    margins: Mapping[str, Estimate], margins_at: Callable[[float], Mapping[str, Estimate]], level: float
) -> str | None:
    """The trivial score that is shown to do better by most, at a level that holds for all of them at once."""
    measured = [name for name, margin in margins.items() if not math.isnan(margin.value)]
    if not any(margins[name].high < 0 for name in measured):
        return None
    together = margins_at(1 - (1 - level) / len(measured))
    worse = [name for name in measured if together[name].high < 0]
    return min(worse, key=lambda name: together[name].high, default=None)


def _way_round(score: Floats, data: LabelledScores) -> float:
    return -1.0 if auc(score, data.passed, weights=data.weights) < 0.5 else 1.0


def _margins(
    upward: Floats,
    scores: ScoreTable,
    part: LabelledScores,
    fit: LabelledScores,
    metrics: Sequence[str],
    level: float,
) -> dict[str, Estimate]:
    """How much the AUC of `upward` (n,) on `part` exceeds that of each trivial score, turned as `fit` shows it."""
    margins = {}
    for name, column in baseline_columns(scores, besides=metrics).items():
        rows, sign = np.isfinite(column[part.positions]), _sign_of(column, fit)
        if rows.sum() * 2 < len(part) or sign is None:
            continue
        inside = part.rows(np.asarray(rows, dtype=bool))
        margins[name] = auc_difference(
            upward[rows],
            sign * column[inside.positions],
            inside.passed,
            weights=inside.unequal_weights,
            clusters=inside.clusters,
            level=level,
        )
    return margins


def _sign_of(column: Floats, fit: LabelledScores) -> float | None:
    rows: Bools = np.isfinite(column[fit.positions])
    if rows.sum() * 2 < len(fit):
        return None
    area = auc(column[fit.positions][rows], fit.passed[rows], weights=fit.weights[rows])
    return None if math.isnan(area) else 1.0 if area >= 0.5 else -1.0


def _median(estimates: Sequence[Estimate]) -> Estimate:
    """The medians of values and of bounds; of estimates with a value."""
    known = [each for each in estimates if not math.isnan(each.value)]
    if not known:
        return Estimate(math.nan, math.nan, math.nan, 0, 0.95, "median over splits")
    value, low, high = (float(np.median([getattr(each, name) for each in known])) for name in ("value", "low", "high"))
    n = round(float(np.median([each.n for each in known])))
    return Estimate(value, low, high, n, known[0].level, f"{known[0].method}; median over {len(known)} splits")
