"""Stage 2 of a calibration: thresholds and sets, and their check on labels that set nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.arrays import Bools, Floats, Ints
from hcat.core.calibration.checks.baselines import baseline_aucs
from hcat.core.calibration.checks.diagnostics import DECISION_THRESHOLD, Diagnostics, diagnose
from hcat.core.calibration.checks.reliability import REPLICATES
from hcat.core.calibration.conformal.full import FullConformal, ScoreSets, full_sets
from hcat.core.calibration.conformal.guarantee import coverage_shape, mixed_coverage_shape
from hcat.core.calibration.conformal.level_sets import nonconformity_table
from hcat.core.calibration.conformal.mondrian import (
    BY_CLASS,
    Conditional,
    class_thresholds,
    conditional_sets,
    group_thresholds,
)
from hcat.core.calibration.conformal.threshold import Threshold, conformal_quantile
from hcat.core.calibration.dataset import LabelledScores
from hcat.core.calibration.maps.methods import ProbabilityMap
from hcat.core.errors import HcatError
from hcat.core.records.samples.by_sample import LevelBySample, SampleOrder, distinct_levels, levels_at
from hcat.core.records.samples.columns import Levels
from hcat.core.types import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from hcat.core.scoring.score_table import ScoreTable

Groups = Mapping[str, Mapping[str, str | None]]
Fitting = Callable[[LabelledScores], ProbabilityMap]
"""Fits a map to the labels whose split is "fit"."""

NOT_CONDITIONAL = "none"
LEAST_ALPHA, MOST_ALPHA = 0.01, 0.5
MOST_CELLS = 20
"""The most levels of a dimension for coverage within it, unless thresholds are by that dimension."""


@dataclass(frozen=True, slots=True)
class SetRule:
    """The rule for prediction sets: their `levels`, α, and what thresholds depend on.

    Levels from `passing` on pass. There is one threshold for all ("none"), or one for each class ("class") or each
    level of a dimension; sets are `contiguous` if no gap is allowed. `groups` are the levels of dimensions by sample
    id: of the one that thresholds are by, and of all within which coverage is measured. `lightest` and `heaviest` are
    the smallest and the largest weight of all samples of the run, if these are known: then each sample has the
    threshold of its own weight. With `full`, the labels that fit the map make the sets as well, and none is reserved
    for thresholds."""

    levels: tuple[str, ...]
    by_level: bool
    passing: int
    alpha: float
    conditional: str = NOT_CONDITIONAL
    contiguous: bool = False
    groups: Groups = field(default_factory=dict)
    lightest: float | None = None
    heaviest: float | None = None
    full: FullConformal | None = None

    def __post_init__(self) -> None:
        if not LEAST_ALPHA <= self.alpha <= MOST_ALPHA:
            raise HcatError(f"alpha must lie between {LEAST_ALPHA} and {MOST_ALPHA}, not at {self.alpha:g}")
        if self.conditional not in (NOT_CONDITIONAL, BY_CLASS, *self.groups):
            known = ", ".join((NOT_CONDITIONAL, BY_CLASS, *self.groups))
            raise HcatError(f"thresholds can't be by {self.conditional!r}: choose one of {known}")

    def given(self, part: LabelledScores) -> Ints:
        """The level that people gave, in the levels of the sets (n,)."""
        return part.levels if self.by_level else part.passed.astype(np.intp)

    def cells(self, dimension: str, part: LabelledScores) -> list[str | None]:
        """The level of the dimension of each sample (n,)."""
        return levels_at(self.groups[dimension], part.sample_ids.tolist()).texts()


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """The settings of the check.

    Baselines are from `scores`, errors are at `decision_threshold`, intervals at `level`, those by bootstrap with so
    many `replicates`. `auc_of_score` replaces the AUC, if it is known."""

    scores: ScoreTable
    decision_threshold: float = DECISION_THRESHOLD
    level: float = 0.95
    replicates: int = REPLICATES
    auc_of_score: Estimate | None = None

    def __post_init__(self) -> None:
        if not 0 < self.decision_threshold < 1:
            raise HcatError(f"the decision threshold must lie between 0 and 1, not at {self.decision_threshold:g}")


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The threshold for all, and those by class or group if sets are made by them.

    With `sets`, these are the sets, and thresholds the quantiles of the nonconformity of the labels that made them."""

    overall: Threshold
    conditional: Conditional | None = None
    sets: ScoreSets | None = None


