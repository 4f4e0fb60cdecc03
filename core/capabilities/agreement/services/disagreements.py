"""Samples on which annotators differ: what each said, what was decided, and who may see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hcat.core.capabilities.agreement.services.gold import Gold
from hcat.core.errors import HcatError
from hcat.core.labelling.records import Adjudication, GoldItem, LabelRecord
from hcat.core.project.criteria import check_level
from hcat.core.project.decisions import current_decisions
from hcat.core.project.labels import Labels
from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import checked_name
from hcat.core.project.runs import Runs
from hcat.core.project.scoring import Scoring
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion, Score


@dataclass(frozen=True, slots=True)
class Revealed:
    """The records hidden from an annotator until their own label is stored. `gold` and `decided` are None where
    unknown."""

    own: LabelRecord
    others: tuple[LabelRecord, ...]
    scores: Mapping[str, Score]
    gold: GoldItem | None
    decided: Adjudication | None


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A sample to which annotators gave different levels, and what was decided on it, if anything."""

    sample_id: str
    labels: tuple[LabelRecord, ...]
    decided: Adjudication | None


@dataclass(frozen=True)
class Disagreements:
    """The disagreements on each run and criterion."""

    store: OpenStore
    runs: Runs
    labels: Labels
    gold: Gold
    scoring: Scoring

    def all(self, run: RunInfo, criterion: Criterion) -> list[Disagreement]:
        """The samples to which people gave different levels, hidden repeats left out; undecided ones first."""
        self.store.access.check_reading("results", run.project_id)
        by_sample: dict[str, list[LabelRecord]] = {}
        for record in self.labels.judgements(run, criterion):
            if record.level is not None and record.purpose != "repeat":
                by_sample.setdefault(record.sample_id, []).append(record)
        decided = {x.sample_id: x for x in self.adjudications(run, criterion)}
        disagreements = [
            Disagreement(sample_id, tuple(records), decided.get(sample_id))
            for sample_id, records in by_sample.items()
            if len({record.level for record in records}) > 1
        ]
        return sorted(disagreements, key=lambda item: item.decided is not None)

    def adjudicate(
        self,
        run: RunInfo,
        criterion: Criterion,
        sample_id: str,
        level: int,
        *,
        author: str,
        rationale: str = "",
    ) -> Adjudication:
        """Decide on a sample over the labels that it has. They all stay; a later decision supersedes this one."""
        check_level(criterion, level)
        self.runs.check_samples(run, [sample_id])
        weighed = [x.id for x in self.labels.judgements(run, criterion) if x.sample_id == sample_id]
        if not weighed:
            raise HcatError("nobody has labelled this sample yet: there is nothing to decide between")
        name = checked_name(author, "author")
        with self.store.write(name, "disagreement.adjudicate", run.project_id) as write:
            return self.store.standards.adjudicate(
                write,
                run.project_id,
                run.id,
                criterion.name,
                sample_id,
                level,
                rationale=rationale,
                author=name,
                label_ids=weighed,
                guideline_version=criterion.guideline_version,
            )

    def adjudications(self, run: RunInfo, criterion: Criterion | None = None) -> list[Adjudication]:
        """The decisions that hold on the run, oldest first."""
        self.store.access.check_reading("results", run.project_id)
        return current_decisions(self.store, run, criterion)

    def reveal(self, run: RunInfo, criterion: Criterion, sample_id: str, annotator: str) -> Revealed:
        """The others' labels, the scores, the right level and the decision, once the annotator's own label is in.

        HcatError before that, and while the sample is before the annotator again. It is kept who saw it: what they say
        of the sample from then on is stored as not blind.
        """
        present = self.store.log.current(run.project_id, criterion=criterion.name, run_id=run.id)
        of_sample = [x for x in present if x.sample_id == sample_id and x.source == "person"]
        own = [x for x in of_sample if x.annotator == annotator and x.kind != "skip"]
        if not own or self.store.leases.holds(run.id, sample_id, annotator):
            raise HcatError(
                "scores and the labels of others are shown once your own label is in: label the sample first"
            )
        if sample_id not in self.store.unblinding.seen(run.project_id, run.id, criterion.name, annotator):
            with self.store.write(annotator, "disagreement.reveal", run.project_id) as write:
                self.store.unblinding.add(write, run.project_id, run.id, criterion.name, annotator, [sample_id])
        table = self.scoring.table(run)
        return Revealed(
            own=max(own, key=lambda record: record.id),
            others=tuple(x for x in of_sample if x.annotator != annotator),
            scores={} if table is None else {metric: table.score(sample_id, metric) for metric in table.metrics},
            gold=next((x for x in self.gold.items(run, criterion) if x.sample_id == sample_id), None),
            decided=next((x for x in self.adjudications(run, criterion) if x.sample_id == sample_id), None),
        )
