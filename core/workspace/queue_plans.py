"""Label queues as they are planned: drawn once for a run and a criterion, and never again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from core.errors import ConflictError, HcatError
from core.labelling.queue import (
    DEFAULT_SIZE,
    Purpose,
    QueueItem,
    QueueKind,
    QueueRules,
    draw_random,
    draw_stratified,
    queue_generator,
)
from core.storage.artifacts import ArtifactStore
from core.storage.records import QueueInfo, RunInfo
from core.types import Criterion
from core.workspace.runs import samples

if TYPE_CHECKING:
    import pyarrow as pa

    from core.workspace import Workspace

KIND = "queues"
UNKNOWN_LEVEL = "(none)"


@dataclass(frozen=True)
class QueuePlan:
    """What was drawn, in order, and with which probability each sample of the run could have been.

    `inclusion` and `strata` are empty for plans of before they were kept; `strata` also where there are none.
    """

    items: tuple[QueueItem, ...]
    inclusion: Mapping[str, float]
    strata: Mapping[str, str]

    @cached_property
    def by_sample(self) -> Mapping[str, QueueItem]:
        """The items by sample id, in order."""
        return {item.sample_id: item for item in self.items}


def plan_queue(
    workspace: Workspace,
    run: RunInfo,
    criterion: Criterion,
    *,
    kind: QueueKind = "random",
    dimension: str | None = None,
    planned: int | None = None,
    rules: QueueRules | None = None,
    probabilities: Mapping[str, float] | None = None,
    new_round: bool = False,
) -> QueueInfo:
    """The newest queue of this kind, drawn now if there is none: `planned` samples, by default 100 or all of fewer.

    - "random": each sample is as likely as any other.
    - "stratified": the same number from each level of `dimension`, one of the samples' or "topic".
    - "boundary": more of the samples whose probability of a pass is near ½.
    - "informative": more of the samples that shorten the interval of the pass rate most.
    - "disagreement": samples on which annotators gave different levels; its labels are kept apart from estimates.

    Boundary and informative queues go by `probabilities` of a pass by sample id, or else by the calibration kept last.
    The draw depends only on the run's content, the criterion, the kind, the round and the seed. A queue is never drawn
    again, since its labels carry its probabilities: other `planned` or `rules` are a ConflictError. `new_round` draws
    a further queue of the kind beside it.
    """
    if (kind == "stratified") == (dimension is None):
        raise HcatError("a stratified queue needs the dimension to stratify by, and any other takes none")
    stored = workspace.queue_table.newest(run.project_id, run.id, criterion.name, kind, dimension)
    if stored is None or new_round:
        number = 1 if stored is None else stored.round + 1
        draft = _Draft(kind, dimension, number, planned or min(DEFAULT_SIZE, run.n), rules or QueueRules())
        return _draw(workspace, run, criterion, draft, probabilities)
    _check_same(stored, run, planned, rules)
    return stored


def queues(workspace: Workspace, run: RunInfo, criterion: Criterion | None = None) -> list[QueueInfo]:
    """The queues planned on the run, or on one of its criteria, oldest first."""
    return workspace.queue_table.of_run(run.id, None if criterion is None else criterion.name)


def queue_items(workspace: Workspace, queue: QueueInfo) -> tuple[QueueItem, ...]:
    """The queue's samples in order, each with the probability with which it was drawn."""
    return queue_plan(workspace, queue).items


def queue_plan(workspace: Workspace, queue: QueueInfo) -> QueuePlan:
    """The whole plan. StorageError when its file is missing or damaged."""
    purpose: Purpose = "disagreement" if queue.kind == "disagreement" else "estimate"
    return _read_plan(workspace.artifacts, queue.artifact, queue.name, purpose)


@lru_cache(maxsize=8)  # every item that is given out asks for the plan, which never changes
def _read_plan(artifacts: ArtifactStore, artifact: str, queue: str, purpose: Purpose) -> QueuePlan:
    table = artifacts.read_table(KIND, artifact)
    rows = list(zip(*(table[column].to_pylist() for column in ("sample_id", "probability", "stratum")), strict=True))
    complete = "drawn" in table.column_names
    drawn = table["drawn"].to_pylist() if complete else [True] * len(rows)
    return QueuePlan(
        items=tuple(
            QueueItem(sample_id, probability, stratum, queue, purpose)
            for (sample_id, probability, stratum), is_in in zip(rows, drawn, strict=True)
            if is_in
        ),
        inclusion={sample_id: probability for sample_id, probability, _ in rows} if complete else {},
        strata={sample_id: stratum for sample_id, _, stratum in rows if stratum is not None} if complete else {},
    )


@dataclass(frozen=True, slots=True)
class _Draft:
    kind: QueueKind
    dimension: str | None
    round: int
    planned: int
    rules: QueueRules


def _check_same(stored: QueueInfo, run: RunInfo, planned: int | None, rules: QueueRules | None) -> None:
    if planned is not None and stored.kind != "disagreement" and stored.planned != min(planned, run.n):
        raise ConflictError(
            f"this queue was drawn with {stored.planned} samples and its labels carry that probability: "
            "work through it, or draw a new round"
        )
    if rules is not None and rules != stored.rules:
        raise ConflictError("this queue is worked through by other rules: keep them, or draw a new round")


