"""Discrimination: whether a metric separates passes from fails better than chance and than trivial scores."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.arrays import Bools, Floats
from hcat.core.calibration.answer_scores import score_ranks
from hcat.core.calibration.checks.baselines import baseline_columns
from hcat.core.calibration.checks.evidence import Discrimination
from hcat.core.calibration.checks.looks import DeclaredLook, level_of_any_look, level_of_declared_look
from hcat.core.calibration.checks.repeated_splits import SplitCheck
from hcat.core.calibration.checks.tries import evaluators_tried, independent_metrics
from hcat.core.calibration.dataset import LabelledScores
from hcat.core.calibration.maps.boosted_trees import BoostedMap
from hcat.core.calibration.maps.methods import METHODS, ProbabilityMap
from hcat.core.calibration.maps.multinomial import MultinomialMap
from hcat.core.statistics.discrimination import auc, auc_difference, auc_estimate
from hcat.core.statistics.rank_test import Alternative, mann_whitney_p
from hcat.core.types import Direction, Estimate

if TYPE_CHECKING:
    from hcat.core.scoring.score_table import ScoreTable


def ranks_as_score(fitted: ProbabilityMap, direction: Direction) -> bool:
    """Whether a map of one metric is monotone in the score, whatever the labels."""
    if isinstance(fitted, BoostedMap):
        return direction != "none"
    return not isinstance(fitted, MultinomialMap)


def auc_of_score(
    scores: ScoreTable, data: LabelledScores, metric: str, direction: Direction, *, level: float
) -> Estimate:
    """The AUC of one metric's own score on all labels, in the direction in which it improves.

    If it has none, in the direction that these labels show."""
    falls = direction == "lower" or (direction == "none" and _direction_in_labels(data.X[:, 0], data) < 0)
    ranks = score_ranks(scores, metric)[data.positions]
    codes, weights = data.clusters, data.unequal_weights
    return auc_estimate(-ranks if falls else ranks, data.passed, weights=weights, clusters=codes, level=level)


@dataclass(frozen=True, slots=True)
class _Look:
    """A look at the labels `data`: its level for all `tries` and for this evaluator alone."""

    data: LabelledScores
    tries: tuple[int, float]
    level: float
    alone: float
    planned: int | None = None


def discrimination_of_score(
    scores: ScoreTable,
    data: LabelledScores,
    direction: Direction,
    *,
    metrics: Sequence[str],
    level: float,
    declared: DeclaredLook | None = None,
) -> Discrimination:
    """The discrimination of one metric's own score, at the declared look or at all labels.

    The declared look is used once its labels exist; the look with the stronger evidence counts. `level` is that of the
    AUC's interval on all labels."""
    overall = auc_of_score(scores, data, metrics[0], direction, level=level)
    looks = _looks_of_score(scores, data, metrics, declared)
    found = [_at_look(scores, look, direction, metrics, overall) for look in looks]
    return min(found, key=lambda one: min(one.p, 1.0 if one.against_p is None else one.against_p) / one.level)


def _looks_of_score(
    scores: ScoreTable, data: LabelledScores, metrics: Sequence[str], declared: DeclaredLook | None
) -> list[_Look]:
    alone = level_of_any_look(len(data), declared=declared)
    tries = independent_metrics(scores, data, scores.metrics, level=alone)
    looks = [_Look(data, tries, level_of_any_look(len(data), tries=tries[1], declared=declared), alone)]
    if declared is not None and declared.is_due and declared.names(metrics):
        first = data.rows(np.isin(data.sample_ids, list(declared.sample_ids)))
        alone = level_of_declared_look()
        tries = independent_metrics(scores, first, declared.metrics or scores.metrics, level=alone)
        looks.append(_Look(first, tries, level_of_declared_look(tries=tries[1]), alone, declared.n))
    return looks


