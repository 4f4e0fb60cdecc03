"""Labels of one run and criterion that came from several queues: their joint probability of having been drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from hcat.core.labelling.design import Draw, union_probability
from hcat.core.labelling.label_source import BY_PEOPLE
from hcat.core.labelling.records import LabelRecord, QueueInfo
from hcat.core.project.open_store import OpenStore
from hcat.core.project.queue_plans import QueuePlans
from hcat.core.project.runs import Runs
from hcat.core.records.project import RunInfo
from hcat.core.types import Label

HAND_PICKED = "none"
MOST_KEPT = 32


@dataclass(frozen=True)
class SamplingDesign:
    """The sampling design of the labelled samples of a run: queues, inclusion probabilities and strata."""

    store: OpenStore
    runs: Runs
    plans: QueuePlans
    _last: dict[tuple[int, str], _Drawn] = field(default_factory=dict, repr=False, compare=False)

    def as_first_sampled(self, run: RunInfo, labels: Sequence[Label]) -> list[Label]:
        """These labels of the run as they were before any later ones: with the probabilities of their own draws.

        For the first labels in time: a queue that came later made samples more probable to be labelled, but had no part
        in which of them these are. Where one queue gave all labels of each criterion they stay as they are.
        """
        log = of_the_run(self.store.log.current(run.project_id, run_id=run.id))
        if len({(record.criterion, record.queue) for record in log}) == len({record.criterion for record in log}):
            return list(labels)
        keys = {_label_key(label) for label in labels}
        records = [record for record in log if _label_key(record) in keys]
        drawn = zip(records, self.joint_probability(records), strict=True)
        own = {_label_key(record): probability for record, probability in drawn}
        largest: dict[tuple[str, str], float] = {}
        for (criterion, sample_id, *_), probability in own.items():
            largest[criterion, sample_id] = max(largest.get((criterion, sample_id), 0.0), probability)
        restored = []
        for label in labels:
            # A decision over the labels of others has no draw of its own.
            decided = largest.get((label.criterion, label.sample_id), label.probability)
            probability = own.get(_label_key(label), decided)
            restored.append(label._replace(probability=probability))
        return restored

    def joint_probability(self, records: Sequence[LabelRecord]) -> list[float]:
        """The probability of each of these label records: as stored where one queue gave all labels of its run and
        criterion, else that of the union of the queues. Samples picked by hand have no design: all stay as stored."""
        places: dict[tuple[int, str], list[int]] = {}
        for place, record in enumerate(records):
            places.setdefault((record.run_id, record.criterion), []).append(place)
        probabilities = [record.probability for record in records]
        for (run_id, criterion), own in places.items():
            for place, probability in zip(own, self._joint(run_id, criterion, [records[x] for x in own]), strict=True):
                probabilities[place] = probability
        return probabilities

    def _joint(self, run_id: int, criterion: str, group: list[LabelRecord]) -> list[float]:
        """Joint inclusion probabilities of the labels of one run and criterion; with unchanged labels and queues, those
        of the last call."""
        names = {record.queue for record in group}
        stored = [record.probability for record in group]
        if len(names) < 2 or HAND_PICKED in names:
            return stored
        queues = [queue for queue in self.store.queue_table.of_run(run_id, criterion) if queue.name in names]
        last = self._last.get((run_id, criterion))
        if last is not None and last.of == (group, queues):
            return last.probabilities
        draws = self._draws(run_id, group, queues)
        if not draws:
            return stored
        drawn: list[float] = union_probability(draws, [record.sample_id for record in group]).tolist()
        if len(self._last) >= MOST_KEPT:
            self._last.clear()
        self._last[run_id, criterion] = _Drawn((group, queues), drawn)
        return drawn

    def inclusion(self, run: RunInfo, criterion: str) -> dict[str, float] | None:
        """The probability with which each sample of the run could be labelled, by the queues that gave the labels; None
        where these do not determine it for every sample."""
        log = of_the_run(self.store.log.current(run.project_id, criterion=criterion, run_id=run.id))
        names = {record.queue for record in log}
        plans = [self.plans.read(q) for q in self.store.queue_table.of_run(run.id, criterion) if q.name in names]
        known = next((plan.inclusion for plan in plans if len(plan.inclusion) == run.n), None)
        if known is None or len(names) == 1:
            return None if known is None else dict(known)
        draws = self._draws(run.id, log, self.store.queue_table.of_run(run.id, criterion))
        ids = list(known)
        return dict(zip(ids, union_probability(draws, ids).tolist(), strict=True)) if draws else None

    def _draws(self, run_id: int, group: Sequence[LabelRecord], queues: Iterable[QueueInfo]) -> list[Draw]:
        """One draw a queue; none where a queue has no known design."""
        by_queue: dict[str, list[LabelRecord]] = {}
        for record in group:
            by_queue.setdefault(record.queue, []).append(record)
        if len(by_queue) < 2 or HAND_PICKED in by_queue:
            return []
        n = self.store.repository.run_by_id(run_id).n
        planned = {queue.name: queue for queue in queues}
        draws = []
        for name, labelled in by_queue.items():
            queue = planned.get(name)
            draw = _by_share(labelled, n) if queue is None else self._by_plan(queue, by_queue, n)
            if draw is None:
                return []
            draws.append(draw)
        return draws

    def _by_plan(self, queue: QueueInfo, by_queue: Mapping[str, list[LabelRecord]], n: int) -> Draw:
        plan = self.plans.read(queue)
        mine = by_queue[queue.name]
        ids = frozenset(record.sample_id for record in mine)
        active = {record.annotator for record in mine}
        others = [record for name, records in by_queue.items() if name != queue.name for record in records]
        elsewhere = [record for record in others if _excludes(queue, record, active)]
        # What was labelled elsewhere after this queue's last label was open to it all the time, and not reached.
        first = self._first_entries([*mine, *elsewhere])
        left_at = max(first[record.id] for record in mine)
        seen = {record.sample_id for record in elsewhere if first[record.id] < left_at}
        drawn = frozenset(plan.by_sample)
        return Draw(ids, n, plan.strata, plan.inclusion, drawn, (drawn & seen) - ids)

    def _first_entries(self, records: Sequence[LabelRecord]) -> dict[int, int]:
        """The log entry that first reached each sample, by the id of its label: the first entry in the same queue which
        the label corrects, or its own. A correction reaches nothing."""
        first = {record.id: record.id for record in records}
        corrected = [record for record in records if record.supersedes is not None]
        if corrected:
            run = self.store.repository.run_by_id(corrected[0].run_id)
            log = {entry.id: entry for entry in self.store.log.history(run.project_id, run_id=run.id)}
            for record in corrected:
                entry = record
                while entry.supersedes is not None and (earlier := log[entry.supersedes]).queue == record.queue:
                    entry = earlier
                first[record.id] = entry.id
        return first


@dataclass(frozen=True, slots=True)
class _Drawn:
    of: tuple[list[LabelRecord], list[QueueInfo]]
    probabilities: list[float]


def of_the_run(current: Iterable[LabelRecord]) -> list[LabelRecord]:
    """The labels among the entries in force, of samples that were drawn to represent the run."""
    return [record for record in current if record.level is not None and record.purpose == "estimate"]


def _label_key(label: Label | LabelRecord) -> tuple[str, str, str, str]:
    return label.criterion, label.sample_id, label.source, label.annotator


def _by_share(labelled: Sequence[LabelRecord], n: int) -> Draw | None:
    """Labels that no queue gave, as of a file: a random share of the run where all were drawn alike."""
    if len({record.probability for record in labelled}) > 1:
        return None
    return Draw(frozenset(record.sample_id for record in labelled), n)


def _excludes(queue: QueueInfo, record: LabelRecord, active: set[str]) -> bool:
    """Whether the queue leaves a sample out because of this label of it in another queue."""
    return record.source in BY_PEOPLE and (queue.rules.overlap is not None or record.annotator in active)
