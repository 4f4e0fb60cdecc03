"""Scores of a run: computed by the metrics, kept as one table that grows with each metric."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from core import __version__
from core.errors import ConflictError
from core.records.codec import JSON
from core.storage.records import RunInfo, ScoringInfo
from core.types import JsonValue, Progress
from core.workspace.runs import samples

if TYPE_CHECKING:
    import pandas as pd

    from core.models.cache import EmbeddingStore
    from core.models.encoder.encoder import Encoder
    from core.models.model_set import ModelSet
    from core.models.verifier import VerifierChoice
    from core.scoring.score_table import ScoreTable
    from core.workspace import Workspace

KIND = "scores"
ATTEMPTS = 5

OnProgress = Callable[[Progress], None]


def score_run(
    workspace: Workspace,
    run: RunInfo,
    metrics: str | Sequence[str],
    *,
    claims: VerifierChoice | None = None,
    on_progress: OnProgress | None = None,
) -> ScoreTable:
    """Score the run in this process and store the table, with the metrics that it already had.

    "all" takes what the run and the settings allow; the table's provenance says why others are left out. Earlier
    scores of another version of hcat or another seed are computed anew, and those of another model are too: never
    mixed in. So a new entailment model costs no similarity metric its scores. Without `claims`, whoever verified
    the claims of the earlier scores does so again, else the entailment model. ModelError where a model can't be loaded.
    """
    from core.metrics.registry import select
    from core.models.encoder.encoder import ENCODER
    from core.scoring.evaluate import score_samples

    held = scores(workspace, run)
    names = tuple(metric.name for metric in select(metrics))
    models = _models(workspace, [*names, *(held.metrics if held is not None else ())], claims or verifier_of(held))
    models = models if claims is None else models.with_verifier()
    stale = () if held is None else _stale(held, models, seed=workspace.settings.seed)
    wanted = metrics if _is_all(metrics) else (*(name for name in stale if name not in names), *names)
    computed = score_samples(
        samples(workspace, run),
        metrics=wanted,
        models=models,
        store=_embeddings(workspace, models[ENCODER]),
        seed=workspace.settings.seed,
        on_progress=on_progress,
    )
    return _store(workspace, run, computed, models)


def scoring(workspace: Workspace, run: RunInfo) -> ScoringInfo | None:
    """Which version of the score table is the newest, for caches to ask; None before the first scoring."""
    return workspace.results.latest_scoring(run.id)


def scores(workspace: Workspace, run: RunInfo) -> ScoreTable | None:
    """The run's newest score table, or None before the first scoring."""
    from core.scoring.score_table import ScoreTable

    latest = workspace.results.latest_scoring(run.id)
    if latest is None:
        return None
    return ScoreTable.from_bytes(workspace.artifacts.get(KIND, latest.artifact), name=f"{latest.artifact}.parquet")


def explain(workspace: Workspace, run: RunInfo, sample_id: str, metrics: str | Sequence[str]) -> dict[str, JsonValue]:
    """How each metric came to its score of one sample: which sentence, which context, which claim, which plan."""
    from core.metrics.registry import select
    from core.models.encoder.encoder import ENCODER
    from core.scoring.evaluate import explain_sample

    chosen = select(metrics)
    names = tuple(metric.name for metric in chosen)
    models = _models(workspace, names, verifier_of(scores(workspace, run)))
    return explain_sample(
        workspace.sample(run, sample_id),
        metrics=names,
        models=models,
        store=_embeddings(workspace, models[ENCODER]),
        among=samples(workspace, run) if any(metric.reads_whole_run for metric in chosen) else None,
    )


def verifier_of(held: ScoreTable | None) -> VerifierChoice:
    """Who verified the claims of these scores: "nli" where nobody did."""
    from core.scoring.provenance import VERIFIED_BY

    own = () if held is None else held.provenance.parameters.values()
    verifiers = [one.get(VERIFIED_BY) for one in own if isinstance(one, dict)]
    return "llm" if any(isinstance(one, dict) and one.get("by") == "llm" for one in verifiers) else "nli"


def encoder_and_store(workspace: Workspace) -> tuple[Encoder, EmbeddingStore]:
    """The encoder of the settings, and the embeddings that the workspace keeps for it."""
    from core.models.encoder.encoder import load_encoder

    encoder = load_encoder(workspace.settings.embedder, device=workspace.settings.device)
    return encoder, _embeddings(workspace, encoder)