def _at_look(
    scores: ScoreTable, look: _Look, direction: Direction, metrics: Sequence[str], overall: Estimate
) -> Discrimination:
    data = look.data
    score, codes = data.X[:, 0], data.clusters
    free = direction == "none"
    sign = _direction_in_labels(score, data) if free else -1.0 if direction == "lower" else 1.0
    upward = sign * score
    alternative: Alternative = "either" if free else "higher"
    p = mann_whitney_p(upward, data.passed, alternative=alternative, clusters=codes)
    against = None if free else mann_whitney_p(upward, data.passed, alternative="lower", clusters=codes)

    def area(level: float) -> Estimate:
        return auc_of_score(scores, data, metrics[0], direction, level=1 - 2 * level)

    margins = _margins(upward, scores, data, data, metrics, 1 - 2 * look.alone)
    return Discrimination(
        auc=overall,
        p=p,
        level=look.level,
        evaluators=look.tries[0],
        n=len(data),
        of_score=True,
        against_p=against,
        margins=margins,
        beaten_by=_beaten_by(margins, lambda at: _margins(upward, scores, data, data, metrics, at), 1 - 2 * look.alone),
        independent=look.tries[1],
        alone=look.alone,
        planned=look.planned,
        auc_tested=_as_tested(area(look.level), p <= look.level, against is not None and against <= look.level),
        auc_alone=area(look.alone),
    )


def _as_tested(area: Estimate, above: bool, below: bool) -> Estimate:
    """The interval of an AUC, made consistent with the test against chance.

    The test treats ties, clusters and small numbers in its own way, so that the interval's ends alone may contradict
    it."""
    if math.isnan(area.value):
        return area
    low = max(area.low, 0.5) if above else min(area.low, 0.5)
    high = min(area.high, 0.5) if below else max(area.high, 0.5)
    return replace(area, low=low, high=high)


def discrimination_over_splits(
    scores: ScoreTable,
    data: LabelledScores,
    checks: Sequence[SplitCheck],
    *,
    metrics: Sequence[str],
    level: float,
    declared: DeclaredLook | None = None,
) -> Discrimination:
    """The discrimination of maps' probabilities, on the labels that check them in each of the splits.

    At the declared look if its labels are the only ones, else at an undeclared look."""
    evaluators = evaluators_tried(len(scores.metrics), len(metrics))
    planned = declared is not None and declared.is_at(data.sample_ids) and set(declared.metrics) == set(metrics)
    if planned:
        evaluators = len(METHODS)
        test_level, alone = level_of_declared_look(tries=evaluators), level_of_declared_look()
    else:
        test_level = level_of_any_look(len(data), tries=evaluators, declared=declared)
        alone = level_of_any_look(len(data), declared=declared)

    def area(at: float) -> Estimate:
        parts = ((check.probability, check.part) for check in checks)
        return _median(
            [auc_estimate(p, x.passed, weights=x.unequal_weights, clusters=x.clusters, level=at) for p, x in parts]
        )

    p_values = [mann_whitney_p(check.probability, check.part.passed, clusters=check.part.clusters) for check in checks]
    p = min(1.0, 2 * float(np.median(p_values)))
    margins = _median_margins(scores, checks, metrics, 1 - 2 * alone)
    return Discrimination(
        auc=area(level),
        p=p,
        level=test_level,
        evaluators=evaluators,
        n=len(data),
        of_score=False,
        margins=margins,
        beaten_by=_beaten_by(margins, lambda at: _median_margins(scores, checks, metrics, at), 1 - 2 * alone),
        independent=float(evaluators),
        alone=alone,
        planned=declared.n if planned and declared is not None else None,
        auc_tested=_as_tested(area(1 - 2 * test_level), p <= test_level, False),
        auc_alone=area(1 - 2 * alone),
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
    """The trivial score that is shown to do better by most, at a simultaneous level for all of them."""
    measured = [name for name, margin in margins.items() if not math.isnan(margin.value)]
    if not any(margins[name].high < 0 for name in measured):
        return None
    together = margins_at(1 - (1 - level) / len(measured))
    worse = [name for name in measured if together[name].high < 0]
    return min(worse, key=lambda name: together[name].high, default=None)


def _direction_in_labels(score: Floats, data: LabelledScores) -> float:
    return -1.0 if auc(score, data.passed, weights=data.weights) < 0.5 else 1.0


def _margins(
    upward: Floats,
    scores: ScoreTable,
    part: LabelledScores,
    fit: LabelledScores,
    metrics: Sequence[str],
    level: float,
) -> dict[str, Estimate]:
    """The AUC of `upward` (n,) on `part` less that of each trivial score, in the direction that `fit` shows."""
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
    """The medians of values and of bounds, over estimates with a value."""
    known = [each for each in estimates if not math.isnan(each.value)]
    if not known:
        return Estimate(math.nan, math.nan, math.nan, 0, 0.95, "median over splits")
    value, low, high = (float(np.median([getattr(each, name) for each in known])) for name in ("value", "low", "high"))
    n = round(float(np.median([each.n for each in known])))
    return Estimate(value, low, high, n, known[0].level, f"{known[0].method}; median over {len(known)} splits")
