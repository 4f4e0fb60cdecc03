"""`hcat metrics` and `hcat score`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.inputs.files import read_score_table
from hcat.core.records.atomic import new_file
from hcat.dashboard.capabilities.runs.commands.run_import import MaxFileMb, MaxRows, raised_limits
from hcat.dashboard.commands.engine_options import Address, Engine, EngineName, Workers, executor_of, project_workspace
from hcat.dashboard.commands.file_options import reads_files
from hcat.dashboard.commands.labelled_runs import ProjectRun, StoredRun
from hcat.dashboard.commands.output import AsJson, print_json, print_note, print_table, progress_bar
from hcat.dashboard.commands.score_files import Directions, Ranges, statements

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hcat.core.executors.executor import Executor
    from hcat.core.metrics.registry import Metric
    from hcat.core.models.opened import ModelsOfSettings
    from hcat.core.models.verifier import VerifierChoice
    from hcat.core.scoring.overview import Samples
    from hcat.core.scoring.score_table import MetricSummary, ScoreTable
    from hcat.core.scoring.statements import Statement
    from hcat.core.types import JsonValue


SAID = (
    *("name", "title", "family", "needs", "models", "range", "direction", "source"),
    *("description", "judged", "recommended", "limit"),
)
"""Fields of each metric in `hcat metrics --json`."""


def metrics(
    name: Annotated[str | None, typer.Argument(help="A metric, to say what to know before relying on it.")] = None,
    as_json: AsJson = False,
) -> None:
    """List every metric: what it needs, its range, which way is better, its source."""
    from hcat.core.capabilities.metrics.heads import kinds_of
    from hcat.core.capabilities.metrics.view import methods_view
    from hcat.core.metrics.registry import find_metric
    from hcat.core.metrics.registry import metrics as registered
    from hcat.core.records.codec import JSON
    from hcat.dashboard.commands.printed_view import print_view

    asked = registered() if name is None else (find_metric(name),)
    if as_json:
        rows: list[JsonValue] = [{key: JSON.write(getattr(metric, key)) for key in SAID} for metric in asked]
        heads: dict[str, JsonValue] = {} if name is None else {"heads": dict(kinds_of([name])[0].heads)}
        print_json(inputs={}, settings={}, metrics=rows, **heads)
        return
    if name is not None:
        typer.echo(f"{asked[0].title}: {asked[0].description}")
        print_view(methods_view(kinds_of([name])))
        return
    print_table(
        "Metrics",
        ("metric", "needs", "range", "better", "source"),
        [(m.name, _needs(m), f"{m.range[0]:g} … {m.range[1]:g}", m.direction, m.source) for m in registered()],
    )
    limited: dict[str, list[str]] = {}
    for metric in registered():
        if metric.limit:
            limited.setdefault(metric.limit, []).append(metric.name)
    for limit, names in limited.items():
        print_note(f"{', '.join(names)}: {limit}")


def _needs(metric: Metric) -> str:
    """The fields that a metric needs from a sample, and its needs beyond the packaged models."""
    return ", ".join((*metric.needs, *(("an LLM endpoint",) if "language" in metric.models else ())))


@reads_files
def score(
    run: Annotated[Path | None, typer.Argument(help="Run file: JSON Lines, JSON, CSV or Parquet.")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Where to write the scores (Parquet).")] = None,
    project: ProjectRun = None,
    stored: StoredRun = None,
    metrics: Annotated[str, typer.Option(help='Metric names, comma-separated, or "all" the run allows.')] = "all",
    explain: Annotated[Path | None, typer.Option(help="Also write every explanation (JSON Lines).")] = None,
    format: Annotated[str | None, typer.Option(help="Format of the run file, if it is not recognised.")] = None,  # noqa: A002
    device: Annotated[str | None, typer.Option(help="Device for the models: cpu, cuda or mps.")] = None,
    claims: Annotated[
        Literal["nli", "llm"],
        typer.Option(help="What verifies claims: the NLI model, or the LLM endpoint set by HCAT_LLM_*."),
    ] = "nli",
    engine: Engine = None,
    address: Address = None,
    workers: Workers = None,
    theirs: Annotated[
        Path | None, typer.Option("--with", help="Scores of your own for these samples, kept in the same score file.")
    ] = None,
    directions: Directions = None,
    ranges: Ranges = None,
    max_file_mb: MaxFileMb = None,
    max_rows: MaxRows = None,
    as_json: AsJson = False,
) -> None:
    """Score a run file, or a run of a project. A large one is read row by row, and what it takes is said before.

    A run of a project keeps the scores that it has; those that are asked for come beside them."""
    from hcat.core.metrics.registry import select
    from hcat.core.models.opened import ModelsOfSettings
    from hcat.core.settings import settings
    from hcat.dashboard.capabilities.runs.commands.opened_samples import opened_samples

    if project is not None:
        files = (run, explain, format, device, theirs, directions, ranges, max_file_mb, max_rows)
        if any(each is not None for each in files):
            raise HcatError("--project scores a stored run: leave out the run file and what is for files")
        _score_stored(project, stored, metrics, claims, output, (engine, address, workers), as_json=as_json)
        return
    if run is None or output is None:
        raise HcatError("give a run file and -o, or --project and --run")
    roles = frozenset(role for metric in select(metrics) for role in metric.models)
    open_models = ModelsOfSettings(settings(), roles, device, claims, required=True)
    with (
        executor_of(engine, address, workers, device=device) as executor,
        opened_samples(run, format=format, limits=raised_limits(max_file_mb, max_rows)) as samples,
    ):
        _check_room(run, samples, metrics, open_models, output)
        start = time.perf_counter()
        table = _scored(samples, metrics, open_models, executor, output, theirs, statements(directions, ranges))
        seconds = time.perf_counter() - start
        if explain is not None:
            ours = [name for name in table.metrics if name not in table.provenance.from_files]
            _write_explanations(explain, samples, ours, open_models, executor)
        _print_notes(samples, table)
        if as_json:
            inputs = {"run": run} if theirs is None else {"run": run, "with": theirs}
            _print_json(inputs, samples, table, open_models, seconds)
            return
        title = f"{run.name}: {counted(len(samples), 'sample')} in {seconds:.1f} s → {output}"
        print_summary(table, table.summary(samples=samples), title=title)


def _score_stored(
    project: str,
    run: str | None,
    metrics: str,
    claims: VerifierChoice,
    output: Path | None,
    engine: tuple[EngineName | None, str | None, int | None],
    *,
    as_json: bool,
) -> None:
    """Score a run of a project in addition to its existing scores, and write all of them to a file if one is named."""
    if run is None:
        raise HcatError("name the run of the project by --run")
    start = time.perf_counter()
    with project_workspace(*engine) as workspace, progress_bar() as show:
        info = workspace.runs.get(project, run)
        by = claims if claims == "llm" else None  # else whoever verified the claims of earlier scores
        table = workspace.scoring.score(info, metrics, claims=by, on_progress=show)
        columns = workspace.run_data.open(info).columns
        summaries = table.summary(columns.clusters, columns=columns.sample_columns)
    seconds = time.perf_counter() - start
    if output is not None:
        table.write(output)
    if as_json:
        parts: dict[str, JsonValue] = {"metrics": summary_json(summaries), "left_out": dict(table.provenance.left_out)}
        settings: dict[str, JsonValue] = {"project": project, "run": run, "metrics": list(table.metrics)}
        print_json(inputs={}, settings=settings, n=info.n, seconds=round(seconds, 3), **parts)
        return
    print_summary(table, summaries, title=f"{project} / {run}: {counted(info.n, 'sample')} in {seconds:.1f} s")


def _check_room(run: Path, samples: Samples, metrics: str, open_models: ModelsOfSettings, output: Path) -> None:
    """Print the resources for scoring a large run; LimitError if this machine has too little room."""
    from hcat.core.jobs import forecast as forecasting
    from hcat.core.scoring.forecast import FORECAST_FROM, scoring_forecast
    from hcat.core.wording.importing import scoring_forecast_sentence

    if len(samples) >= FORECAST_FROM:
        root = open_models.settings.artifacts
        found = scoring_forecast(samples, metrics=metrics, open_models=open_models, root=root, beside=output.parent)
        print_note(f"{run.name}: {scoring_forecast_sentence(found.totals)}")
        forecasting.check_room(found, forecasting.room_for(found))


def _scored(
    samples: Samples,
    metrics: str,
    open_models: ModelsOfSettings,
    executor: Executor | None,
    output: Path,
    theirs: Path | None,
    stated: Mapping[str, Statement],
) -> ScoreTable:
    """Score the samples, and write the scores, with those in the file `theirs`."""
    from hcat.core.scoring.merging import joined
    from hcat.core.scoring.score_file import run_scored_as
    from hcat.core.scoring.shards.sharded import scored_in_shards

    root, seed = open_models.settings.artifacts, open_models.settings.seed
    with (
        progress_bar() as show,
        scored_in_shards(
            samples,
            metrics=metrics,
            open_models=open_models,
            executor=executor,
            root=root,
            seed=seed,
            on_progress=show,
        ) as computed,
    ):
        table = computed
        if theirs is not None:
            table = joined(computed, read_score_table(theirs, lambda: run_scored_as(computed), stated))
        table.write(output)
    return table


def _print_notes(samples: Samples, table: ScoreTable) -> None:
    """Print notes on the samples and their scores to standard error."""
    from hcat.core.capabilities.calibration.wording.combination import combination_note
    from hcat.core.inputs.inputs import warn_of_likely_trials
    from hcat.core.records.samples.likely_trials import likely_trials
    from hcat.core.wording.importing import notes_on_samples

    warn_of_likely_trials(likely_trials(samples))
    for note in notes_on_samples(samples):
        print_note(note)
    if note := combination_note(table.provenance):
        print_note(f"Note: {note}.")


def _print_json(
    inputs: Mapping[str, Path], samples: Samples, table: ScoreTable, open_models: ModelsOfSettings, seconds: float
) -> None:
    from hcat.core.models.encoder.encoder import ENCODER

    encoder, provenance = open_models().models[ENCODER], table.provenance
    print_json(
        inputs=inputs,
        settings={
            "metrics": list(table.metrics),
            "encoder": encoder.name,
            "revision": encoder.revision,
            "models": dict(provenance.models),
        },
        n=len(samples),
        run_hash=provenance.run_hash,
        metrics=summary_json(table.summary(samples=samples)),
        left_out=dict(provenance.left_out),
        seconds=round(seconds, 3),
    )


def summary_json(summaries: Mapping[str, MetricSummary]) -> dict[str, JsonValue]:
    """Each metric's mean with its interval and n, and what was not scored; no interval of machine verdicts."""
    return {
        name: {
            "mean": summary.mean.value,
            "low": summary.mean.low,
            "high": summary.mean.high,
            "n": summary.mean.n,
            "unscored": dict(summary.unscored),
            "judged": summary.judged,
            "outside_domain": dict(summary.outside),
        }
        for name, summary in summaries.items()
    }


