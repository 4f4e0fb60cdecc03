"""`hcat safety`: what the answers of a run say that they should not; from a project or from files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from hcat.core.errors import HcatError
from hcat.core.records.atomic import new_file
from hcat.dashboard.commands.engine_options import Address, Engine, Workers, executor_of, project_workspace
from hcat.dashboard.commands.file_options import reads_files
from hcat.dashboard.commands.output import (
    AsJson,
    existing,
    print_json,
    print_note,
    print_table,
    progress_bar,
    read_text,
)

LEAK, UNCHECKED = 1, 3
"""Exit codes of --fail-on-leak, as those of `hcat verify`: something was found, or could not be checked."""

if TYPE_CHECKING:
    from hcat.core.capabilities.safety.toxicity_functions import FunctionalityTable
    from hcat.core.executors.executor import Executor
    from hcat.core.privacy.disclosure import Protected
    from hcat.core.privacy.review import FilterCost, PrivacyReview
    from hcat.core.scoring.score_table import ScoreTable
    from hcat.core.types import Sample
    from hcat.core.workspace import Workspace


@reads_files
def safety(
    run: Annotated[
        str, typer.Argument(help="Run file: JSON Lines, JSON, CSV or Parquet; with --project a run's name.")
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where to write the scores (Parquet); needed for a file.")
    ] = None,
    project: Annotated[
        str | None, typer.Option(help="Score a run of this project, and store the scores there.")
    ] = None,
    leaks: Annotated[
        Path | None, typer.Option(help="Also write every hit with its place and reason (JSON Lines).")
    ] = None,
    hold_back: Annotated[
        Literal["leaks", "personal"] | None,
        typer.Option("--filter", help="Try a filter that holds back leaks, or all personal data, and tell its cost."),
    ] = None,
    filtered: Annotated[Path | None, typer.Option(help="Also write the run as the filter would let it out.")] = None,
    confidential: Annotated[
        Path | None,
        typer.Option(help="Text file of phrases and passages that no answer may tell, one a line."),
    ] = None,
    system_prompt: Annotated[
        Path | None, typer.Option(help="Text file of the system's instructions, which no answer may tell.")
    ] = None,
    fail_on_leak: Annotated[
        bool,
        typer.Option(
            "--fail-on-leak",
            help="End with 1 where an answer leaks; with 3 where none is known to, but answers without contexts hold "
            "personal data or the like, so that nobody can tell.",
        ),
    ] = False,
    engine: Engine = None,
    address: Address = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Score a run on safety: toxicity and tone, leaks of personal data, words copied from contexts (HCAT 4).

    Exit code 0 whatever is found, unless --fail-on-leak."""
    from hcat.core.capabilities.safety.analysis import filter_cost, filtered_run, privacy_review
    from hcat.core.capabilities.safety.tone import tone_flags
    from hcat.core.capabilities.safety.wording.privacy import hit_record, privacy_document
    from hcat.core.capabilities.safety.wording.tone import tone_document
    from hcat.core.privacy.disclosure import protect
    from hcat.core.records.run_file import to_jsonl

    if filtered is not None and hold_back is None:
        raise HcatError("--filtered writes what a filter lets out: say which with --filter leaks or --filter personal")
    protected = _protected(confidential, system_prompt)
    if project is not None:
        with project_workspace(engine, address, workers) as workspace:
            samples, table = _score_stored(workspace, project, run)
    else:
        with executor_of(engine, address, workers) as executor:
            samples, table = _score_file(run, output, protected, executor)
    samples = protect(samples, protected)
    if output is not None and project is not None:
        table.write(output)
    review = privacy_review(samples)
    cost = None if hold_back is None else filter_cost(samples, review, hold_back)
    if leaks is not None:
        records = [hit_record(name, traced) for name, hits in review.hits.items() for traced in hits]
        with new_file(leaks) as lines:
            for record in records:
                lines.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")
    if filtered is not None and hold_back is not None:
        with new_file(filtered) as file:
            file.write(to_jsonl(filtered_run(samples, review, hold_back)).encode())
    if as_json:
        from hcat.dashboard.capabilities.metrics.command import summary_json

        summaries = summary_json(table.summary(samples=samples))
        print_json(
            inputs={
                **({} if project is not None else {"run": Path(run)}),
                **({} if confidential is None else {"confidential": confidential}),
                **({} if system_prompt is None else {"system_prompt": system_prompt}),
            },
            settings={"metrics": list(_names()), "models": dict(table.provenance.models), "filter": hold_back},
            n=len(samples),
            run_hash=table.provenance.run_hash,
            metrics={name: each for name, each in summaries.items() if name in _names()},
            privacy=privacy_document(review, cost),
            tone=tone_document(tone_flags(table), _known_functions(table)),
        )
    else:
        _print(run, samples, table, review, cost)
        if protected and project is not None:
            typer.echo("The leaks count what you protected; the stored score pii_leak does not.")
    if fail_on_leak:
        _fail_on_leak(review)


