"""Results from the current labels: calibration and corrected pass rate, from one join of labels and scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hcat.core.calibration.calibrate import calibrate
from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.checks.diagnostics import DECISION_THRESHOLD
from hcat.core.calibration.checks.looks import DeclaredLook
from hcat.core.calibration.checks.reliability import REPLICATES
from hcat.core.calibration.checks.repeated_splits import REPEATS
from hcat.core.calibration.conformal.stage_2 import NOT_CONDITIONAL, Groups
from hcat.core.errors import HcatError, NotEnoughLabelsError
from hcat.core.estimates.prediction_powered import PassRateEstimates, estimate_pass_rate
from hcat.core.estimates.run_estimates import prepare_run
from hcat.core.labelling.consensus import ConsensusLabels, Labels, labelled_at, resolve_labels
from hcat.core.records.clusters import shared_clusters
from hcat.core.types import Criterion, Estimate, Label

if TYPE_CHECKING:
    from hcat.core.scoring.score_table import ScoreTable

FIRST = 10
GROWTH = 2**0.5


@dataclass(frozen=True, slots=True)
class CalibrationSpec:
    """The settings of a calibration: metrics and method, α, and what thresholds depend on.

    `conditional` is none, by class or by a dimension; errors are those of passing probabilities from
    `decision_threshold` on."""

    criterion: Criterion
    metrics: tuple[str, ...]
    method: str = "logistic"
    alpha: float = 0.1
    conditional: str = NOT_CONDITIONAL
    decision_threshold: float = DECISION_THRESHOLD


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """The data of a run without labels: its scores, and by sample id clusters and levels of dimensions."""

    scores: ScoreTable
    clusters: Mapping[str, str] | None = None
    groups: Groups = field(default_factory=dict)

    @property
    def shared_clusters(self) -> Mapping[str, str] | None:
        """The clusters if one has several samples; None if samples are independent of one another."""
        return shared_clusters(self.clusters)


@dataclass(frozen=True, slots=True)
class LabelEvaluation:
    """The results from the labels of `n` samples.

    If they allow no calibration, `problem` says why, and `needed` how many more would on average (0 if the number of
    labels is not the problem)."""

    n: int
    judged: ConsensusLabels
    estimates: PassRateEstimates
    calibration: Calibration | None
    problem: str = ""
    needed: int = 0


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """The numbers of an evaluation after the first `labels` labels.

    `q_hat` is 1 if they were too few for α, as `enough` says; NaN if there was no calibration yet, and then coverage
    and AUC are None."""

    labels: int
    q_hat: float
    enough: bool
    coverage: Estimate | None
    auc: Estimate | None
    pass_rate: Estimate


def evaluate_labels(
    labels: Labels,
    run: ScoredRun,
    spec: CalibrationSpec,
    *,
    strata: Mapping[str, str] | None = None,
    inclusion: Mapping[str, float] | None = None,
    replicates: int = REPLICATES,
    repeats: int = REPEATS,
    declared: DeclaredLook | None = None,
) -> LabelEvaluation:
    """The calibration, its check and the pass rate from these labels.

    `strata` are those that a queue drew samples from, `inclusion` the probability with which each sample of the run
    could be drawn; the verdict may use a look that was `declared`. Without `replicates` nothing is bootstrapped,
    without `repeats` of the split there is no verdict. UnknownMetricError if the run has no such metric."""
    judged = resolve_labels(labels, spec.criterion)
    prepared = prepare_run(
        judged,
        run.scores,
        criterion=spec.criterion,
        metrics=spec.metrics,
        method=spec.method,
        strata=strata,
        clusters=run.shared_clusters,
    )
    estimates = estimate_pass_rate(prepared.run, note=prepared.note)
    fitted, problem, needed = None, "", 0
    try:
        fitted = calibrate(
            judged,
            run.scores,
            criterion=spec.criterion,
            metrics=spec.metrics,
            method=spec.method,
            alpha=spec.alpha,
            conditional=spec.conditional,
            decision_threshold=spec.decision_threshold,
            groups=run.groups,
            test_cases=run.clusters,
            inclusion=inclusion,
            replicates=replicates,
            repeats=repeats,
            declared=declared,
        )
    except NotEnoughLabelsError as error:
        problem, needed = str(error), error.needed
    except HcatError as error:
        problem = str(error)
    return LabelEvaluation(len(judged.sample_ids), judged, estimates, fitted, problem, needed)


def in_order(labels: Iterable[Label]) -> tuple[Label, ...]:
    """Labels from the first to the last given; those without a time come first, in the given order."""
    return tuple(sorted(labels, key=labelled_at))


def history_sizes(labels: int) -> tuple[int, ...]:
    """The numbers of labels at which the history is evaluated: 10, 14, 20, 28 … up to all of them.

    All but the last are unchanged when a label is added, so that results for them can be cached."""
    sizes: list[int] = []
    size = float(FIRST)
    while round(size) < labels:
        sizes.append(round(size))
        size *= GROWTH
    return (*sizes, labels) if labels else ()


def history_point(labels: int, standing: LabelEvaluation) -> HistoryPoint:
    """The evaluation after this many labels, as a point of its history."""
    fitted = standing.calibration
    checked = None if fitted is None else fitted.diagnostics
    return HistoryPoint(
        labels,
        float("nan") if fitted is None else fitted.threshold.q_hat,
        fitted is not None and fitted.threshold.enough,
        None if checked is None else checked.coverage,
        None if checked is None else checked.auc,
        standing.estimates.ppi,
    )


def history(
    labels: Sequence[Label],
    run: ScoredRun,
    spec: CalibrationSpec,
    *,
    alone: Callable[[Sequence[Label]], Sequence[Label]] | None = None,
) -> tuple[HistoryPoint, ...]:
    """The history of q̂, coverage, AUC and the corrected pass rate as labels came, in order of time.

    It uses the current labels: one that was changed is at the time of its change. `alone` gives the first labels the
    probabilities that they had before later queues drew; without it all have their current ones."""
    ordered = in_order(label for label in labels if label.criterion == spec.criterion.name)
    points = []
    for size in history_sizes(len(ordered)):
        first = ordered[:size] if alone is None else alone(ordered[:size])
        points.append(history_point(size, evaluate_labels(first, run, spec, replicates=0, repeats=0)))
    return tuple(points)
