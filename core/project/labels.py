"""Labels: what people say about samples, one entry after another, never changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Literal

from hcat.core.errors import HcatError
from hcat.core.labelling.label_details import NO_DETAILS, LabelDetails, check_spans
from hcat.core.labelling.label_source import BY_PEOPLE, LABEL_SOURCES
from hcat.core.labelling.queue import LEASE_SECONDS, QueueItem
from hcat.core.labelling.records import LabelRecord
from hcat.core.project.actions import Action
from hcat.core.project.criteria import check_level
from hcat.core.project.decisions import current_decisions, decided_labels
from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import Projects, checked_name
from hcat.core.project.queue_plans import QueuePlans
from hcat.core.project.runs import Runs
from hcat.core.project.sampling import HAND_PICKED, SamplingDesign, of_the_run
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.storage.stores.label_entries import MadeLabels, in_utc, restored, withdrawal
from hcat.core.storage.stores.label_log import Entry
from hcat.core.types import Criterion, Label

REVEALED = ("scores", "labels of others")
"""Value of `shown` for a label by somebody who may have seen these of the sample: which of the two is not recorded."""


@dataclass(frozen=True)
class Labels:
    """The label log of each project."""

    store: OpenStore
    projects: Projects
    runs: Runs
    plans: QueuePlans
    sampling: SamplingDesign
    _made: MadeLabels = field(default_factory=MadeLabels, repr=False, compare=False)

    def record(
        self,
        run: RunInfo,
        criterion: Criterion,
        sample_id: str,
        level: int,
        *,
        annotator: str,
        item: QueueItem | None = None,
        rationale: str | None = None,
        seconds: float | None = None,
        details: LabelDetails = NO_DETAILS,
        supersede: bool = True,
    ) -> LabelRecord:
        """Record an annotator's label at once; it takes the place of the annotator's earlier one on the sample.

        `item` says from which queue the sample came and so with which probability. Without it, a changed label keeps
        the probability of the one before, a sample of the random queue has that queue's, and any other counts as picked
        by hand, with probability 1. An `item` with the purpose "picked" enters no estimate, unless the annotator had
        labelled the sample before: then it changes that label. ConflictError when the annotator's hold on the item ran
        out and somebody else has it, or without `supersede` when the annotator has judged the sample already.
        """
        check_level(criterion, level)
        entry = self._entry(run, criterion, sample_id, annotator, item, details, supersede)
        label = replace(entry, level=level, rationale=rationale or None, seconds=seconds)
        return self._store(run, criterion, label, "label.record")

    def skip(
        self,
        run: RunInfo,
        criterion: Criterion,
        sample_id: str,
        *,
        annotator: str,
        item: QueueItem | None = None,
        reason: str | None = None,
        seconds: float | None = None,
        details: LabelDetails = NO_DETAILS,
        supersede: bool = True,
    ) -> LabelRecord:
        """Put a sample aside with a reason: the annotator's queue does not show it again, others still get it."""
        entry = self._entry(run, criterion, sample_id, annotator, item, details, supersede)
        skipped = replace(entry, kind="skip", rationale=reason or None, seconds=seconds)
        return self._store(run, criterion, skipped, "label.skip")

    def cannot_judge(
        self,
        run: RunInfo,
        criterion: Criterion,
        sample_id: str,
        reason: str,
        *,
        annotator: str,
        item: QueueItem | None = None,
        seconds: float | None = None,
        details: LabelDetails = NO_DETAILS,
        supersede: bool = True,
    ) -> LabelRecord:
        """Record that the sample can't be judged on this criterion, and why. That is a judgement without a level.

        It counts as the annotator's turn on the item, unlike a skip. HcatError without a reason.
        """
        if not reason.strip():
            raise HcatError("say why the sample can't be judged, in a few words")
        entry = self._entry(run, criterion, sample_id, annotator, item, details, supersede)
        judged = replace(entry, kind="cannot_judge", rationale=reason.strip(), seconds=seconds)
        return self._store(run, criterion, judged, "label.cannot_judge")

    def undo(self, run: RunInfo, criterion: Criterion, *, annotator: str) -> LabelRecord | None:
        """Undo the annotator's latest label, skip or "can't judge" on this run and criterion, and give it.

        One that had changed an earlier judgement gives way to that: it holds again. Any other is withdrawn: the sample
        is the annotator's next item again, and what they held instead goes back to the queue. The log keeps everything,
        and nobody else's label is touched. None when there is nothing to undo.
        """
        name = checked_name(annotator, "annotator")
        entries = self.store.log.current(run.project_id, criterion=criterion.name, run_id=run.id, annotator=name)
        present = [record for record in entries if record.source == "person"]
        if not present:
            return None
        last = max(present, key=lambda record: record.restores or record.id)
        earlier, reopen_until = self._changed_by(run, last), self.store.clock() + timedelta(seconds=LEASE_SECONDS)
        entry = withdrawal(last, criterion, reopen_until) if earlier is None else restored(earlier)
        self._store(run, criterion, entry, "label.undo")
        return last

    def current(
        self,
        project: ProjectInfo | str,
        criterion: str | None = None,
        run: RunInfo | None = None,
        *,
        annotator: str | None = None,
        by: Literal["people", "rule"] | None = None,
        decisions: bool = True,
    ) -> list[Label]:
        """The labels in force, oldest first: not superseded, not withdrawn, no skips and no "can't judge".

        Labels of hidden repeats, gold items and disagreement queues are left out: they were not drawn to represent the
        run. `by` selects those of people, or of reference rules, only. Where several queues gave the labels of a run
        and criterion, each has the probability of their union. With `decisions` the adjudication of a sample that
        people labelled is added to their labels, as one more label that outweighs them (see
        `hcat.core.labelling.consensus`).
        """
        self.store.access.check_reading("results", self.projects.id_of(project))
        run_id = None if run is None else run.id
        owner = self.projects.id_of(project)
        current = self.store.log.current(owner, criterion=criterion, run_id=run_id)
        wanted = {None: LABEL_SOURCES.keys(), "people": BY_PEOPLE, "rule": {"rule"}}[by]
        records = [record for record in of_the_run(current) if record.source in wanted]
        drawn = self.sampling.joint_probability(records)
        names = {stored.id: stored.name for stored in self.store.repository.runs(owner)}
        labels = self._made.labels((owner, criterion, run_id, by), records, drawn, names)
        if annotator is not None:
            labels = [label for label in labels if label.annotator == annotator and label.source != "adjudication"]
        if not decisions or annotator is not None or by == "rule":
            return labels
        run_ids = {names[number]: number for number in {record.run_id for record in records}}
        return labels + decided_labels(self.store, labels, run_ids, owner)

    def each_entry(self, project: ProjectInfo | str, criterion: Criterion, run: RunInfo) -> Iterator[LabelRecord]:
        """Every entry of the log of a run and criterion, oldest first, one after another from the database."""
        owner = self.projects.id_of(project)
        self.store.access.check_reading("results", owner)
        return self.store.log.each(owner, criterion.name, run.id)

    def history(
        self,
        project: ProjectInfo | str,
        *,
        criterion: str | None = None,
        run: RunInfo | None = None,
        sample_id: str | None = None,
    ) -> list[LabelRecord]:
        """Every entry of the label log, oldest first: labels, skips, withdrawals, and what each superseded."""
        self.store.access.check_reading("results", self.projects.id_of(project))
        run_id = None if run is None else run.id
        return self.store.log.history(
            self.projects.id_of(project), criterion=criterion, run_id=run_id, sample_id=sample_id
        )

    def own(self, run: RunInfo, criterion: Criterion, annotator: str) -> list[LabelRecord]:
        """One annotator's own judgements of the run that are in force, "can't judge" included; oldest first."""
        self.store.access.check_own(annotator, run.project_id)
        present = self.store.log.history(run.project_id, criterion=criterion.name, run_id=run.id)
        kinds = ("label", "cannot_judge")
        mine = [x for x in present if x.annotator == annotator and x.source == "person" and x.kind in kinds]
        return [record for record in mine if not record.superseded]

    def judgements(self, run: RunInfo, criterion: Criterion) -> list[LabelRecord]:
        """All annotators' own judgements of the run that are in force, "can't judge" included."""
        self.store.access.check_reading("results", run.project_id)
        present = self.store.log.current(run.project_id, criterion=criterion.name, run_id=run.id)
        return [x for x in present if x.kind != "skip" and x.source == "person"]

    def add(
        self, run: RunInfo, criterion: Criterion, labels: Iterable[Label], *, queue: str = "import"
    ) -> list[LabelRecord]:
        """Store labels of one criterion on the run's samples, all or none. Times without a zone are read as UTC.

        NotFoundError when one is on a sample that the run does not have, HcatError when one has no such level. Labels
        that are in force word for word are left out, so that a file can be imported twice.
        """
        own = [label for label in labels if label.criterion == criterion.name]
        for label in own:
            check_level(criterion, label.level)
        self.runs.check_samples(run, [label.sample_id for label in own])
        present = {
            (record.sample_id, record.source, record.annotator): (record.level, record.rationale)
            for record in self.store.log.current(run.project_id, criterion=criterion.name, run_id=run.id)
            if record.purpose == "estimate"
        }
        present |= {
            (decision.sample_id, "adjudication", decision.author): (decision.level, decision.rationale or None)
            for decision in current_decisions(self.store, run, criterion)
        }
        entries = [
            Entry(
                sample_id=label.sample_id,
                annotator=checked_name(label.annotator, "annotator"),
                source=label.source,
                level=label.level,
                rationale=label.rationale,
                probability=label.probability,
                queue=queue,
                guideline_version=label.guideline_version,
                at=in_utc(label.at),
            )
            for label in own
            if present.get((label.sample_id, label.source, label.annotator)) != (label.level, label.rationale)
        ]
        with self.store.write(self.store.actor, "label.import", run.project_id) as write:
            return self.store.log.add(write, run.project_id, run.id, criterion.name, entries)

    def as_first_sampled(self, run: RunInfo, labels: Sequence[Label]) -> list[Label]:
        """These labels of the run as they were before any later ones: with the probabilities of their own draws."""
        self.store.access.check_reading("results", run.project_id)
        return self.sampling.as_first_sampled(run, labels)

    def _changed_by(self, run: RunInfo, last: LabelRecord) -> LabelRecord | None:
        """The judgement that this one changed; None where it was the first, or followed a skip or a withdrawal."""
        history = self.store.log.history(
            run.project_id, criterion=last.criterion, run_id=last.run_id, sample_id=last.sample_id
        )
        by_id = {record.id: record for record in history}
        said = last if last.restores is None else by_id[last.restores]
        earlier = None if said.supersedes is None else by_id[said.supersedes]
        return earlier if earlier is not None and earlier.kind in ("label", "cannot_judge") else None

    def _entry(
        self,
        run: RunInfo,
        criterion: Criterion,
        sample_id: str,
        annotator: str,
        item: QueueItem | None,
        details: LabelDetails,
        supersede: bool,
    ) -> Entry:
        annotator = checked_name(annotator, "annotator")
        if item is None or item.lease is None:  # a leased item was drawn from the run
            self.runs.check_samples(run, [sample_id])
        if details.spans:
            check_spans(self.runs.sample(run, sample_id), details)
        if item is not None and item.sample_id != sample_id:
            raise HcatError(f"the queue's item is sample {item.sample_id!r}, not {sample_id!r}: take the next one")
        if sample_id in self.store.unblinding.seen(run.project_id, run.id, criterion.name, annotator):
            details = replace(details, shown=tuple(dict.fromkeys((*details.shown, *REVEALED))), blind=False)
        picked = item if item is not None and item.purpose == "picked" else None
        drawn = (
            item if item is not None and picked is None else self._drawn(run, criterion, sample_id, annotator, picked)
        )
        return Entry(
            sample_id=sample_id,
            annotator=annotator,
            probability=drawn.probability,
            queue=drawn.queue,
            guideline_version=criterion.guideline_version,
            occurrence=drawn.occurrence,
            purpose=drawn.purpose,
            details=details,
            lease=drawn.lease,
            supersede=supersede,
        )

    def _store(self, run: RunInfo, criterion: Criterion, entry: Entry, action: Action) -> LabelRecord:
        with self.store.write(entry.annotator, action, run.project_id) as write:
            return self.store.log.add(write, run.project_id, run.id, criterion.name, [entry])[0]

    def _drawn(
        self, run: RunInfo, criterion: Criterion, sample_id: str, annotator: str, picked: QueueItem | None
    ) -> QueueItem:
        """The queue item under which a sample that no queue gave out was labelled: as before, else as somebody picked
        it, else as drawn at random, else by hand."""
        history = self.store.log.history(run.project_id, criterion=criterion.name, run_id=run.id, sample_id=sample_id)
        mine = [x for x in reversed(history) if x.annotator == annotator and x.source == "person"]
        for record in sorted(mine, key=lambda record: record.purpose != "estimate"):
            return QueueItem(
                sample_id,
                record.probability,
                queue=record.queue,
                purpose=record.purpose,
                occurrence=record.occurrence,
            )
        if picked is not None:
            return picked
        queue = self.store.queue_table.newest(run.project_id, run.id, criterion.name, "random", None)
        for drawn in () if queue is None else self.plans.read(queue).items:
            if drawn.sample_id == sample_id:
                return drawn
        return QueueItem(sample_id, 1.0, queue=HAND_PICKED)
