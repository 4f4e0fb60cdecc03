"""Label queues: planned once, then worked through item by item. Each item is reserved for the annotator who has it
open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import timedelta

from hcat.core.capabilities.labelling.services.queue_drawing import QueueDraft, QueueDrawing
from hcat.core.errors import ConflictError, HcatError
from hcat.core.labelling.label_source import BY_PEOPLE
from hcat.core.labelling.leases import ActiveEntry, Lease, Offer, QueueState
from hcat.core.labelling.queue import (
    IN_SLICE,
    OF_SELECTION,
    QueueItem,
    QueueKind,
    QueueProgress,
    QueueRules,
    TeamProgress,
)
from hcat.core.labelling.records import QueueInfo
from hcat.core.labelling.selection import ChosenSamples, SelectionSizes
from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import checked_name
from hcat.core.project.queue_plans import QueuePlan, QueuePlans
from hcat.core.project.runs import Runs
from hcat.core.records.project import RunInfo
from hcat.core.storage.write import Write
from hcat.core.types import Criterion


@dataclass(frozen=True)
class Queues:
    """The label queues of each run and criterion."""

    store: OpenStore
    runs: Runs
    plans: QueuePlans
    drawing: QueueDrawing

    def plan(
        self,
        run: RunInfo,
        criterion: Criterion,
        *,
        kind: QueueKind = "random",
        dimension: str | None = None,
        planned: int | None = None,
        rules: QueueRules | None = None,
        probabilities: Mapping[str, float] | None = None,
        chosen: ChosenSamples | None = None,
        new_round: bool = False,
    ) -> QueueInfo:
        """The newest queue of this kind, drawn now if there is none: `planned` samples, by default 100 or all of fewer.

        - "random": each sample is as likely as any other.
        - "stratified": the same number from each level of `dimension`, one of the samples' or "topic".
        - "boundary": more of the samples whose probability of a pass is near ½.
        - "informative": more of the samples that shorten the interval of the pass rate most.
        - "slice": more of the samples of `chosen`, by default 40 in all, among those that nobody has labelled.
        - "confirming": the same to confirm a finding, as many of `chosen` as of the rest, by default 60 in all.
        - "disagreement": samples on which annotators gave different levels; its labels are kept apart from estimates.

        Boundary and informative queues go by `probabilities` of a pass by sample id, or else by the calibration saved
        last. The draw depends only on the run's content, the criterion, the kind, the round and the seed. A queue is
        never drawn again, since its labels carry its probabilities: other `planned` or `rules` are a ConflictError.
        `new_round` draws a further queue of the kind in addition; so does an archived newest queue.
        """
        self.store.access.check_reading("project", run.project_id)
        if (kind == "stratified") == (dimension is None):
            raise HcatError("a stratified queue needs the dimension to stratify by, and any other takes none")
        if (kind in OF_SELECTION) == (chosen is None):
            raise HcatError("a queue of a slice needs the samples of the slice, and any other takes none")
        by = dimension if chosen is None else chosen.title
        stored = self.store.queue_table.newest(run.project_id, run.id, criterion.name, kind, by)
        if new_round or stored is None or stored.archived_at is not None or not self._draws_from(stored, chosen):
            number = 1 if stored is None else stored.round + 1
            draft = QueueDraft(kind, by, number, planned, rules or QueueRules(), chosen)
            return self.drawing.draw(run, criterion, draft, probabilities)
        _check_same(stored, run, planned, rules)
        return stored

    def sizes(
        self,
        run: RunInfo,
        criterion: Criterion,
        chosen: ChosenSamples,
        *,
        kind: QueueKind = "slice",
        planned: int | None = None,
    ) -> SelectionSizes:
        """Numbers of samples that a queue of this kind would draw now from `chosen` and from the rest of the run."""
        return self.drawing.sizes(run, criterion, chosen, kind=kind, planned=planned)

    def all(self, run: RunInfo, criterion: Criterion | None = None) -> list[QueueInfo]:
        """The queues planned on the run, or on one of its criteria, but those that are archived; oldest first."""
        self.store.access.check_reading("project", run.project_id)
        queues = self.store.queue_table.of_run(run.id, None if criterion is None else criterion.name)
        return [queue for queue in queues if queue.archived_at is None]

    def items(self, queue: QueueInfo) -> tuple[QueueItem, ...]:
        """The queue's samples in order, each with the probability with which it was drawn."""
        self.store.access.check_reading_of("project", queue.run_id)
        return self.plans.read(queue).items

    def next_item(self, queue: QueueInfo, annotator: str) -> QueueItem | None:
        """The item that the annotator labels next, held for them from now on; None when they are through.

        It is the one that they hold already, or else the first that is open to them. Call `hold` while they work on it:
        a hold that ran out may go to somebody else.
        """
        annotator = checked_name(annotator, "annotator")
        run = self.runs.by_id(queue.run_id)
        read = self._reader(queue, run)
        with self.store.write(annotator, "queue.next_item", run.project_id) as write:
            lease = self._taken(write, run, queue, annotator, read)
            if lease is not None and lease.sample_id in read.erased:  # held since before the text was erased
                self.store.leases.release(write, lease.id, annotator)
                lease = self._taken(write, run, queue, annotator, read)
        return None if lease is None else read.item(lease)

    def _taken(self, write: Write, run: RunInfo, queue: QueueInfo, annotator: str, read: _Reader) -> Lease | None:
        now, choose = self.store.clock(), lambda c, h: read.offer(c, h, annotator)
        return self.store.leases.take(write, run.project_id, queue, annotator, now=now, choose=choose)

    def hold(self, queue: QueueInfo, item: QueueItem, annotator: str) -> bool:
        """Hold the item for another while. False when it went to somebody else meanwhile: take the next one then."""
        until = self.store.clock() + timedelta(seconds=queue.rules.lease_seconds)
        with self.store.write(annotator, "queue.hold", self.runs.by_id(queue.run_id).project_id) as write:
            return item.lease is not None and self.store.leases.renew(write, item.lease, annotator, until)

    def release(self, item: QueueItem, annotator: str) -> bool:
        """Give the item back unlabelled, as when the annotator leaves. False when it was not held any more."""
        project_id = None if item.lease is None else self.store.leases.project_of(item.lease)
        if item.lease is None or project_id is None:
            return False
        with self.store.write(annotator, "queue.release", project_id) as write:
            return self.store.leases.release(write, item.lease, annotator)

    def progress(self, queue: QueueInfo, annotator: str) -> QueueProgress:
        """Progress of the annotator, and the number of items of the queue open to them."""
        return self._state(queue).progress(annotator)

    def open_items(self, run: RunInfo, criterion: Criterion, annotator: str) -> int:
        """Number of items of the criterion's queues still open to the annotator."""
        name = checked_name(annotator, "annotator")
        return sum(self.progress(queue, name).open for queue in self.all(run, criterion))

    def held(self, queue: QueueInfo) -> int:
        """Number of the queue's items that are now reserved by an annotator."""
        return self._state(queue).team_progress().held

    def team_progress(self, queue: QueueInfo) -> TeamProgress:
        """Joint progress of all annotators. Labels made by a rule are no annotator's work and do not count."""
        self.store.access.check_reading("results", self.runs.by_id(queue.run_id).project_id)
        return self._state(queue).team_progress()

    def _draws_from(self, queue: QueueInfo, chosen: ChosenSamples | None) -> bool:
        """Whether the queue's slice has these samples. The samples of a slice change when topics are computed again."""
        if chosen is None:
            return True
        strata = self.plans.read(queue).strata
        return {sample_id for sample_id, stratum in strata.items() if stratum == IN_SLICE} == set(chosen.sample_ids)

    def _state(self, queue: QueueInfo) -> QueueState:
        """The queue with its leases and all that holds on its run and criterion, at one moment."""
        run = self.runs.by_id(queue.run_id)
        leases, entries = self.store.leases.state(run.project_id, queue, now=self.store.clock())
        return self._reader(queue, run).state(leases, entries)

    def _reader(self, queue: QueueInfo, run: RunInfo) -> _Reader:
        gold = self.store.standards.gold(run.project_id, run.id, queue.criterion) if queue.rules.gold else []
        erased = self.store.erasures.samples(run)
        known = [item.sample_id for item in gold if item.sample_id not in erased]
        return _Reader(queue, self.plans.read(queue), run.content_hash, known, erased)