def set_thresholds(fitted: ProbabilityMap, data: LabelledScores, rule: SetRule) -> Thresholds:
    """Thresholds from the labels of the second split; if the rule is `full`, thresholds and sets from the first.

    They are weighted if labels were drawn unequally. Each counts its test cases, if there are several trials of one."""
    if rule.full is None:
        return _thresholds_by(fitted, data, data.part("conformal"), rule)
    part = data.part("fit")
    weights = None if data.unequal_weights is None else part.weights
    by_group = rule.conditional not in (NOT_CONDITIONAL, BY_CLASS)
    sets = full_sets(
        rule.full,
        part.X[:, 0],
        rule.given(part),
        n_levels=len(rule.levels),
        alpha=rule.alpha,
        contiguous=rule.contiguous,
        by=None if rule.conditional == NOT_CONDITIONAL else rule.conditional,
        groups=rule.cells(rule.conditional, part) if by_group else None,
        weights=weights,
        heaviest=None if weights is None else rule.heaviest or float(data.weights.max()),
    )
    return replace(_thresholds_by(fitted, data, part, rule), sets=sets)


def _thresholds_by(
    fitted: ProbabilityMap, data: LabelledScores, conformal: LabelledScores, rule: SetRule
) -> Thresholds:
    cases: list[str] = conformal.cases.tolist()
    table = nonconformity_table(fitted, conformal.X, contiguous=rule.contiguous)
    scores = table[np.arange(len(table)), rule.given(conformal)]
    weights = None if data.unequal_weights is None else conformal.weights
    heaviest = None if weights is None else rule.heaviest or float(data.weights.max())
    lightest = None if weights is None else rule.lightest
    overall = conformal_quantile(scores, alpha=rule.alpha, weights=weights, new_weight=heaviest, lightest=lightest)
    overall = _counted(overall, cases)
    if rule.conditional == NOT_CONDITIONAL:
        return Thresholds(overall)
    if rule.conditional == BY_CLASS:
        # The weight of a new sample is known without its label: it can be the heaviest of all.
        by_class = None if heaviest is None else dict.fromkeys(rule.levels, heaviest)
        given = rule.given(conformal)
        made = class_thresholds(
            *(scores, given),
            names=rule.levels,
            alpha=rule.alpha,
            weights=weights,
            heaviest=by_class,
            lightest=lightest,
        )
        return Thresholds(overall, _counted_by_cell(made, [rule.levels[k] for k in given.tolist()], cases))
    by_group = None if weights is None else _heaviest(rule.cells(rule.conditional, data), data.weights)
    cells = rule.cells(rule.conditional, conformal)
    made = group_thresholds(
        *(scores, cells),
        by=rule.conditional,
        alpha=rule.alpha,
        weights=weights,
        heaviest=by_group,
        lightest=lightest,
    )
    return Thresholds(overall, _counted_by_cell(made, cells, cases))


def _counted(threshold: Threshold, cases: Sequence[str]) -> Threshold:
    if len(set(cases)) == len(cases):
        return threshold
    counts = Counter(cases)
    return replace(threshold, test_cases=len(counts), alike=len(set(counts.values())) == 1)


def _counted_by_cell(made: Conditional, cells: Sequence[str | None], cases: Sequence[str]) -> Conditional:
    inside: dict[str | None, list[str]] = {}
    for cell, case in zip(cells, cases, strict=True):
        inside.setdefault(cell, []).append(case)
    return replace(made, thresholds={n: _counted(t, inside.get(n, [])) for n, t in made.thresholds.items()})


