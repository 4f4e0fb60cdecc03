"""Calibrations of an opened run by its labels, and whether those labels are like the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.calibration import calibrate as fitting
from hcat.core.calibration.answer_scores import answer_scores
from hcat.core.calibration.calibration import CLUSTER, TEST_CASE, Calibration
from hcat.core.calibration.checks import comparison
from hcat.core.calibration.checks.comparison import Comparison
from hcat.core.calibration.checks.diagnostics import DECISION_THRESHOLD
from hcat.core.calibration.checks.exchangeability import ExchangeabilityCheck, check_labels
from hcat.core.calibration.checks.reliability import REPLICATES
from hcat.core.calibration.checks.repeated_splits import REPEATS
from hcat.core.calibration.conformal.stage_2 import NOT_CONDITIONAL
from hcat.core.calibration.refits import probability_bounds, refitted_probabilities
from hcat.core.estimates import label_evaluation
from hcat.core.estimates.label_evaluation import CalibrationSpec, LabelEvaluation
from hcat.core.labelling.consensus import Labels, resolve_labels
from hcat.core.opened.run import Opened, RunColumns
from hcat.core.statistics.refitted import Refitted
from hcat.core.types import Criterion, Estimate

if TYPE_CHECKING:
    import pandas as pd

    from hcat.core.scoring.score_table import ScoreTable


def calibrate(
    run: Opened,
    criterion: Criterion,
    *,
    metrics: Sequence[str],
    method: str = "logistic",
    alpha: float = 0.1,
    conditional: str = NOT_CONDITIONAL,
    decision_threshold: float = DECISION_THRESHOLD,
    replicates: int = REPLICATES,
) -> Calibration:
    """Calibrate metrics against the run's labels. `conditional` asks for thresholds by "class" or by a dimension.

    Errors are those of passing probabilities from `decision_threshold` on. Coverage is measured within the levels of
    all dimensions. NotEnoughLabelsError says how many labels are missing.
    """
    return fitting.calibrate(
        run.labels(criterion),
        run.columns.scores,
        criterion=criterion,
        metrics=metrics,
        method=method,
        alpha=alpha,
        conditional=conditional,
        decision_threshold=decision_threshold,
        groups=run.columns.groups,
        test_cases=run.columns.clusters,
        inclusion=_inclusion(run, criterion, run.labels(criterion)),
        replicates=replicates,
        declared=run.declared_look(criterion, run.labels(criterion)),
    )


def with_labels_held_out(run: Opened, calibration: Calibration, criterion: Criterion) -> Calibration:
    """The calibration, or one of the same kind fitted to the first split of the labels alone where all labels make its
    map. The labels of the other split can then test what is done by it. Its verdict stays that of all."""
    if calibration.sets_by_score is None:
        return calibration
    divided = fitting.calibrate(
        run.labels(criterion),
        run.columns.scores,
        criterion=criterion,
        metrics=calibration.metrics,
        method=calibration.method,
        alpha=calibration.alpha,
        conditional=calibration.conditional,
        groups=run.columns.groups,
        test_cases=run.columns.clusters,
        inclusion=_inclusion(run, criterion, run.labels(criterion)),
        replicates=0,
        repeats=0,
        divided=True,
    )
    return replace(divided, fit_for_use=calibration.fit_for_use, evidence=calibration.evidence, use=calibration.use)


def _inclusion(run: Opened, criterion: Criterion, labels: Labels) -> Mapping[str, float] | None:
    """The probability of being drawn of every sample; asked for only where labels were drawn unequally."""
    weights = resolve_labels(labels, criterion).weights
    unequal = len(weights) > 0 and float(weights.min()) < float(weights.max())
    return run.inclusion(criterion) if unequal else None


def compare_methods(run: Opened, criterion: Criterion, *, metrics: Sequence[str], seed: int = 7) -> Comparison:
    """Each metric alone and all together by every method, cross-validated on the labels that fit the map."""
    return comparison.compare_methods(
        run.labels(criterion),
        run.columns.scores,
        criterion=criterion,
        metrics=metrics,
        test_cases=run.columns.clusters,
        seed=seed,
    )


def check_exchangeability(run: Opened, criterion: Criterion, *, seed: int = 7) -> ExchangeabilityCheck:
    """A test whether a classifier separates the labelled samples, weighted by how they were drawn, from the run by its
    scores and dimensions."""
    return check_labels(
        run.labels(criterion),
        run.columns.scores,
        criterion=criterion,
        groups=run.columns.groups,
        test_cases=run.columns.shared_clusters,
        seed=seed,
    )


def evaluate_labels(
    run: Opened,
    spec: CalibrationSpec,
    *,
    labels: Labels | None = None,
    replicates: int = REPLICATES,
    repeats: int = REPEATS,
) -> LabelEvaluation:
    """Calibration and corrected pass rate by the spec, from the run's labels or from the given ones."""
    used = run.labels(spec.criterion) if labels is None else resolve_labels(labels, spec.criterion)
    return label_evaluation.evaluate_labels(
        used,
        run.columns.scored,
        spec,
        strata=run.strata(spec.criterion),
        inclusion=_inclusion(run, spec.criterion, used),
        replicates=replicates,
        repeats=repeats,
        declared=run.declared_look(spec.criterion, used) if repeats else None,
    )


def predict(columns: RunColumns, calibration: Calibration) -> pd.DataFrame:
    """Probability, prediction set and decision of every sample of the run."""
    return calibration.predict(columns.scores, groups=threshold_levels(columns, calibration))


def refit(run: Opened, calibration: Calibration, criterion: Criterion) -> Refitted:
    """The probability of a pass of the run's samples under refits to its current labels. HcatError where these fit no
    map."""
    return refitted_probabilities(
        calibration,
        run.labels(criterion),
        run.columns.scores,
        criterion=criterion,
        split_keys=split_keys(run.columns, calibration),
        clusters=run.columns.clusters,
    )


def sample_probability(
    scores: ScoreTable, calibration: Calibration, sample_id: str, refitted: Refitted | None
) -> Estimate:
    """The probability of a pass of a sample of the run, with a 95% interval over refits to the labels; without bounds
    where there are none."""
    rows = scores.order.rows([sample_id])
    value = calibration.map.probability(answer_scores(scores, calibration.metrics)[rows])
    low = high = np.full(1, np.nan)
    if refitted is not None:
        low, high = probability_bounds(refitted.at(rows).values(), value)
    n, method = calibration.split_sizes["fit"], "quantiles over refits by Bayesian bootstrap"
    return Estimate(float(value[0]), float(low[0]), float(high[0]), n, 0.95, method)


def threshold_levels(columns: RunColumns, calibration: Calibration) -> Mapping[str, str | None] | None:
    """The level by sample id of the dimension that the calibration's thresholds are by; None where they are not."""
    if calibration.thresholds is None or calibration.thresholds.by_class:
        return None
    return (columns.groups or {}).get(calibration.conditional, {})


def split_keys(columns: RunColumns, calibration: Calibration) -> Mapping[str, str] | None:
    """The unit by which the calibration split the labels, by sample id; None where each sample was a unit of its
    own."""
    if calibration.split_by == TEST_CASE and columns.given_columns is not None:
        cases = columns.given_columns.levels("test_case").texts()
        return {name: case or name for name, case in zip(columns.sample_ids, cases, strict=True)}
    return columns.clusters if calibration.split_by in (CLUSTER, TEST_CASE) else None
