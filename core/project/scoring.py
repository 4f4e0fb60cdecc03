"""Scores of a run: computed by the metrics, kept as one table that grows with each metric."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hcat.core import __version__
from hcat.core.errors import ConflictError, NotFoundError
from hcat.core.project.actions import Action
from hcat.core.project.open_store import OpenStore
from hcat.core.project.runs import Runs
from hcat.core.records.codec import JSON
from hcat.core.records.project import RunInfo, ScoringInfo
from hcat.core.types import JsonValue, OnProgress, Progress, Sample

if TYPE_CHECKING:
    from hcat.core.jobs.forecast import Forecast
    from hcat.core.models.cache import EmbeddingStore
    from hcat.core.models.encoder.encoder import Encoder
    from hcat.core.models.model_set import ModelSet
    from hcat.core.models.opened import ModelsOfSettings, OpenModels
    from hcat.core.models.verifier import VerifierChoice
    from hcat.core.scoring.score_file import ScoreFile
    from hcat.core.scoring.score_table import ScoreTable
    from hcat.core.scoring.statements import Statement

KIND = "scores"

ATTEMPTS = 5


@dataclass(frozen=True)
class Scoring:
    """Each run's score table."""

    store: OpenStore
    runs: Runs

    def score(
        self,
        run: RunInfo,
        metrics: str | Sequence[str],
        *,
        claims: VerifierChoice | None = None,
        on_progress: OnProgress | None = None,
        on_forecast: Callable[[Forecast], None] | None = None,
    ) -> ScoreTable:
        """Score the run in this process and store the table, with the metrics that it already had.

        "all" takes what the run and the settings allow; the table's provenance says why others are left out. Earlier
        scores of another version of hcat or another seed are computed again, and so are those of another model: they
        are never mixed. So a new entailment model costs no similarity metric its scores. Without `claims`, whoever
        verified the claims of the earlier scores does so again, else the entailment model. ModelError where a model
        can't be loaded; LimitError, before a large run is scored, where this machine has no room for it: `on_forecast`
        is called with the forecast.
        """
        from hcat.core.jobs import forecast as forecasting
        from hcat.core.metrics.registry import select
        from hcat.core.scoring.merging import merged, with_erased_scores
        from hcat.core.scoring.shards.sharded import scored_in_shards

        if on_progress is not None:
            on_progress(Progress("load", 0, 0, 0.0))
        past, settings = self.table(run), self.store.settings
        names = tuple(metric.name for metric in select(metrics))
        needed = [*names, *(past.metrics if past is not None else ())]
        open_models = self._opening(needed, claims or verifier_of(past), required=claims is not None)
        models = open_models().models
        stale = () if past is None else _stale(past, models, seed=settings.seed)
        wanted = metrics if _is_all(metrics) else (*(name for name in stale if name not in names), *names)
        if (forecast := self._forecast(run, wanted, open_models)) is not None:
            if on_forecast is not None:
                on_forecast(forecast)
            forecasting.check_room(forecast, forecasting.room_for(forecast))
        with scored_in_shards(
            _StoredSamples(self.runs, run),
            metrics=wanted,
            open_models=open_models,
            executor=self.store.executor(),
            root=self.store.artifacts.root,
            seed=settings.seed,
            on_progress=on_progress,
        ) as computed:
            erased = self.store.erasures.samples(run)

            def over(past: ScoreTable | None) -> ScoreTable:
                fresh = past and _fresh(past, models, seed=settings.seed)
                return merged(fresh, with_erased_scores(fresh, computed, erased))

            return self._store(run, over, "scoring.score")

    def forecast(self, run: RunInfo, metrics: str | Sequence[str]) -> Forecast | None:
        """Forecast of time, memory and disk space to score the run on these metrics; None for a run that is too small
        for one."""
        from hcat.core.metrics.registry import select

        self.store.access.check_reading("project", run.project_id)
        past = self.table(run)
        needed = tuple(metric.name for metric in select(metrics))
        return self._forecast(run, metrics, self._opening(needed, verifier_of(past)))

    def _forecast(
        self, run: RunInfo, metrics: str | Sequence[str], open_models: Callable[[], OpenModels]
    ) -> Forecast | None:
        from hcat.core.scoring.forecast import FORECAST_FROM, scoring_forecast

        if run.n < FORECAST_FROM:
            return None
        root = self.store.artifacts.root
        return scoring_forecast(_StoredSamples(self.runs, run), metrics=metrics, open_models=open_models, root=root)

    def add_from_file(
        self,
        run: RunInfo,
        file: ScoreFile,
        *,
        columns: Sequence[str] | None = None,
        statements: Mapping[str, Statement] | None = None,
        overwrite: bool = False,
    ) -> ScoreTable:
        """Store the scores in a file, of all columns or of these, in addition to those that the run has, which stay.

        `statements` say what the file does not: names, directions, ranges. ConflictError where a metric of that name
        came from another file or column, unless it is to `overwrite` it; FileFormatError where no row is of this
        run.
        """
        from hcat.core.scoring.merging import joined
        from hcat.core.scoring.score_file import file_score_table, run_beside
        from hcat.core.scoring.statements import with_statements

        seed = self.store.settings.seed
        beside = run_beside(self.runs.columns(run), run.content_hash)
        table = file_score_table(file, run=beside, columns=columns, seed=seed)
        stated = with_statements(table, statements or {})
        return self._store(run, lambda past: joined(past, stated, overwrite=overwrite), "scoring.add_from_file")

    def add_own(self, run: RunInfo, table: ScoreTable) -> ScoreTable:
        """Store scores that hcat wrote to a file, with their names, directions and models, in the place of earlier ones
        of the same metrics. ConflictError where they are of another run, or were made with another version or seed."""
        from hcat.core.scoring.merging import merged

        made, seed = table.provenance, self.store.settings.seed
        if made.run_hash != run.content_hash or set(table.sample_ids) != set(self.runs.columns(run).ids()):
            raise ConflictError(f"the scores are of another run than {run.name!r}: score this one")
        if (made.version, made.seed) != (__version__, seed):
            theirs, ours = f"hcat {made.version} with seed {made.seed}", f"{__version__} with seed {seed}"
            raise ConflictError(f"the scores are of {theirs}, and this is {ours}: score the run anew")
        ordered = replace(table, frame=table.frame.loc[list(self.runs.columns(run).ids())])
        return self._store(run, lambda past: merged(past, ordered), "scoring.add_from_file")

    def add_judged(self, run: RunInfo, table: ScoreTable) -> ScoreTable:
        """Store a judge's scores in addition to those that the run has; they replace an earlier judge's by that name.

        ConflictError where a metric of that name is not a judge's.
        """
        from hcat.core.scoring.file_metric import JUDGED
        from hcat.core.scoring.merging import joined

        def beside(past: ScoreTable | None) -> ScoreTable:
            earlier = {} if past is None else past.provenance.from_files
            own = all(earlier[name].framework == JUDGED for name in table.metrics if name in earlier)
            return joined(past, table, overwrite=own)

        return self._store(run, beside, "scoring.add_judged")

    def rescoring(self, run: RunInfo, metrics: Sequence[str]) -> Callable[[Sequence[Sample]], ScoreTable]:
        """Scores further samples on these metrics, as the run's own are scored; models are loaded once."""
        from hcat.core.models.encoder.encoder import ENCODER
        from hcat.core.scoring.evaluate import score_samples

        models = self._models(metrics, verifier_of(self.table(run)))
        store, seed = self._embeddings(models[ENCODER]), self.store.settings.seed
        return lambda samples: score_samples(samples, metrics=tuple(metrics), models=models, store=store, seed=seed)

    def add_rescored(self, run: RunInfo, table: ScoreTable) -> ScoreTable:
        """Store the scores of a run whose answers were regenerated, in the place of those that it has."""
        return self._store(run, lambda _: table, "scoring.add_rescored")

    def latest(self, run: RunInfo) -> ScoringInfo | None:
        """The newest version of the score table, for caches to ask; None before the first scoring."""
        self.store.access.check_reading("results", run.project_id)
        return self.store.results.latest_scoring(run.id)

    def table(self, run: RunInfo) -> ScoreTable | None:
        """The run's newest score table, or None before the first scoring."""
        self.store.access.check_reading("results", run.project_id)
        from hcat.core.scoring.score_table import ScoreTable

        latest = self.store.results.latest_scoring(run.id)
        if latest is None:
            return None
        return ScoreTable.from_bytes(self.store.artifacts.get(KIND, latest.artifact), name=f"{latest.artifact}.parquet")

    def required(self, run: RunInfo) -> ScoreTable:
        """The run's scores, or NotFoundError."""
        table = self.table(run)
        if table is None:
            raise NotFoundError(f"run {run.name!r} has no scores yet: score it first")
        return table

    def explain(
        self, run: RunInfo, sample_id: str, metrics: str | Sequence[str], *, opening: bool = True
    ) -> dict[str, JsonValue]:
        """Explanation of each metric's score of one sample: which sentence, which context, which claim, which plan.

        Of a metric from a file, only where its scores come from (`from_file`). Without `opening`, NotOpenedError where
        the packaged encoder would have to be opened, for texts whose vectors are not stored.
        """
        from hcat.core.metrics.registry import select
        from hcat.core.models.encoder.encoder import ENCODER, as_it_is
        from hcat.core.scoring.evaluate import explain_sample

        past = self.table(run)
        declared = {} if past is None else past.provenance.from_files
        wanted = metrics.split(",") if isinstance(metrics, str) else metrics
        from_file: dict[str, JsonValue] = {
            name: {"from_file": declared[name].origin} for name in wanted if name in declared
        }
        if from_file and len(from_file) == len(wanted):
            return from_file
        chosen = select([name for name in wanted if name not in from_file])
        names = tuple(metric.name for metric in chosen)
        models = self._models(names, verifier_of(past))
        if not opening:
            models = models.with_encoder(as_it_is(models[ENCODER]))
        return from_file | explain_sample(
            self.runs.sample(run, sample_id),
            metrics=names,
            models=models,
            store=self._embeddings(models[ENCODER]),
            among=self.runs.samples(run) if any(metric.reads_whole_run for metric in chosen) else None,
        )

    def encoder_and_store(
        self, texts: Iterable[str] = (), *, on_progress: OnProgress | None = None
    ) -> tuple[Encoder, EmbeddingStore]:
        """The encoder of the settings, and the embeddings that the workspace keeps for it. The workers of a cluster
        have encoded these texts, where the settings name one; else whoever needs their rows encodes them."""
        from hcat.core.executors.encoding import encode_by
        from hcat.core.models.encoder.encoder import load_encoder

        if texts != ():
            encode_by(self.store.executor(), texts, open_models=self._opening((), "nli"), on_progress=on_progress)
        encoder = load_encoder(self.store.settings.embedder, device=self.store.settings.device)
        return encoder, self._embeddings(encoder)

    def _models(self, names: Sequence[str], verifier: VerifierChoice) -> ModelSet:
        """The models that these metrics need."""
        return self._opening(names, verifier)().models

    def _opening(self, names: Sequence[str], verifier: VerifierChoice, *, required: bool = False) -> ModelsOfSettings:
        """Loader of the models that these metrics need, here or in another process."""
        from hcat.core.metrics.registry import metrics
        from hcat.core.models.opened import ModelsOfSettings

        roles = frozenset(role for metric in metrics() if metric.name in names for role in metric.models)
        return ModelsOfSettings(self.store.settings, roles, verifier=verifier, required=required)

    def _embeddings(self, encoder: Encoder) -> EmbeddingStore:
        from hcat.core.models.cache import ParquetEmbeddings

        return ParquetEmbeddings(self.store.artifacts.root, revision=encoder.revision)

    def _store(self, run: RunInfo, combine: Callable[[ScoreTable | None], ScoreTable], action: Action) -> ScoreTable:
        """Store what the newest table is made into, as its next version. It names the run by what was imported, also
        where texts were erased since."""
        for _ in range(ATTEMPTS):
            latest = self.store.results.latest_scoring(run.id)
            combined = combine(self.table(run))
            table = replace(combined, provenance=replace(combined.provenance, run_hash=run.content_hash))
            try:
                with self.store.write(self.store.actor, action, run.project_id) as write:
                    self.store.results.add_scoring(
                        write,
                        run.id,
                        version=1 if latest is None else latest.version + 1,
                        metrics=table.metrics,
                        artifact=self.store.artifacts.put(KIND, table.to_bytes()),
                        provenance=JSON.write_object(table.provenance),
                    )
            except ConflictError:  # another job stored its metrics meanwhile: take them in
                continue
            return table
        raise ConflictError(f"run {run.name!r} is being scored by several jobs at once: score again when they are done")