def _fail_on_leak(review: PrivacyReview) -> None:
    """Exit with code 1 if an answer leaks, with 3 if none is known to and some hits can't be determined."""
    from hcat.core.display.numbers import counted

    unknown = {name for name, hits in review.hits.items() if any(each.held_by == "unknown" for each in hits)}
    if review.leaks:
        raise typer.Exit(LEAK)
    if unknown:
        print_note(
            f"Not known to be free of leaks: {counted(len(unknown), 'answer')} without contexts, with what is a leak "
            "unless a context held it."
        )
        raise typer.Exit(UNCHECKED)


def _protected(confidential: Path | None, system_prompt: Path | None) -> Protected:
    from hcat.core.privacy.disclosure import Protected

    texts, prompt = (read_text(existing(path)) if path is not None else "" for path in (confidential, system_prompt))
    protected = Protected.of(texts, prompt)
    for path, said in ((confidential, protected.texts), (system_prompt, protected.system_prompt)):
        if path is not None and not said:
            raise HcatError(f"{path} holds no words: there is nothing to look for in the answers")
    return protected


def _names() -> tuple[str, ...]:
    """Every metric of safety, as the registry has them."""
    from hcat.core.metrics.registry import metrics

    return tuple(metric.name for metric in metrics() if metric.family == "safety")


def _score_file(
    run: str, output: Path | None, protected: Protected, executor: Executor | None
) -> tuple[tuple[Sample, ...], ScoreTable]:
    from hcat.core.inputs.files import read_samples
    from hcat.core.metrics.registry import select
    from hcat.core.models.opened import ModelsOfSettings
    from hcat.core.privacy.disclosure import protect
    from hcat.core.scoring.shards.sharded import scored_in_shards
    from hcat.core.settings import settings

    path = existing(Path(run))
    if output is None:
        raise HcatError("say where to write the scores: -o scores.parquet")
    samples = protect(read_samples(path), protected)
    roles = frozenset(role for metric in select(_names()) for role in metric.models)
    with (
        progress_bar() as show,
        scored_in_shards(
            samples,
            metrics=_names(),
            open_models=ModelsOfSettings(settings(), roles),
            executor=executor,
            root=settings().artifacts,
            seed=settings().seed,
            on_progress=show,
        ) as table,
    ):
        table.write(output)
    return samples, table


def _known_functions(table: ScoreTable) -> FunctionalityTable | None:
    """Test results of the packaged classifier by functionality; None if another one read the answers."""
    from hcat.core.capabilities.safety.toxicity_functions import packaged_functionality

    known = packaged_functionality()
    return known if known.revision in table.provenance.models.values() else None


def _score_stored(workspace: Workspace, project: str, run: str) -> tuple[tuple[Sample, ...], ScoreTable]:
    with progress_bar() as show:
        stored = workspace.runs.get(project, run)
        table = workspace.scoring.score(stored, _names(), on_progress=show)
    return tuple(workspace.runs.samples(stored)), table


def _print(
    run: str, samples: Sequence[Sample], table: ScoreTable, review: PrivacyReview, cost: FilterCost | None
) -> None:
    from hcat.core.capabilities.safety.tone import tone_flags
    from hcat.core.capabilities.safety.views.privacy import copying_view, filter_view, leaks_view
    from hcat.core.capabilities.safety.views.tone import functions_view, tone_view
    from hcat.core.capabilities.safety.wording.privacy import LIMITS
    from hcat.core.display.numbers import counted, format_interval, format_number
    from hcat.dashboard.commands.printed_view import print_view

    summaries = table.summary(samples=samples)
    print_table(
        f"{run}: {counted(len(samples), 'sample')}",
        ("metric", "mean", "95% interval", "n"),
        [
            (name, format_number(each.mean.value), format_interval(each.mean), str(each.mean.n))
            for name, each in summaries.items()
            if name in _names()
        ],
    )
    known = _known_functions(table)
    print_view(tone_view(tone_flags(table), measured=known is not None))
    if known is not None:
        print_view(functions_view(known))
    print_view(leaks_view(review, quoted=True))
    print_view(copying_view(review))
    if cost is not None:
        print_view(filter_view(cost, review.answers))
    typer.echo(LIMITS)
