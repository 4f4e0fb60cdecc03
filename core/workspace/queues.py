"""Label queues as they are worked through: one item at a time, held by the annotator who has it on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from core.labelling.label_source import BY_PEOPLE
from core.labelling.leases import ActiveEntry, Lease, Offer, QueueState
from core.labelling.queue import QueueItem, QueueProgress, TeamProgress
from core.storage.records import QueueInfo, RunInfo
from core.workspace.projects import checked_name
from core.workspace.queue_plans import queue_plan

if TYPE_CHECKING:
    from core.workspace import Workspace


def next_in_queue(workspace: Workspace, queue: QueueInfo, annotator: str) -> QueueItem | None:
    """The item that the annotator labels next, held for them from now on; None when they are through.

    It is the one that they hold already, or else the first that is open to them. Call `hold_item` while they work on
    it: a hold that ran out may go to somebody else.
    """
    annotator = checked_name(annotator, "annotator")
    run = workspace.repository.run_by_id(queue.run_id)
    read = _Reader(workspace, queue, run)
    lease = workspace.leases.take(
        run.project_id, queue, annotator, now=workspace.clock(), choose=lambda c, h: read.offer(c, h, annotator)
    )
    return None if lease is None else read.item(lease)


def hold_item(workspace: Workspace, queue: QueueInfo, item: QueueItem, annotator: str) -> bool:
    """Hold the item for another while. False when it went to somebody else meanwhile: take the next one then."""
    until = workspace.clock() + timedelta(seconds=queue.rules.lease_seconds)
    return item.lease is not None and workspace.leases.renew(item.lease, annotator, until)


def release_item(workspace: Workspace, item: QueueItem, annotator: str) -> bool:
    """Give the item back unlabelled, as when the annotator leaves. False when it was not held any more."""
    return item.lease is not None and workspace.leases.release(item.lease, annotator)


def queue_progress(workspace: Workspace, queue: QueueInfo, annotator: str) -> QueueProgress:
    """How far the annotator is, and how much of the queue is open to them."""
    return situation(workspace, queue).progress(annotator)


def team_progress(workspace: Workspace, queue: QueueInfo) -> TeamProgress:
    """How far all annotators are together. Labels that a rule made are nobody's work and do not count."""
    return situation(workspace, queue).team_progress()


def situation(workspace: Workspace, queue: QueueInfo) -> QueueState:
    """The queue with its leases and all that holds on its run and criterion, at one moment."""
    run = workspace.repository.run_by_id(queue.run_id)
    leases, held = workspace.leases.state(run.project_id, queue, now=workspace.clock())
    return _Reader(workspace, queue, run).situation(leases, held)


class _Reader:
    """The parts of a situation that do not change, read once however often storage asks for an offer."""

    def __init__(self, workspace: Workspace, queue: QueueInfo, run: RunInfo) -> None:
        self._queue = queue
        self._plan = queue_plan(workspace, queue)
        self._key = f"{run.content_hash}\x1f{queue.criterion}\x1f{queue.name}"
        gold = workspace.standards.gold(run.project_id, run.id, queue.criterion) if queue.rules.gold else []
        self._gold = [item.sample_id for item in gold]

    def situation(self, leases: Sequence[Lease], held: Sequence[ActiveEntry]) -> QueueState:
        return QueueState(
            key=self._key,
            purpose="disagreement" if self._queue.kind == "disagreement" else "estimate",
            rules=self._queue.rules,
            items=self._plan.items,
            gold=self._gold,
            leases=leases,
            held=[entry for entry in held if entry.source in BY_PEOPLE],
        )

    def offer(self, leases: Sequence[Lease], held: Sequence[ActiveEntry], annotator: str) -> Offer | None:
        return self.situation(leases, held).offer(annotator)

    def item(self, lease: Lease) -> QueueItem:
        drawn = self._plan.by_sample.get(lease.sample_id)
        return QueueItem(
            sample_id=lease.sample_id,
            probability=1.0 if drawn is None else drawn.probability,
            stratum=None if drawn is None else drawn.stratum,
            queue=self._queue.name,
            purpose=lease.purpose,
            occurrence=lease.occurrence,
            lease=lease.id,
        )
