"""Label queues as they are drawn: once for a run and a criterion, and never again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.capabilities.calibration.service import Calibrations
from hcat.core.errors import ConflictError, HcatError
from hcat.core.labelling.queue import (
    DEFAULT_SIZE,
    QueueKind,
    QueueRules,
    draw_random,
    draw_stratified,
    queue_generator,
)
from hcat.core.labelling.records import QueueInfo
from hcat.core.labelling.selection import (
    ChosenSamples,
    SelectionSizes,
    draw_selection,
    open_samples_of,
    selection_sizes,
)
from hcat.core.project.open_store import OpenStore
from hcat.core.project.queue_plans import KIND, QueuePlan
from hcat.core.project.runs import Runs
from hcat.core.project.scoring import Scoring
from hcat.core.project.slices import Slices
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class QueueDraft:
    """Specification of a queue to draw. Without `planned`, the kind of queue determines its size. `chosen` holds the
    samples of a slice's queue."""

    kind: QueueKind
    dimension: str | None
    round: int
    planned: int | None
    rules: QueueRules
    chosen: ChosenSamples | None = None

    def size_for(self, n: int) -> int:
        """Number of samples to draw from a run of n."""
        return self.planned or min(DEFAULT_SIZE, n)


@dataclass(frozen=True)
class QueueDrawing:
    """Draws the samples of new queues."""

    store: OpenStore
    runs: Runs
    slices: Slices
    scoring: Scoring
    calibrations: Calibrations

    def draw(
        self,
        run: RunInfo,
        criterion: Criterion,
        draft: QueueDraft,
        probabilities: Mapping[str, float] | None,
    ) -> QueueInfo:
        """Draw the queue and store it; where somebody stored it meanwhile, theirs is the queue."""
        plan = self._plan(run, criterion, draft, probabilities)
        artifact = self.store.artifacts.write_table(KIND, _table(plan))
        try:
            with self.store.write(self.store.actor, "queue.plan", run.project_id) as write:
                return self.store.queue_table.add(
                    write,
                    run.project_id,
                    run.id,
                    criterion.name,
                    kind=draft.kind,
                    dimension=draft.dimension,
                    round=draft.round,
                    planned=len(plan.items),
                    rules=draft.rules,
                    artifact=artifact,
                )
        except ConflictError:
            stored = self.store.queue_table.newest(run.project_id, run.id, criterion.name, draft.kind, draft.dimension)
            if stored is None:
                raise
            return stored

    def _plan(
        self,
        run: RunInfo,
        criterion: Criterion,
        draft: QueueDraft,
        probabilities: Mapping[str, float] | None,
    ) -> QueuePlan:
        later = () if draft.round == 1 else (draft.round,)
        parts = (run.content_hash, criterion.name, draft.kind, draft.dimension or "", self.store.settings.seed, *later)
        rng = queue_generator(*parts)
        if draft.chosen is not None:
            drawn = draw_selection(
                self.runs.columns(run).ids(),
                draft.chosen.sample_ids,
                labelled=self._labelled(run, criterion, draft.kind),
                kind=draft.kind,
                planned=draft.planned,
                rng=rng,
            )
            return QueuePlan(drawn.items, drawn.inclusion, drawn.strata)
        if draft.dimension is not None:
            by_stratum = self.slices.strata(run, draft.dimension)
            items = draw_stratified(by_stratum, planned=draft.size_for(run.n), rng=rng)
            each = {item.stratum: item.probability for item in items}
            return QueuePlan(items, {i: each[stratum] for i, stratum in by_stratum.items()}, by_stratum)
        if draft.kind == "disagreement":
            return _equally(self._disagreed(run, criterion), draft, rng)
        ids = self.runs.columns(run).ids()
        if draft.kind == "random":
            return _equally(ids, draft, rng)
        return _unequally(ids, self._pass_probabilities(run, criterion, probabilities), draft, rng)

    def sizes(
        self, run: RunInfo, criterion: Criterion, chosen: ChosenSamples, *, kind: QueueKind, planned: int | None
    ) -> SelectionSizes:
        """Numbers of samples that a queue with these settings would draw now, and the numbers available."""
        ids = self.runs.columns(run).ids()
        sides = open_samples_of(ids, chosen.sample_ids, self._labelled(run, criterion, kind))
        return selection_sizes(kind, in_slice=len(sides[0]), in_rest=len(sides[1]), planned=planned)

    def _labelled(self, run: RunInfo, criterion: Criterion, kind: QueueKind) -> set[str]:
        """The samples that people have judged already. For a queue that confirms a finding, they include samples that
        were picked or judged as gold items, since the finding may have been seen in these labels."""
        return {
            record.sample_id
            for record in self.store.log.current(run.project_id, criterion=criterion.name, run_id=run.id)
            if record.source == "person" and record.judged and (record.purpose == "estimate" or kind == "confirming")
        }

    def _pass_probabilities(
        self, run: RunInfo, criterion: Criterion, probabilities: Mapping[str, float] | None
    ) -> Mapping[str, float]:
        """The probability of a pass of each sample that has one: as given, or by the calibration kept last."""
        if probabilities is not None:
            if any(not 0 <= p <= 1 for p in probabilities.values()):
                raise HcatError("a probability of a pass lies between 0 and 1: give others")
            return probabilities
        records = [record for record in self.calibrations.all(run) if record.criterion == criterion.name]
        table = self.scoring.table(run)
        if not records or table is None:
            raise HcatError(
                f"there is no saved calibration of {criterion.name!r} on run {run.name!r}: "
                "save one on the Calibration page first, or take a random queue"
            )
        p = self.calibrations.read(records[0]).probability(table)
        return {i: float(value) for i, value in zip(table.sample_ids, p, strict=True) if np.isfinite(value)}

    def _disagreed(self, run: RunInfo, criterion: Criterion) -> list[str]:
        levels: dict[str, set[int]] = {}
        for record in self.store.log.current(run.project_id, criterion=criterion.name, run_id=run.id):
            if record.purpose == "estimate" and record.source == "person":
                levels.setdefault(record.sample_id, set()).update(() if record.level is None else (record.level,))
        disagreed = [sample_id for sample_id, different in levels.items() if len(different) > 1]
        if not disagreed:
            raise HcatError("annotators disagree on no sample so far: let two of them label the same samples first")
        return sorted(disagreed)


