"""Corrected pass rates of runs, and scores over repeated trials, from what the workspace holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from core.records.project import RunInfo
from core.records.test_cases import all_cases, repeated_cases
from core.types import Criterion, Sample
from core.workspace.labels import Labels
from core.workspace.projects import Projects
from core.workspace.queue_plans import QueuePlans
from core.workspace.runs import Runs
from core.workspace.scoring import Scoring

if TYPE_CHECKING:
    from core.estimates.learning import LearningPoint
    from core.estimates.paired_difference import DifferenceEstimates
    from core.estimates.prediction_powered import PassRateEstimates
    from core.estimates.run_estimates import PreparedRun
    from core.scoring.score_table import ScoreTable


@dataclass(frozen=True)
class Estimates:
    """The pass rates of each run."""

    projects: Projects
    runs: Runs
    labels: Labels
    scoring: Scoring
    plans: QueuePlans

    def prepare(
        self,
        run: RunInfo,
        criterion: Criterion,
        *,
        metrics: Sequence[str],
        method: str = "logistic",
        scores: ScoreTable | None = None,
        samples: Sequence[Sample] | None = None,
    ) -> PreparedRun:
        """The run joined with its present labels: strata of the queue that drew them, trials of one test case together.

        `scores` and `samples` spare reading them again where the caller holds the run's.
        """
        from core.estimates.run_estimates import prepare_run

        return prepare_run(
            self.labels.current(self.projects.of(run), criterion.name, run),
            scores or self.scoring.required(run),
            criterion=criterion,
            metrics=metrics,
            method=method,
            strata=self.plans.drawn_strata(run, criterion),
            clusters=repeated_cases(samples or self.runs.samples(run)),
        )

    def pass_rate(
        self,
        run: RunInfo,
        criterion: Criterion,
        *,
        metrics: Sequence[str],
        method: str = "logistic",
        scores: ScoreTable | None = None,
        samples: Sequence[Sample] | None = None,
    ) -> PassRateEstimates:
        """The pass rate of the run by its present labels: naive, labels only, and prediction-powered."""
        from core.estimates.prediction_powered import estimate_pass_rate

        prepared = self.prepare(run, criterion, metrics=metrics, method=method, scores=scores, samples=samples)
        return estimate_pass_rate(prepared.run, note=prepared.note)

    def learning_curve(
        self,
        run: RunInfo,
        criterion: Criterion,
        *,
        metrics: Sequence[str],
        method: str = "logistic",
        scores: ScoreTable | None = None,
        samples: Sequence[Sample] | None = None,
    ) -> tuple[LearningPoint, ...]:
        """The estimates as they stood after the first labels, in order of time, by the queues drawn by then."""
        from core.estimates.learning import learning_curve

        return learning_curve(
            self.labels.current(self.projects.of(run), criterion.name, run),
            scores or self.scoring.required(run),
            criterion=criterion,
            metrics=metrics,
            method=method,
            strata=self.plans.drawn_strata(run, criterion),
            clusters=repeated_cases(samples or self.runs.samples(run)),
            alone=partial(self.labels.as_first_sampled, run),
        )

    def difference(
        self,
        first: RunInfo,
        second: RunInfo,
        criterion: Criterion,
        *,
        metrics: Sequence[str],
        method: str = "logistic",
    ) -> DifferenceEstimates:
        """The difference in pass rate, second run less first, paired by test case."""
        from core.estimates.run_estimates import compare_runs

        project = self.projects.of(first)
        cases = [all_cases(self.runs.samples(run)) for run in (first, second)]
        drawn = [self.plans.drawn_strata(run, criterion) for run in (first, second)]
        whole = [dict.fromkeys(of_run, "all") for of_run in cases]
        return compare_runs(
            (self.labels.current(project, criterion.name, first), self.scoring.required(first)),
            (self.labels.current(project, criterion.name, second), self.scoring.required(second)),
            criterion=criterion,
            metrics=metrics,
            method=method,
            clusters=(cases[0], cases[1]),
            strata=(drawn[0] or whole[0], drawn[1] or whole[1]) if any(drawn) else None,
        )

    def answer_kinds(self, run: RunInfo, *, alike: float | None = None) -> list[str]:
        """The kind of each sample's answer within its test case, by meaning; in the order of the samples."""
        from core.estimates.trials import ALIKE, answer_kinds
        from core.models.cache import embed_texts

        samples = self.runs.samples(run)
        encoder, store = self.scoring.encoder_and_store()
        texts = sorted({sample.answer.strip() for sample in samples if sample.answer and sample.answer.strip()})
        vectors = embed_texts(texts, encoder=encoder, store=store)
        return answer_kinds(samples, vectors, alike=ALIKE if alike is None else alike)