def merged(held: ScoreTable | None, computed: ScoreTable) -> ScoreTable:
    """One table with the columns of both; where both have a metric, the computed one counts."""
    if held is None:
        return computed
    kept = tuple(name for name in held.metrics if name not in computed.metrics)
    metrics = (*kept, *computed.metrics)
    old, new = held.provenance, computed.provenance
    provenance = replace(
        new,
        metrics=metrics,
        models={**old.models, **new.models},
        parameters={**old.parameters, **new.parameters},
        left_out={name: why for name, why in {**old.left_out, **new.left_out}.items() if name not in metrics},
    )
    return replace(computed, frame=_columns(held, kept).join(computed.frame), provenance=provenance)


def _models(workspace: Workspace, names: Sequence[str], verifier: VerifierChoice) -> ModelSet:
    """The models that these metrics need."""
    from core.metrics.registry import metrics
    from core.models.model_set import load_models

    roles = {role for one in metrics() if one.name in names for role in one.models}
    return load_models(workspace.settings, roles, verifier=verifier)


def _embeddings(workspace: Workspace, encoder: Encoder) -> EmbeddingStore:
    from core.models.cache import ParquetEmbeddings

    return ParquetEmbeddings(workspace.artifacts.root, revision=encoder.revision)


def _is_all(metrics: str | Sequence[str]) -> bool:
    return "all" in (metrics.split(",") if isinstance(metrics, str) else metrics)


def _store(workspace: Workspace, run: RunInfo, computed: ScoreTable, models: ModelSet) -> ScoreTable:
    for _ in range(ATTEMPTS):
        latest = workspace.results.latest_scoring(run.id)
        held = scores(workspace, run)
        table = merged(None if held is None else _fresh(held, models, seed=workspace.settings.seed), computed)
        try:
            workspace.results.add_scoring(
                run.id,
                version=1 if latest is None else latest.version + 1,
                metrics=table.metrics,
                artifact=workspace.artifacts.put(KIND, table.to_bytes()),
                provenance=JSON.write_object(table.provenance),
            )
        except ConflictError:  # another job stored its metrics meanwhile: take them in
            continue
        return table
    raise ConflictError(f"run {run.name!r} is being scored by several jobs at once: score again when they are done")


def _stale(held: ScoreTable, models: ModelSet, *, seed: int) -> tuple[str, ...]:
    """The metrics that another version, seed or model computed. What no model at hand can compute is let be."""
    from core.metrics.registry import metrics
    from core.models.verifier import VERIFIER
    from core.scoring.provenance import VERIFIED_BY
    from core.scoring.steps.verify_claims import verifier_record

    provenance, by_role = held.provenance, models.by_role
    if (provenance.version, provenance.seed) != (__version__, seed):
        return held.metrics

    def of_other(name: str, role: str) -> bool:
        model, own = by_role.get(role), provenance.parameters.get(name)
        if model is None:
            return False
        if role != VERIFIER.name:
            return provenance.models.get(model.name) != model.revision
        return not isinstance(own, dict) or own.get(VERIFIED_BY) != verifier_record(models)

    roles = {metric.name: metric.models for metric in metrics()}
    # Before states were recorded, these metrics scored refusals like answers.
    unstated = {
        metric.name
        for metric in metrics()
        if held.answer_states is None and metric.skip_refusals == "any" and by_role.keys() >= set(metric.models)
    }
    return tuple(
        name for name in held.metrics if name in unstated or any(of_other(name, role) for role in roles.get(name, ()))
    )


def _fresh(held: ScoreTable, models: ModelSet, *, seed: int) -> ScoreTable | None:
    """The table without what is stale, and without the names of models that then nothing rests on."""
    stale = _stale(held, models, seed=seed)
    kept = tuple(name for name in held.metrics if name not in stale)
    if not stale or not kept:
        return held if kept else None
    current = models.revisions(models.by_role)
    used = {name: revision for name, revision in held.provenance.models.items() if current.get(name) == revision}
    parameters = {name: value for name, value in held.provenance.parameters.items() if name in kept}
    provenance = replace(held.provenance, metrics=kept, models=used, parameters=parameters)
    return replace(held, frame=_columns(held, kept), provenance=provenance)


def _columns(table: ScoreTable, metrics: Sequence[str]) -> pd.DataFrame:
    """The columns of these metrics, and of their reasons."""
    from core.scoring.score_table import REASON_SUFFIX

    return table.frame[[name for name in table.frame.columns if name.removesuffix(REASON_SUFFIX) in metrics]]