def _equally(ids: Sequence[str], draft: QueueDraft, rng: np.random.Generator) -> QueuePlan:
    items = draw_random(ids, planned=draft.size_for(len(ids)), rng=rng)
    return QueuePlan(items, dict.fromkeys(ids, len(items) / len(ids)), {})


def _unequally(
    ids: Sequence[str], probabilities: Mapping[str, float], draft: QueueDraft, rng: np.random.Generator
) -> QueuePlan:
    from hcat.core.labelling.unequal import (
        boundary_sizes,
        by_sample,
        draw_unequal,
        inclusion_probabilities,
        residual_sizes,
    )

    p = np.array([probabilities.get(sample_id, np.nan) for sample_id in ids], dtype=np.float64)
    sizes = boundary_sizes(p) if draft.kind == "boundary" else residual_sizes(p)
    inclusion = by_sample(ids, inclusion_probabilities(sizes, planned=draft.size_for(len(ids))))
    return QueuePlan(draw_unequal(inclusion, queue=draft.kind, rng=rng), inclusion, {})


def _table(plan: QueuePlan) -> pa.Table:
    import pyarrow as pa

    drawn = {item.sample_id for item in plan.items}
    ids = [item.sample_id for item in plan.items] + [i for i in plan.inclusion if i not in drawn]
    return pa.table(
        {
            "sample_id": pa.array(ids, pa.string()),
            "probability": pa.array([plan.inclusion[i] for i in ids], pa.float64()),
            "stratum": pa.array([plan.strata.get(i) for i in ids], pa.string()),
            "drawn": pa.array([i in drawn for i in ids], pa.bool_()),
        }
    )