def print_summary(table: ScoreTable, summaries: Mapping[str, MetricSummary], *, title: str) -> None:
    """The tables of `hcat score`."""
    from hcat.core.capabilities.metrics.view import scores_view, unscored_view
    from hcat.core.wording.slice_metrics import slice_metric_title
    from hcat.dashboard.commands.printed_view import print_view

    titles = {name: slice_metric_title(name) for name in summaries}
    scores = [(name if titles[name] == name else f"{titles[name]} ({name})", each) for name, each in summaries.items()]
    print_view(scores_view(scores, title))
    print_view(unscored_view(scores, "Why samples are unscored"))
    for reason, names in _by_reason(table.provenance.left_out).items():
        typer.echo(f"Not scored: {reason}: {', '.join(names)}")


def _by_reason(left_out: Mapping[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, reason in left_out.items():
        found.setdefault(reason, []).append(name)
    return found


def _write_explanations(
    path: Path,
    samples: Samples,
    metrics: Sequence[str],
    open_models: ModelsOfSettings,
    executor: Executor | None,
) -> None:
    from hcat.core.scoring.shards.sharded import explained_in_shards

    root = open_models.settings.artifacts
    with progress_bar() as show, new_file(path) as lines:
        lines.writelines(
            explained_in_shards(
                samples, metrics=metrics, open_models=open_models, executor=executor, root=root, on_progress=show
            )
        )