def _check_same(stored: QueueInfo, run: RunInfo, planned: int | None, rules: QueueRules | None) -> None:
    if planned is not None and stored.kind != "disagreement" and stored.planned != min(planned, run.n):
        raise ConflictError(
            f"this queue was drawn with {stored.planned} samples and its labels carry that probability: "
            "work through it, or draw a new round"
        )
    if rules is not None and rules != stored.rules:
        raise ConflictError("this queue is worked through by other rules: keep them, or draw a new round")


@dataclass(frozen=True, slots=True)
class _Reader:
    """The parts of a queue's state that do not change, read once however often storage asks for an offer. Samples whose
    text is erased are offered to nobody."""

    queue: QueueInfo
    plan: QueuePlan
    content_hash: str
    gold: Sequence[str]
    erased: Set[str]

    def state(self, leases: Sequence[Lease], entries: Sequence[ActiveEntry]) -> QueueState:
        return QueueState(
            key=f"{self.content_hash}\x1f{self.queue.criterion}\x1f{self.queue.name}",
            purpose="disagreement" if self.queue.kind == "disagreement" else "estimate",
            rules=self.queue.rules,
            items=self.plan.items,
            gold=self.gold,
            leases=leases,
            entries=[entry for entry in entries if entry.source in BY_PEOPLE],
            left_out=self.erased,
        )

    def offer(self, leases: Sequence[Lease], entries: Sequence[ActiveEntry], annotator: str) -> Offer | None:
        return self.state(leases, entries).offer(annotator)

    def item(self, lease: Lease) -> QueueItem:
        drawn = self.plan.by_sample.get(lease.sample_id)
        return QueueItem(
            sample_id=lease.sample_id,
            probability=1.0 if drawn is None else drawn.probability,
            stratum=None if drawn is None else drawn.stratum,
            queue=self.queue.name,
            purpose=lease.purpose,
            occurrence=lease.occurrence,
            lease=lease.id,
        )
