"""Scores of a run: computed by the metrics, kept as one table that grows with each metric."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from core import __version__
from core.errors import ConflictError
from core.storage.records import RunInfo, ScoringInfo
from core.types import JsonValue, Progress
from core.workspace.runs import samples

if TYPE_CHECKING:
    from core.embeddings import EmbeddingStore
    from core.models.encoder import Encoder
    from core.scores import ScoreTable
    from core.workspace import Workspace

KIND = "scores"
ATTEMPTS = 5

OnProgress = Callable[[Progress], None]


def score_run(
    workspace: Workspace, run: RunInfo, metrics: str | Sequence[str], *, on_progress: OnProgress | None = None
) -> ScoreTable:
    """Score the run in this process and store the table, with the metrics that it already had.

    Earlier scores of another version of hcat, another model or another seed are computed anew, never mixed in.
    """
    from core.evaluate import score_samples
    from core.metrics.registry import select

    encoder, store = encoder_and_store(workspace)
    wanted = tuple(metric.name for metric in select(metrics))
    held = scores(workspace, run)
    if held is not None and not _comparable(held, encoder, seed=workspace.settings.seed):
        wanted = (*(name for name in held.metrics if name not in wanted), *wanted)
    computed = score_samples(
        samples(workspace, run),
        metrics=wanted,
        encoder=encoder,
        store=store,
        seed=workspace.settings.seed,
        on_progress=on_progress,
    )
    return _store(workspace, run, computed, encoder)


def scoring(workspace: Workspace, run: RunInfo) -> ScoringInfo | None:
    """Which version of the score table is the newest, for caches to ask; None before the first scoring."""
    return workspace.results.latest_scoring(run.id)


def scores(workspace: Workspace, run: RunInfo) -> ScoreTable | None:
    """The run's newest score table, or None before the first scoring."""
    from core.scores import ScoreTable

    latest = workspace.results.latest_scoring(run.id)
    if latest is None:
        return None
    return ScoreTable.from_bytes(workspace.artifacts.get(KIND, latest.artifact), name=f"{latest.artifact}.parquet")


def explain(workspace: Workspace, run: RunInfo, sample_id: str, metrics: str | Sequence[str]) -> dict[str, JsonValue]:
    """How each metric came to its score of one sample: which sentence, which context, which transport plan."""
    from core.evaluate import explain_sample
    from core.metrics.registry import select

    encoder, store = encoder_and_store(workspace)
    names = tuple(metric.name for metric in select(metrics))
    return explain_sample(workspace.sample(run, sample_id), metrics=names, encoder=encoder, store=store)


def encoder_and_store(workspace: Workspace) -> tuple[Encoder, EmbeddingStore]:
    """The encoder of the settings, and the embeddings that the workspace keeps for it."""
    from core.embeddings import ParquetEmbeddings
    from core.models.encoder import load_encoder

    encoder = load_encoder(workspace.settings.embedder, device=workspace.settings.device)
    return encoder, ParquetEmbeddings(workspace.artifacts.root, revision=encoder.revision)


def merged(held: ScoreTable | None, computed: ScoreTable) -> ScoreTable:
    """One table with the columns of both; where both have a metric, the computed one counts."""
    if held is None:
        return computed
    from core.scores import REASON_SUFFIX, ScoreTable

    kept = tuple(name for name in held.metrics if name not in computed.metrics)
    columns = [name for name in held.frame.columns if name.removesuffix(REASON_SUFFIX) in kept]
    provenance = replace(
        computed.provenance,
        metrics=(*kept, *computed.metrics),
        models={**held.provenance.models, **computed.provenance.models},
        parameters={**held.provenance.parameters, **computed.provenance.parameters},
    )
    return ScoreTable(held.frame[columns].join(computed.frame), provenance)


def _store(workspace: Workspace, run: RunInfo, computed: ScoreTable, encoder: Encoder) -> ScoreTable:
    for _ in range(ATTEMPTS):
        latest = workspace.results.latest_scoring(run.id)
        held = scores(workspace, run)
        if held is not None and not _comparable(held, encoder, seed=workspace.settings.seed):
            held = None
        table = merged(held, computed)
        try:
            workspace.results.add_scoring(
                run.id,
                version=1 if latest is None else latest.version + 1,
                metrics=table.metrics,
                artifact=workspace.artifacts.put(KIND, table.to_bytes()),
                provenance=_document(table),
            )
        except ConflictError:  # another job stored its metrics meanwhile: take them in
            continue
        return table
    raise ConflictError(f"run {run.name!r} is being scored by several jobs at once: score again when they are done")


def _document(table: ScoreTable) -> dict[str, JsonValue]:
    document: dict[str, JsonValue] = {**asdict(table.provenance), "metrics": list(table.metrics)}
    return document


def _comparable(held: ScoreTable, encoder: Encoder, *, seed: int) -> bool:
    provenance = held.provenance
    revision = provenance.models.get(encoder.name, encoder.revision)
    return (provenance.version, provenance.seed, revision) == (__version__, seed, encoder.revision)
