"""Label queues: drawn once for a run and a criterion, then worked through by each annotator at their own pace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.calibration.labelled import REFERENCE_RULE
from core.errors import ConflictError, HcatError
from core.labelling import queue as logic
from core.labelling.queue import (
    DEFAULT_SIZE,
    QueueItem,
    QueueProgress,
    draw_random,
    draw_stratified,
    next_open,
    queue_generator,
)
from core.storage.records import QueueInfo, QueueKind, RunInfo
from core.types import Criterion
from core.workspace.runs import samples

if TYPE_CHECKING:
    from core.workspace import Workspace

KIND = "queues"
STRATIFIED_BY = "stratified by "
"""How the name of a stratified queue begins; its dimension follows."""
COLUMNS = ("sample_id", "probability", "stratum")
UNKNOWN_LEVEL = "(none)"


def plan_queue(
    workspace: Workspace,
    run: RunInfo,
    criterion: Criterion,
    *,
    kind: QueueKind = "random",
    dimension: str | None = None,
    planned: int | None = None,
) -> QueueInfo:
    """The queue of this kind, drawn now if it is not there yet: `planned` samples, by default 100 or all of fewer.

    Stratified queues draw the same number from each level of `dimension`, which is a dimension of the samples or
    "topic". The draw depends only on the run's content, the criterion, the kind and the seed. A queue is never drawn
    again, since its labels carry its probabilities: another `planned` is a ConflictError.
    """
    if (kind == "stratified") == (dimension is None):
        raise HcatError("a stratified queue needs the dimension to stratify by, and a random one takes none")
    stored = workspace.results.queue(run.project_id, run.id, criterion.name, kind, dimension)
    if stored is None:
        stored = _draw(workspace, run, criterion, kind, dimension, planned or min(DEFAULT_SIZE, run.n))
    if planned is not None and stored.planned != min(planned, run.n):
        raise ConflictError(
            f"this queue was drawn with {stored.planned} samples and its labels carry that probability: "
            "work through it, or use a queue of another kind"
        )
    return stored


def queue_items(workspace: Workspace, queue: QueueInfo) -> tuple[QueueItem, ...]:
    """The queue's samples in order, each with the probability with which it was drawn."""
    table = workspace.artifacts.read_table(KIND, queue.artifact)
    name = queue.kind if queue.dimension is None else STRATIFIED_BY + queue.dimension
    rows = zip(*(table[column].to_pylist() for column in COLUMNS), strict=True)
    return tuple(QueueItem(sample_id, probability, stratum, name) for sample_id, probability, stratum in rows)


def next_in_queue(
    workspace: Workspace,
    run: RunInfo,
    criterion: Criterion,
    annotator: str,
    *,
    kind: QueueKind = "random",
    dimension: str | None = None,
    planned: int | None = None,
) -> QueueItem | None:
    """The annotator's first open item: neither labelled nor skipped by them. None when they are through."""
    queue = plan_queue(workspace, run, criterion, kind=kind, dimension=dimension, planned=planned)
    present = workspace.log.current(run.project_id, criterion=criterion.name, run_id=run.id, annotator=annotator)
    return next_open(queue_items(workspace, queue), {record.sample_id for record in present})


def queue_progress(
    workspace: Workspace,
    run: RunInfo,
    criterion: Criterion,
    annotator: str | None = None,
    *,
    kind: QueueKind = "random",
    dimension: str | None = None,
) -> QueueProgress:
    """How far the annotator is, or anybody where None. Labels that a rule made are nobody's work and do not count."""
    queue = plan_queue(workspace, run, criterion, kind=kind, dimension=dimension)
    present = [
        record
        for record in workspace.log.current(
            run.project_id, criterion=criterion.name, run_id=run.id, annotator=annotator
        )
        if not record.annotator.startswith(REFERENCE_RULE)
    ]
    return logic.queue_progress(
        queue_items(workspace, queue),
        labelled={record.sample_id for record in present if record.kind == "label"},
        skipped={record.sample_id for record in present if record.kind == "skip"},
    )


def _draw(
    workspace: Workspace, run: RunInfo, criterion: Criterion, kind: QueueKind, dimension: str | None, planned: int
) -> QueueInfo:
    import pyarrow as pa

    rng = queue_generator(run.content_hash, criterion.name, kind, dimension or "", workspace.settings.seed)
    if dimension is None:
        items = draw_random([sample.id for sample in samples(workspace, run)], planned=planned, rng=rng)
    else:
        items = draw_stratified(strata(workspace, run, dimension), planned=planned, rng=rng)
    table = pa.table(
        {
            "sample_id": pa.array([item.sample_id for item in items], pa.string()),
            "probability": pa.array([item.probability for item in items], pa.float64()),
            "stratum": pa.array([item.stratum for item in items], pa.string()),
        }
    )
    artifact = workspace.artifacts.write_table(KIND, table)
    try:
        return workspace.results.add_queue(
            run.project_id,
            run.id,
            criterion.name,
            kind=kind,
            dimension=dimension,
            planned=len(items),
            artifact=artifact,
        )
    except ConflictError:  # somebody drew it at the same moment: theirs is the queue
        stored = workspace.results.queue(run.project_id, run.id, criterion.name, kind, dimension)
        if stored is None:
            raise
        return stored


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
