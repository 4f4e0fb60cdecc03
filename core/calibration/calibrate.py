"""Fits a calibration from labels and scores: a map, prediction sets with a coverage guarantee, and a check of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.calibration.calibration import CLUSTER, SAMPLE, TWO_LEVELS, Calibration
from hcat.core.calibration.checks.baselines import baseline_columns
from hcat.core.calibration.checks.cross_fitting import CROSS_FIT_BELOW, FOLDS, ONE_TURN_ABOVE, cross_check
from hcat.core.calibration.checks.diagnostics import DECISION_THRESHOLD
from hcat.core.calibration.checks.direction import backward_metrics
from hcat.core.calibration.checks.discrimination import (
    auc_of_score,
    discrimination_of_score,
    discrimination_over_splits,
    ranks_as_score,
)
from hcat.core.calibration.checks.evidence import Evidence
from hcat.core.calibration.checks.fitness import fitness
from hcat.core.calibration.checks.labels_needed import labels_until_fit
from hcat.core.calibration.checks.looks import DeclaredLook, level_alone
from hcat.core.calibration.checks.proportional_odds import ProportionalOdds, check_proportional_odds
from hcat.core.calibration.checks.reliability import REPLICATES
from hcat.core.calibration.checks.repeated_splits import REPEATS, repeated_checks, summary
from hcat.core.calibration.conformal.candidates import candidates_of
from hcat.core.calibration.conformal.full import FullConformal
from hcat.core.calibration.conformal.score_cells import MOST_CELLS, MOST_CELLS_BY_LEVEL, cells_of_run
from hcat.core.calibration.conformal.stage_2 import (
    NOT_CONDITIONAL,
    CheckSettings,
    Fitting,
    Groups,
    SetRule,
    Thresholds,
    check,
    set_thresholds,
)
from hcat.core.calibration.dataset import LabelledScores, join_scores, weights_of_run
from hcat.core.calibration.maps.methods import FitData, Method, ProbabilityMap, directions_of, find_method
from hcat.core.calibration.sufficiency import require_enough
from hcat.core.calibration.training_rows import rows_the_map_can_use, stage_1_data
from hcat.core.errors import HcatError
from hcat.core.labelling.consensus import Labels, resolve_labels
from hcat.core.statistics.partition import SPLITS
from hcat.core.types import Criterion, Direction

if TYPE_CHECKING:
    from hcat.core.scoring.score_table import ScoreTable


FLAT = 1e-9
"""The largest difference of probabilities that count as equal."""


def calibrate(
    labels: Labels,
    scores: ScoreTable,
    *,
    criterion: Criterion,
    metrics: Sequence[str],
    method: str = "logistic",
    alpha: float = 0.1,
    conditional: str = NOT_CONDITIONAL,
    groups: Groups | None = None,
    directions: Mapping[str, Direction] | None = None,
    test_cases: Mapping[str, str] | None = None,
    decision_threshold: float = DECISION_THRESHOLD,
    level: float = 0.95,
    inclusion: Mapping[str, float] | None = None,
    replicates: int = REPLICATES,
    repeats: int = REPEATS,
    divided: bool = False,
    declared: DeclaredLook | None = None,
) -> Calibration:
    """Calibrate one metric, or several together, to people's labels on a criterion. HCAT 5.

    Labels are of one run (the caller filters) and of any criterion; see `consensus` for several a sample. Levels are
    cut at `criterion.passing`, except by methods that give each level its probability. `directions` say in which
    direction a metric improves if the scores do not, or are to be overruled; `test_cases` map sample ids to test cases,
    which neither splits nor inner folds ever divide. Fits, threshold and checks weight each label by the inverse of its
    sampling probability. `inclusion` is that probability for every sample of the run: if it is given and agrees with
    the labels', prediction sets use the threshold of each sample's own weight. `conditional` asks for thresholds by
    "class", or by a dimension: `groups` are the levels of each sample, by dimension and sample id, and coverage is
    measured within all of them. α is between 0.01 and 0.5.

    One metric has a map and sets from all labels (`full_sets`) if no test case has two labels and the method can be
    refitted for thousands of candidates; each label is then checked in a fold (`cross_check`). Else, or if labels are
    to be `divided`, a first split fits the map, a second sets the threshold and a third checks. With fewer than 100
    labels these roles rotate over folds, if there are enough labels for that. Without `replicates` the check has no
    bootstrap: no interval for the corrected ECE, no parts of the Brier score.

    The verdict also depends on that many `repeats` of the split; without them it is "not shown", and of many labels one
    fold checks. It may use a look that was `declared` before the first label, which has most of the probability of a
    false verdict for itself. The fit needs 10 labels with 2 of each class, and a separate threshold 1. Else
    NotEnoughLabelsError says how many more labels will provide that on average, given how samples fall into the splits.
    With fewer labels than α needs, sets contain every level; without labels to check with, there are no diagnostics."""
    names = _distinct(metrics)
    judged, chosen, partial = resolve_labels(labels, criterion), find_method(method), find_method(method).takes_unscored
    data = join_scores(judged, scores, criterion=criterion, metrics=names, partial=partial, test_cases=test_cases)
    data = data.without_unscored(rows_the_map_can_use(data)) if chosen.takes_unscored else data
    by_level = chosen.by_level and not criterion.is_binary
    levels = criterion.levels if by_level else TWO_LEVELS
    what = f"calibrating {', '.join(names)} on {criterion.name}"
    known = scores.directions(names) | dict(directions or {})
    full = None if divided else _full(data, scores, names, chosen, known, by_level=by_level)
    if full is not None:
        data = replace(data, splits=np.full(len(data), SPLITS.index("fit")))
        data = data.in_order_of_content(baseline_columns(scores, besides=()))
    require_enough(data, what=what, levels=levels if by_level else None, divided=full is None)
    to_fit = stage_1_data(data.part("fit"), criterion, by_level, names, known)
    fitted = chosen.fit_data(to_fit)
    weights = weights_of_run(data, inclusion)
    rule = SetRule(
        *(levels, by_level, to_fit.passing, alpha, conditional, chosen.contiguous, groups or {}),
        lightest=min(weights.values(), default=None),
        heaviest=max(weights.values(), default=None),
        full=full,
    )
    made = set_thresholds(fitted, data, rule)
    keeps = _keeps_direction(fitted, to_fit)
    area = auc_of_score(scores, data, names[0], to_fit.directions[0], level=level) if keeps else None
    measuring = CheckSettings(scores, decision_threshold, level, replicates, area)

    def fit_again(turned: LabelledScores) -> ProbabilityMap:
        return chosen.fit_data(stage_1_data(turned.part("fit"), criterion, by_level, names, known))

    evidence = None
    if repeats:
        made_of = (fitted, made)
        evidence = _evidence(data, rule, fit_again, made_of, to_fit, scores, declared, repeats=repeats, level=level)
    in_turn = full is not None or len(data) < CROSS_FIT_BELOW
    turns = FOLDS if full is None or repeats or len(data) <= ONE_TURN_ABOVE else 1
    diagnostics = cross_check(data, rule, fit_again, measuring, handed_out=made, turns=turns) if in_turn else None
    if diagnostics is None:
        diagnostics = check(fitted, data, rule, made, measuring)
    flat = _is_flat(fitted, data)
    verdict = fitness(diagnostics, made.overall, evidence, conditional=made.conditional, flat=flat)
    if evidence is not None and diagnostics is not None and verdict.value == "not shown" and not flat:
        ahead = labels_until_fit(
            diagnostics,
            made.overall,
            evidence,
            labels=len(data),
            conditional=made.conditional,
            declared=declared,
        )
        evidence = replace(evidence, labels_needed=ahead)
    return Calibration(
        criterion=criterion.name,
        metrics=names,
        method=method,
        map=fitted,
        alpha=alpha,
        threshold=made.overall,
        split_sizes=data.split_sizes,
        left_out=data.left_out,
        diagnostics=diagnostics,
        fit_for_use=verdict,
        levels=levels,
        passing=to_fit.passing,
        conditional=conditional,
        thresholds=made.conditional,
        sets_by_score=made.sets,
        weighted=data.unequal_weights is not None,
        proportional_odds=_proportional_odds(to_fit) if by_level and chosen.contiguous else None,
        evidence=evidence,
        weights=weights,
        inputs={"run": scores.provenance.run_hash, "labels": judged.hash, **_file_hashes(scores, names)},
        settings={
            "passing": criterion.passing,
            "decision_threshold": decision_threshold,
            "level": level,
            "split_by": SAMPLE if test_cases is None else CLUSTER,
        },
    )


def _full(
    data: LabelledScores,
    scores: ScoreTable,
    names: Sequence[str],
    method: Method,
    directions: Mapping[str, Direction],
    *,
    by_level: bool,
) -> FullConformal | None:
    """The full conformal procedure, which uses all labels for map and sets; None if it is not available.

    That is for several metrics, for a method whose fit depends on more than the labels or takes too long, and for
    dependent labels of one test case."""
    if len(names) != 1 or data.clusters is not None:
        return None
    direction = directions.get(names[0], directions_of(names)[0])
    candidates = candidates_of(method.name, direction, by_level=by_level)
    most = MOST_CELLS_BY_LEVEL if by_level else MOST_CELLS
    return None if candidates is None else FullConformal(cells_of_run(scores, names[0], most), candidates)


def _file_hashes(scores: ScoreTable, names: Sequence[str]) -> dict[str, str]:
    """The hash of the file of each of these metrics that came from a file."""
    declared = scores.provenance.from_files
    return {f"file of {name}": declared[name].sha256 for name in names if name in declared}


def _keeps_direction(fitted: ProbabilityMap, data: FitData) -> bool:
    """Whether the map is of one metric with a known direction, and ranks samples as this metric does."""
    return len(fitted.metrics) == 1 and data.directions[0] != "none" and ranks_as_score(fitted, data.directions[0])


def _evidence(
    data: LabelledScores,
    rule: SetRule,
    fitting: Fitting,
    handed_out: tuple[ProbabilityMap, Thresholds],
    to_fit: FitData,
    scores: ScoreTable,
    declared: DeclaredLook | None,
    *,
    repeats: int,
    level: float,
) -> Evidence:
    """The evidence for the verdict. A map of one metric ranks samples as its score does, unless its slope may change
    sign."""
    fitted, thresholds = handed_out
    checks = repeated_checks(data, rule, fitting, repeats=repeats)
    one_way = len(fitted.metrics) == 1 and ranks_as_score(fitted, to_fit.directions[0])
    names = fitted.metrics
    return Evidence(
        discrimination_of_score(scores, data, to_fit.directions[0], metrics=names, level=level, declared=declared)
        if one_way
        else discrimination_over_splits(scores, data, checks, metrics=names, level=level, declared=declared),
        summary(
            checks,
            rule,
            handed_out=(fitted, thresholds, data),
            level=level,
            test_level=level_alone(data.sample_ids.tolist(), declared),
        ),
        backward_metrics(fitted, data.X, to_fit.directions),
    )


def _is_flat(fitted: ProbabilityMap, data: LabelledScores) -> bool:
    """Whether the map gives all of these samples the same probability."""
    probability = fitted.probability(data.X)
    known = probability[np.isfinite(probability)]
    return len(known) > 0 and bool(np.ptp(known) < FLAT)


def _distinct(metrics: Sequence[str]) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(metrics))
    if not names:
        raise HcatError("a calibration takes at least one metric")
    return names


def _proportional_odds(data: FitData) -> ProportionalOdds:
    return check_proportional_odds(
        data.X, data.levels, n_levels=data.n_levels, weights=data.weights, groups=data.groups
    )
