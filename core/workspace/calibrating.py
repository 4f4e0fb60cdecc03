"""A run's calibrations by its present labels, and whether those labels are like the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import NotFoundError
from core.records.project import CalibrationRecord, RunInfo
from core.records.test_cases import all_cases
from core.types import Criterion, Sample
from core.workspace.labels import Labels as ProjectLabels
from core.workspace.open_store import OpenStore
from core.workspace.projects import Projects
from core.workspace.queue_plans import QueuePlans
from core.workspace.runs import Runs
from core.workspace.scoring import Scoring
from core.workspace.slices import Slices

if TYPE_CHECKING:
    import pandas as pd

    from core.calibration.calibration import Calibration
    from core.calibration.checks.comparison import Comparison
    from core.calibration.checks.exchangeability import ExchangeabilityCheck
    from core.estimates.label_evaluation import CalibrationSpec, LabelEvaluation, ScoredRun
    from core.labelling.consensus import Labels
    from core.scoring.score_table import ScoreTable


@dataclass(frozen=True)
class Calibrations:
    """The calibrations of each run."""

    store: OpenStore
    projects: Projects
    runs: Runs
    labels: ProjectLabels
    scoring: Scoring
    slices: Slices
    plans: QueuePlans

    def fit(
        self,
        run: RunInfo,
        criterion: Criterion,
        *,
        metrics: Sequence[str],
        method: str = "logistic",
        alpha: float = 0.1,
        conditional: str = "none",
        dimensions: pd.DataFrame | None = None,
        test_cases: Mapping[str, str] | None = None,
    ) -> Calibration:
        """Calibrate metrics against the run's present labels. Nothing is stored.

        `conditional` asks for thresholds by "class" or by one of the run's dimensions; coverage is measured within the
        levels of `dimensions` (as `Slices.dimensions` gives them, which is also what is read where they are needed and
        not given). `test_cases` by sample id spare reading the run's. NotEnoughLabelsError says how many labels are
        missing.
        """
        from core.calibration.calibrate import calibrate as fit
        from core.calibration.conformal.mondrian import BY_CLASS
        from core.calibration.conformal.stage_2 import NOT_CONDITIONAL, groups_of

        labels = self.labels.current(self.projects.of(run), criterion.name, run)
        if dimensions is None and conditional not in (NOT_CONDITIONAL, BY_CLASS):
            dimensions = self.slices.dimensions(run)
        groups = None if dimensions is None else groups_of(dimensions, [label.sample_id for label in labels])
        return fit(
            labels,
            self.scoring.required(run),
            criterion=criterion,
            metrics=metrics,
            method=method,
            alpha=alpha,
            conditional=conditional,
            groups=groups,
            test_cases=all_cases(self.runs.samples(run)) if test_cases is None else test_cases,
        )

    def save(self, run: RunInfo, calibration: Calibration) -> CalibrationRecord:
        """Keep the calibration's document beside the run."""
        from core.wording.calibration_document import calibration_document

        document = calibration_document(calibration)
        with self.store.write(self.store.actor, "calibration.save") as write:
            return self.store.results.add_calibration(write, run.project_id, run.id, calibration.criterion, document)

    def all(self, run: RunInfo) -> list[CalibrationRecord]:
        """The run's kept calibrations, newest first; `read_calibration` makes one usable again."""
        return self.store.results.calibrations(run.id)

    def read(self, record: CalibrationRecord) -> Calibration:
        """The calibration of a kept document."""
        from core.calibration.calibration import Calibration

        return Calibration.from_document(dict(record.document))

    def newest(self, run: RunInfo) -> Calibration:
        """The calibration kept last, or NotFoundError."""
        kept = self.all(run)
        if not kept:
            raise NotFoundError(f"run {run.name!r} has no kept calibration yet: calibrate it and keep the result")
        return self.read(kept[0])

    def scored_run(
        self,
        run: RunInfo,
        *,
        scores: ScoreTable | None = None,
        samples: Sequence[Sample] | None = None,
        dimensions: pd.DataFrame | None = None,
    ) -> ScoredRun:
        """What every calibration and estimate of the run starts from; what the caller holds of it is not read again."""
        from core.calibration.conformal.stage_2 import groups_of
        from core.estimates.label_evaluation import ScoredRun

        table = scores or self.scoring.required(run)
        frame = self.slices.dimensions(run) if dimensions is None else dimensions
        cases = all_cases(self.runs.samples(run) if samples is None else samples)
        return ScoredRun(table, cases, groups_of(frame, table.sample_ids))

    def evaluate_labels(
        self, run: RunInfo, spec: CalibrationSpec, *, labels: Labels, known: ScoredRun, replicates: int
    ) -> LabelEvaluation:
        """The standing of the spec by these labels of the run, drawn from the strata of the queue that drew them."""
        from core.estimates.label_evaluation import evaluate_labels

        strata = self.plans.drawn_strata(run, spec.criterion)
        return evaluate_labels(labels, known, spec, strata=strata, replicates=replicates)

    def compare_methods(
        self,
        run: RunInfo,
        criterion: Criterion,
        *,
        metrics: Sequence[str],
        known: ScoredRun | None = None,
    ) -> Comparison:
        """Each metric alone and all together by every method, cross-validated on the labels that fit the map."""
        from core.calibration.checks.comparison import compare_methods

        known = known or self.scored_run(run)
        labels = self.labels.current(self.projects.of(run), criterion.name, run)
        return compare_methods(
            labels,
            known.scores,
            criterion=criterion,
            metrics=metrics,
            test_cases=known.test_cases,
            seed=self.store.settings.seed,
        )

    def exchangeability(
        self, run: RunInfo, criterion: Criterion, *, dimensions: pd.DataFrame | None = None
    ) -> ExchangeabilityCheck:
        """Whether the labelled samples, weighted by how they were drawn, can be told from the run by its scores and
        `dimensions`."""
        from core.calibration.checks.exchangeability import check_labels
        from core.calibration.conformal.stage_2 import groups_of

        scores = self.scoring.required(run)
        labels = self.labels.current(self.projects.of(run), criterion.name, run)
        groups = None if dimensions is None else groups_of(dimensions, scores.sample_ids)
        return check_labels(
            labels,
            scores,
            criterion=criterion,
            groups=groups,
            test_cases=all_cases(self.runs.samples(run)),
            seed=self.store.settings.seed,
        )

    def group_levels(self, run: RunInfo, calibration: Calibration) -> dict[str, str | None] | None:
        """The level by sample id of the dimension that the calibration's thresholds are by; None where they are not."""
        from core.calibration.conformal.stage_2 import groups_of

        made = calibration.thresholds
        if made is None or made.by_class:
            return None
        frame = self.slices.dimensions(run)
        ids = [str(sample_id) for sample_id in frame.index]
        return groups_of(frame[[made.by]], ids)[made.by] if made.by in frame else {}
