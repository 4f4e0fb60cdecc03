"""Annotators against one another, themselves and what is right; what follows from each one's labels; and blindness."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.agreement.consistency import GoldAccuracy, LevelPair, SelfConsistency, gold_accuracy, self_consistency
from core.agreement.ratings import Ratings, ratings
from core.errors import HcatError
from core.labelling.label_source import BY_PEOPLE
from core.records.project import RunInfo
from core.records.test_cases import all_cases, repeated_cases
from core.types import Criterion, Label, Sample
from core.workspace.gold import Gold
from core.workspace.labels import Labels
from core.workspace.open_store import OpenStore
from core.workspace.projects import Projects, checked_name
from core.workspace.queue_plans import QueuePlans
from core.workspace.runs import Runs
from core.workspace.scoring import Scoring

if TYPE_CHECKING:
    import numpy as np

    from core.calibration.calibration import Calibration
    from core.estimates.prediction_powered import PassRateEstimates
    from core.scoring.score_table import ScoreTable


@dataclass(frozen=True, slots=True)
class Policy:
    """What the labels of one annotator alone, or the consensus of all, say of the run and of the metrics.

    `annotator` is None for the consensus. `calibration` is None where labels do not suffice: `missing` says why.
    """

    annotator: str | None
    labels: int
    estimates: PassRateEstimates
    calibration: Calibration | None
    missing: str = ""


@dataclass(frozen=True, slots=True)
class LabelPair:
    """An annotator's first judgement of a sample and the hidden repeat. A level is None where they can't judge."""

    annotator: str
    sample_id: str
    first: int | None
    again: int | None


@dataclass(frozen=True)
class Annotators:
    """The people who label a run."""

    store: OpenStore
    projects: Projects
    runs: Runs
    labels: Labels
    gold: Gold
    scoring: Scoring
    plans: QueuePlans

    def independent_labels(self, run: RunInfo, criterion: Criterion) -> list[Label]:
        """The labels that people gave for themselves and that hold, oldest first: no rules, no adjudications."""
        held = self.labels.current(self.projects.of(run), criterion.name, run, by="people", decisions=False)
        return [label for label in held if label.source == "person"]

    def ratings(
        self,
        run: RunInfo,
        criterion: Criterion,
        *,
        labels: Sequence[Label] | None = None,
        samples: Sequence[Sample] | None = None,
    ) -> Ratings:
        """The table of the labels that people gave for themselves, which knows the trials of one test case.

        `labels` and `samples` spare reading them again where the caller holds them.
        """
        held = self.independent_labels(run, criterion) if labels is None else labels
        cases = repeated_cases(self.runs.samples(run) if samples is None else samples)
        return ratings(held, criterion=criterion, test_cases=cases)

    def repeat_pairs(self, run: RunInfo, criterion: Criterion) -> list[LabelPair]:
        """Each hidden repeat beside the same annotator's first judgement, for their self-consistency."""
        judged = self.labels.judgements(run, criterion)
        first = {(x.sample_id, x.annotator): x.level for x in judged if x.purpose == "estimate"}
        return [
            LabelPair(x.annotator, x.sample_id, first[x.sample_id, x.annotator], x.level)
            for x in judged
            if x.purpose == "repeat" and (x.sample_id, x.annotator) in first
        ]

    def consistency(
        self, run: RunInfo, criterion: Criterion, *, rng: np.random.Generator
    ) -> tuple[SelfConsistency, ...]:
        """Each annotator against themselves, by hidden repeats."""
        cases = repeated_cases(self.runs.samples(run)) or {}
        pairs = self.repeat_pairs(run, criterion)
        looks = [LevelPair(x.annotator, x.first, x.again, cases.get(x.sample_id)) for x in pairs]
        return self_consistency(looks, criterion=criterion, rng=rng)

    def accuracy(self, run: RunInfo, criterion: Criterion) -> tuple[GoldAccuracy, ...]:
        """Each annotator against the samples whose right level is known."""
        cases = repeated_cases(self.runs.samples(run)) or {}
        answers = self.gold.answers(run, criterion)
        looks = [LevelPair(x.annotator, x.right, x.given, cases.get(x.sample_id)) for x in answers]
        return gold_accuracy(looks, criterion=criterion)

    def policies(
        self,
        run: RunInfo,
        criterion: Criterion,
        *,
        metrics: Sequence[str],
        method: str = "logistic",
        alpha: float = 0.1,
        scores: ScoreTable | None = None,
        samples: Sequence[Sample] | None = None,
    ) -> tuple[Policy, ...]:
        """The pass rate and the calibration by the consensus of people, and then by each annotator's labels alone.

        Each annotator's labels keep the probabilities with which their samples were drawn. `scores` and `samples` spare
        reading them again where the caller holds the run's.
        """
        from core.calibration.calibrate import calibrate
        from core.estimates.prediction_powered import estimate_pass_rate
        from core.estimates.run_estimates import prepare_run

        labels = self.labels.current(self.projects.of(run), criterion.name, run)
        by_rule = [label for label in labels if label.source == "rule"]
        everything = [label for label in labels if label.source in BY_PEOPLE] or by_rule
        table = scores or self.scoring.required(run)
        known = samples or self.runs.samples(run)
        cases, trials = all_cases(known), repeated_cases(known)
        drawn = self.plans.drawn_strata(run, criterion)
        found = []
        for name in (None, *sorted({x.annotator for x in everything if x.source == "person"})):
            given = [x for x in everything if name is None or (x.annotator == name and x.source == "person")]
            prepared = prepare_run(
                given, table, criterion=criterion, metrics=metrics, method=method, strata=drawn, clusters=trials
            )
            estimates = estimate_pass_rate(prepared.run, note=prepared.note)
            made, missing = None, ""
            try:
                made = calibrate(
                    given, table, criterion=criterion, metrics=metrics, method=method, alpha=alpha, test_cases=cases
                )
            except HcatError as error:
                missing = str(error)
            found.append(Policy(name, len(given), estimates, made, missing))
        return tuple(found)

    def unblind(self, run: RunInfo, criterion: Criterion, sample_ids: Iterable[str], *, annotator: str) -> None:
        """Note that the annotator sees others' labels on these samples: what they say of them later is not blind."""
        name = checked_name(annotator, "annotator")
        with self.store.write(name, "annotator.unblind") as write:
            self.store.unblinding.add(write, run.project_id, run.id, criterion.name, name, sample_ids)

    def unblinded(self, run: RunInfo, criterion: Criterion, annotator: str) -> frozenset[str]:
        """The samples on which the annotator has seen the labels of others."""
        return self.store.unblinding.seen(run.project_id, run.id, criterion.name, checked_name(annotator, "annotator"))