@dataclass(frozen=True)
class _StoredSamples:
    """A stored run's samples, read again at each iteration: they are never all in memory."""

    runs: Runs
    run: RunInfo

    def __len__(self) -> int:
        return self.run.n

    def __iter__(self) -> Iterator[Sample]:
        return self.runs.each_sample(self.run)


def verifier_of(past: ScoreTable | None) -> VerifierChoice:
    """The verifier of the claims of these scores: "nli" where none was used."""
    from hcat.core.scoring.provenance import VERIFIED_BY

    own = () if past is None else past.provenance.parameters.values()
    verifiers = [value.get(VERIFIED_BY) for value in own if isinstance(value, dict)]
    return "llm" if any(isinstance(verifier, dict) and verifier.get("by") == "llm" for verifier in verifiers) else "nli"


def _is_all(metrics: str | Sequence[str]) -> bool:
    return "all" in (metrics.split(",") if isinstance(metrics, str) else metrics)


def _stale(table: ScoreTable, models: ModelSet, *, seed: int) -> tuple[str, ...]:
    """The metrics that another version, seed or model computed. What no model at hand can compute is left unchanged,
    and so is what came from a file."""
    from hcat.core.metrics.registry import metrics
    from hcat.core.models.verifier import VERIFIER
    from hcat.core.scoring.provenance import COMBINATION, VERIFIED_BY
    from hcat.core.scoring.steps.name_model import combination_record
    from hcat.core.scoring.steps.verify_claims import verifier_record

    provenance, by_role = table.provenance, models.by_role
    if (provenance.version, provenance.seed) != (__version__, seed):
        return tuple(name for name in table.metrics if name not in provenance.from_files)

    def of_other(name: str, role: str) -> bool:
        model, own = by_role.get(role), provenance.parameters.get(name)
        if model is None:
            return False
        if isinstance(own, dict) and COMBINATION in own and own[COMBINATION] != combination_record(models):
            return True
        if role != VERIFIER.name:
            return provenance.models.get(model.name) != model.revision
        return not isinstance(own, dict) or own.get(VERIFIED_BY) != verifier_record(models)

    roles = {metric.name: metric.models for metric in metrics()}
    # Before states were recorded, these metrics scored refusals like answers.
    unstated = {
        metric.name
        for metric in metrics()
        if table.answer_states is None and metric.skip_refusals == "any" and by_role.keys() >= set(metric.models)
    }
    return tuple(
        name for name in table.metrics if name in unstated or any(of_other(name, role) for role in roles.get(name, ()))
    )


def _fresh(table: ScoreTable, models: ModelSet, *, seed: int) -> ScoreTable | None:
    """The table without what is stale, and without the names of models that it then no longer uses."""
    from hcat.core.scoring.merging import columns_of

    stale = _stale(table, models, seed=seed)
    fresh = tuple(name for name in table.metrics if name not in stale)
    if not stale or not fresh:
        return table if fresh else None
    current = models.revisions(models.by_role)
    used = {name: revision for name, revision in table.provenance.models.items() if current.get(name) == revision}
    parameters = {name: value for name, value in table.provenance.parameters.items() if name in fresh}
    provenance = replace(table.provenance, metrics=fresh, models=used, parameters=parameters)
    return replace(table, frame=columns_of(table, fresh), provenance=provenance)