def _draw(
    workspace: Workspace,
    run: RunInfo,
    criterion: Criterion,
    draft: _Draft,
    probabilities: Mapping[str, float] | None,
) -> QueueInfo:
    plan = _plan(workspace, run, criterion, draft, probabilities)
    artifact = workspace.artifacts.write_table(KIND, _table(plan))
    try:
        return workspace.queue_table.add(
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
    except ConflictError:  # somebody drew it at the same moment: theirs is the queue
        stored = workspace.queue_table.newest(run.project_id, run.id, criterion.name, draft.kind, draft.dimension)
        if stored is None:
            raise
        return stored


def _plan(
    workspace: Workspace,
    run: RunInfo,
    criterion: Criterion,
    draft: _Draft,
    probabilities: Mapping[str, float] | None,
) -> QueuePlan:
    later = () if draft.round == 1 else (draft.round,)
    parts = (run.content_hash, criterion.name, draft.kind, draft.dimension or "", workspace.settings.seed, *later)
    rng = queue_generator(*parts)
    if draft.dimension is not None:
        by_stratum = strata(workspace, run, draft.dimension)
        items = draw_stratified(by_stratum, planned=draft.planned, rng=rng)
        each = {item.stratum: item.probability for item in items}
        return QueuePlan(items, {i: each[stratum] for i, stratum in by_stratum.items()}, by_stratum)
    if draft.kind == "disagreement":
        return _equally(_disagreed(workspace, run, criterion), draft, rng)
    ids = [sample.id for sample in samples(workspace, run)]
    if draft.kind == "random":
        return _equally(ids, draft, rng)
    return _unequally(ids, pass_probabilities(workspace, run, criterion, probabilities), draft, rng)


def _equally(ids: Sequence[str], draft: _Draft, rng: np.random.Generator) -> QueuePlan:
    items = draw_random(ids, planned=draft.planned, rng=rng)
    return QueuePlan(items, dict.fromkeys(ids, len(items) / len(ids)), {})


def _unequally(ids: Sequence[str], known: Mapping[str, float], draft: _Draft, rng: np.random.Generator) -> QueuePlan:
    from core.labelling.unequal import boundary_sizes, by_sample, draw_unequal, inclusion_probabilities, residual_sizes

    p = np.array([known.get(sample_id, np.nan) for sample_id in ids], dtype=np.float64)
    sizes = boundary_sizes(p) if draft.kind == "boundary" else residual_sizes(p)
    inclusion = by_sample(ids, inclusion_probabilities(sizes, planned=draft.planned))
    return QueuePlan(draw_unequal(inclusion, queue=draft.kind, rng=rng), inclusion, {})


def pass_probabilities(
    workspace: Workspace, run: RunInfo, criterion: Criterion, given: Mapping[str, float] | None
) -> Mapping[str, float]:
    """The probability of a pass of each sample that has one: as given, or by the calibration kept last."""
    if given is not None:
        if any(not 0 <= p <= 1 for p in given.values()):
            raise HcatError("a probability of a pass lies between 0 and 1: give others")
        return given
    kept = [record for record in workspace.calibrations(run) if record.criterion == criterion.name]
    table = workspace.scores(run)
    if not kept or table is None:
        raise HcatError(
            f"there is no kept calibration of {criterion.name!r} on run {run.name!r}: "
            "keep one on the calibration page first, or take a random queue"
        )
    p = workspace.read_calibration(kept[0]).probability(table)
    return {i: float(value) for i, value in zip(table.sample_ids, p, strict=True) if np.isfinite(value)}


def _disagreed(workspace: Workspace, run: RunInfo, criterion: Criterion) -> list[str]:
    levels: dict[str, set[int]] = {}
    for record in workspace.log.current(run.project_id, criterion=criterion.name, run_id=run.id):
        if record.purpose == "estimate" and record.source == "person":
            levels.setdefault(record.sample_id, set()).update(() if record.level is None else (record.level,))
    found = [sample_id for sample_id, given in levels.items() if len(given) > 1]
    if not found:
        raise HcatError("annotators disagree on no sample so far: let two of them label the same samples first")
    return sorted(found)


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


def strata(workspace: Workspace, run: RunInfo, dimension: str) -> dict[str, str]:
    """The stratum of each sample: its level of the dimension, or its topic. HcatError for an unknown dimension."""
    found = samples(workspace, run)
    if dimension == "topic" and not any("topic" in sample.dimensions for sample in found):
        return _topic_strata(workspace, run)
    known = {name for sample in found for name in sample.dimensions}
    if dimension not in known:
        raise HcatError(
            f"run {run.name!r} has no dimension {dimension!r}: choose one of {', '.join(sorted(known | {'topic'}))}"
        )
    return {sample.id: sample.dimensions.get(dimension, UNKNOWN_LEVEL) for sample in found}


def _topic_strata(workspace: Workspace, run: RunInfo) -> dict[str, str]:
    found = workspace.topics(run)
    if found is None:
        raise HcatError("topics were not found in this run yet: find them first, or stratify by another dimension")
    return dict(zip(found.sample_ids, found.model.levels(noise="nearest"), strict=True))
