"""Findings confirmed by fresh labels: a draw of their samples and of the rest, judged when all of it is labelled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hcat.core.capabilities.estimates.wording.fresh_labels import no_fresh_samples
from hcat.core.capabilities.findings.services.findings import Findings
from hcat.core.capabilities.labelling.services.queues import Queues
from hcat.core.errors import HcatError
from hcat.core.estimates.fresh_labels import FreshJudgement, FreshLabels, compare_fresh
from hcat.core.labelling.consensus import resolve_labels
from hcat.core.labelling.queue import IN_SLICE, QueueItem, QueueRules
from hcat.core.labelling.records import QueueInfo
from hcat.core.labelling.selection import ChosenSamples, SelectionSizes
from hcat.core.project.criteria import Criteria
from hcat.core.project.labels import Labels
from hcat.core.project.open_runs import OpenRuns
from hcat.core.project.open_store import OpenStore
from hcat.core.project.runs import Runs
from hcat.core.records.clusters import clusters_in
from hcat.core.records.project import Finding, RunInfo
from hcat.core.slices.slices import samples_in
from hcat.core.types import Criterion, Slice


@dataclass(frozen=True)
class Confirmations:
    """The fresh labels of each finding."""

    store: OpenStore
    criteria: Criteria
    runs: Runs
    run_data: OpenRuns
    labels: Labels
    queues: Queues
    findings: Findings

    def sizes(self, finding: Finding, criterion: Criterion, *, planned: int | None = None) -> SelectionSizes:
        """The number of samples of the finding and of the rest that a confirming queue would draw now."""
        chosen = self._chosen(finding)
        return self.queues.sizes(self._run(finding), criterion, chosen, kind="confirming", planned=planned)

    def plan(self, finding: Finding, criterion: Criterion, *, planned: int | None = None) -> QueueInfo:
        """A fixed queue of samples that nobody has judged, from those of the finding and from the rest. An existing
        queue is returned while its labels are not complete; after that a further round is drawn. HcatError where all
        samples of the finding, or of the rest, have labels."""
        run, chosen = self._run(finding), self._chosen(finding)
        stored = self._of(finding, run, criterion.name)
        if stored and planned is None and self._needs(stored, run, criterion):
            return stored[-1]
        if nothing := no_fresh_samples(self.sizes(finding, criterion, planned=planned)):
            raise HcatError(nothing)
        return self.queues.plan(
            run,
            criterion,
            kind="confirming",
            chosen=chosen,
            planned=planned,
            rules=QueueRules(overlap=1),
            new_round=bool(stored) and not self._needs(stored, run, criterion),
        )

    def judgements(self, finding: Finding) -> tuple[FreshJudgement, ...]:
        """The results of the confirming queues' labels, for each criterion that has any; nothing else enters."""
        if finding.run_id is None:
            return ()
        run = self.runs.by_id(finding.run_id)
        names = dict.fromkeys(queue.criterion for queue in self._of(finding, run, None))
        project = self.runs.projects.of(run)
        return tuple(self._judged(finding, run, self.criteria.get(project, name)) for name in names)

    def _judged(self, finding: Finding, run: RunInfo, criterion: Criterion) -> FreshJudgement:
        queues = self._of(finding, run, criterion.name)
        items = self._items(queues)
        passed, ties, cannot = self._said(run, criterion, items)
        clusters = clusters_in(self.runs.columns(run))
        ids = [sample_id for sample_id in items if sample_id in passed]
        labels = FreshLabels(
            np.array([passed[sample_id] for sample_id in ids], dtype=np.bool_),
            np.array([items[sample_id].stratum == IN_SLICE for sample_id in ids], dtype=np.bool_),
            np.array([clusters[sample_id] for sample_id in ids], dtype=np.str_),
            round=max(len(queues), 1),
            needs=self._needs(queues, run, criterion),
        )
        return FreshJudgement(criterion.name, compare_fresh(labels), len(queues), len(items), len(ties), len(cannot))

    def _said(
        self, run: RunInfo, criterion: Criterion, items: dict[str, QueueItem]
    ) -> tuple[dict[str, bool], set[str], set[str]]:
        """Of the drawn samples: whether people pass each that they agree on, the ties, and those nobody can judge."""
        project = self.runs.projects.of(run)
        labels = [x for x in self.labels.current(project, criterion.name, run, by="people") if x.sample_id in items]
        resolved = resolve_labels(labels, criterion)
        levels = zip(resolved.sample_ids, (resolved.levels >= criterion.passing).tolist(), strict=True)
        passed = dict(levels)
        judged = self.labels.judgements(run, criterion)
        cannot = {x.sample_id for x in judged if x.kind == "cannot_judge" and x.sample_id in items} - set(passed)
        ties = {label.sample_id for label in labels} - set(passed)
        return passed, ties, cannot - ties

    def _needs(self, queues: Sequence[QueueInfo], run: RunInfo, criterion: Criterion) -> int:
        """The number of labels that the queues' samples still lack. Samples of an archived queue, which all the same
        was a round, get none."""
        items = self._items([queue for queue in queues if queue.archived_at is None])
        passed, _, cannot = self._said(run, criterion, items)
        return len(items) - len(passed) - len(cannot)

    def _items(self, queues: Sequence[QueueInfo]) -> dict[str, QueueItem]:
        return {item.sample_id: item for queue in queues for item in self.queues.items(queue)}

    def _of(self, finding: Finding, run: RunInfo, criterion: str | None) -> list[QueueInfo]:
        """The confirming queues of the finding, those that were put away among them, oldest first."""
        return [
            queue
            for queue in self.store.queue_table.of_run(run.id)
            if queue.kind == "confirming"
            and queue.dimension == _queue_title(finding)
            and criterion in (None, queue.criterion)
        ]

    def _run(self, finding: Finding) -> RunInfo:
        if finding.run_id is None:
            raise HcatError(f"the run of finding {finding.title!r} is gone: there is nothing to draw from")
        return self.runs.by_id(finding.run_id)

    def _chosen(self, finding: Finding) -> ChosenSamples:
        """The samples of the finding as they were frozen; of one from before, those of its slice as they are now."""
        frozen = self.findings.selection(finding)
        if frozen is not None:
            return ChosenSamples(_queue_title(finding), frozen.sample_ids)
        levels = [finding.slice.get(name) for name in ("dimension_1", "level_1", "dimension_2", "level_2")]
        given = [str(level) for level in levels if level is not None]
        if len(given) not in (2, 4):
            raise HcatError(f"finding {finding.title!r} names no samples: confirm it again from a slice or a selection")
        dimensions = self.run_data.columns(self._run(finding)).dimensions
        return ChosenSamples(_queue_title(finding), tuple(samples_in(dimensions, Slice(*given))))


def _queue_title(finding: Finding) -> str:
    return f"finding {finding.id}"