def sets_of(fitted: ProbabilityMap, part: LabelledScores, rule: SetRule, thresholds: Thresholds) -> Bools:
    """The prediction sets of labelled samples, (n, levels)."""
    if thresholds.sets is not None:
        by_group = thresholds.conditional is not None and not thresholds.conditional.by_class
        groups = rule.cells(rule.conditional, part) if by_group else None
        weights = None if rule.lightest is None else part.weights
        return thresholds.sets.sets_at(part.X[:, 0], groups=groups, weights=weights)
    table = nonconformity_table(fitted, part.X, contiguous=rule.contiguous)
    made = thresholds.conditional
    if made is None:
        return np.asarray(table <= thresholds.overall.q_hats_at(part.weights, len(part))[:, None], dtype=bool)
    groups = None if made.by_class else rule.cells(made.by, part)
    return conditional_sets(table, made, groups=groups, contiguous=rule.contiguous, weights=part.weights)


def coverage_shape_over(thresholds: Thresholds, part: LabelledScores, rule: SetRule) -> tuple[float, float] | None:
    """The Beta distribution of the coverage of such thresholds over samples like these labels; None if every set is
    full."""
    made = thresholds.conditional
    if made is None:
        return coverage_shape(thresholds.overall)
    cells: list[str | None] = (
        [rule.levels[place] for place in rule.given(part).tolist()] if made.by_class else rule.cells(made.by, part)
    )
    mass: Counter[str | None] = Counter()
    for cell, weight in zip(cells, part.weights.tolist(), strict=True):
        mass[cell] += weight
    total = sum(mass.values())
    of_cells = [made.unseen if cell is None else made.thresholds.get(cell, made.unseen) for cell in mass]
    return mixed_coverage_shape(of_cells, [weight / total for weight in mass.values()])


def check(
    fitted: ProbabilityMap, data: LabelledScores, rule: SetRule, thresholds: Thresholds, settings: CheckSettings
) -> Diagnostics | None:
    """The diagnostics of map and thresholds on the third split; None if no label is left for it."""
    part = data.part("check")
    if not len(part):
        return None
    return measure(
        fitted.probability(part.X),
        sets_of(fitted, part, rule, thresholds),
        part,
        rule,
        settings,
        fit=data.part("fit"),
        besides=fitted.metrics,
    )


def measure(
    probability: Floats,
    sets: Bools,
    part: LabelledScores,
    rule: SetRule,
    settings: CheckSettings,
    *,
    fit: LabelledScores,
    besides: tuple[str, ...],
    folds: int = 1,
) -> Diagnostics:
    """The diagnostics of probabilities (n,) and sets (n, levels) on labels `part`; baselines in the direction of
    `fit`."""
    cells = {
        dimension: rule.cells(dimension, part)
        for dimension, known in rule.groups.items()
        if dimension == rule.conditional or 2 <= distinct_levels(known) <= MOST_CELLS
    }
    codes = part.clusters
    return diagnose(
        probability,
        part.passed,
        sets=sets,
        levels=rule.given(part),
        names=rule.levels,
        passing=rule.passing,
        groups=cells,
        decision_threshold=settings.decision_threshold,
        weights=part.unequal_weights,
        test_cases=codes,
        baselines=baseline_aucs(settings.scores, fit, part, besides=besides, level=settings.level, clusters=codes),
        auc_of_score=settings.auc_of_score,
        replicates=settings.replicates,
        folds=folds,
        level=settings.level,
    )


def _heaviest(cells: list[str | None], weights: Floats) -> dict[str, float]:
    found: dict[str, float] = {}
    for cell, weight in zip(cells, weights.tolist(), strict=True):
        if cell is not None:
            found[cell] = max(weight, found.get(cell, 0.0))
    return found


def groups_of(
    frame: pd.DataFrame, order: SampleOrder, sample_ids: Sequence[str]
) -> dict[str, LevelBySample[str | None]]:
    """The level of each of these samples in each column of a frame of dimensions, whose rows are in this order."""
    rows = order.rows(sample_ids)
    known = rows >= 0
    ids = sample_ids if known.all() else [sample_ids[place] for place in np.flatnonzero(known).tolist()]
    own = order if order.is_of(ids) else SampleOrder(ids)
    return {
        str(dimension): LevelBySample(own, _levels(frame[dimension].array.take(rows[known]))) for dimension in frame
    }


def _levels(column: pd.Categorical) -> Levels:
    return Levels(column.codes.astype(np.int32), tuple(map(str, column.categories)))
