"""`hcat metrics` and `hcat score`."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dashboard.commands.output import print_json, print_table, progress_bar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.embeddings import EmbeddingStore
    from core.models.encoder import Encoder
    from core.scores import ScoreTable
    from core.types import JsonValue, Sample

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of a table.")]


def metrics(as_json: AsJson = False) -> None:
    """List every metric: what it needs, its range, which way is better, its source."""
    from core.metrics.registry import metrics as registered

    if as_json:
        rows: list[JsonValue] = [
            {
                "name": metric.name,
                "title": metric.title,
                "family": metric.family,
                "needs": list(metric.needs),
                "range": list(metric.range),
                "direction": metric.direction,
                "source": metric.source,
                "description": metric.description,
            }
            for metric in registered()
        ]
        print_json(inputs={}, settings={}, metrics=rows)
        return
    print_table(
        "Metrics",
        ("metric", "needs", "range", "better", "source"),
        [(m.name, ", ".join(m.needs), f"{m.range[0]:g} … {m.range[1]:g}", m.direction, m.source) for m in registered()],
    )


def score(
    run: Annotated[Path, typer.Argument(help="Run file: JSON Lines, JSON, CSV or Parquet.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Where the scores go (Parquet).")],
    metrics: Annotated[str, typer.Option(help='Metric names, comma-separated, or "all".')] = "all",
    explain: Annotated[Path | None, typer.Option(help="Also write every explanation (JSON Lines).")] = None,
    format: Annotated[str | None, typer.Option(help="Format of the run file, where it is not recognised.")] = None,  # noqa: A002
    device: Annotated[str | None, typer.Option(help="Where the encoder runs: cpu, cuda, mps.")] = None,
    as_json: AsJson = False,
) -> None:
    """Score a run file."""
    from core.evaluate import score_samples
    from core.metrics.registry import select
    from core.models.encoder import load_encoder
    from core.settings import settings
    from dashboard.commands.runs import embedding_cache, read_samples

    chosen = [metric.name for metric in select(metrics)]
    samples = read_samples(run, format=format)
    start = time.perf_counter()
    encoder = load_encoder(settings().embedder, device=device or settings().device)
    store = embedding_cache(encoder)
    with progress_bar() as show:
        table = score_samples(
            samples, metrics=chosen, encoder=encoder, store=store, seed=settings().seed, on_progress=show
        )
    seconds = time.perf_counter() - start
    table.write(output)
    if explain is not None:
        _write_explanations(explain, samples, chosen, encoder, store)
    if as_json:
        print_json(
            inputs={"run": run},
            settings={"metrics": list(chosen), "encoder": encoder.name, "revision": encoder.revision},
            n=len(samples),
            run_hash=table.provenance.run_hash,
            metrics=summary_json(table),
            seconds=round(seconds, 3),
        )
        return
    print_summary(table, title=f"{run.name}: {len(samples)} samples in {seconds:.1f} s → {output}")


def summary_json(table: ScoreTable) -> dict[str, JsonValue]:
    """Each metric's mean with its interval and n, and what was left out."""
    return {
        name: {
            "mean": summary.mean.value,
            "low": summary.mean.low,
            "high": summary.mean.high,
            "n": summary.mean.n,
            "unscored": dict(summary.unscored),
        }
        for name, summary in table.summary().items()
    }


def print_summary(table: ScoreTable, *, title: str) -> None:
    """The table of `hcat score`."""
    from core.formats import format_number

    rows = []
    for name, summary in table.summary().items():
        left_out = ", ".join(f"{count} {reason}" for reason, count in summary.unscored.items()) or "–"
        interval = f"{format_number(summary.mean.low)} … {format_number(summary.mean.high)}"
        rows.append((name, format_number(summary.mean.value), interval, str(summary.mean.n), left_out))
    print_table(title, ("metric", "mean", "95 % interval", "n", "unscored"), rows)


def _write_explanations(
    path: Path, samples: Sequence[Sample], metrics: Sequence[str], encoder: Encoder, store: EmbeddingStore
) -> None:
    from core.evaluate import explanations

    part = path.with_name(f".{path.name}.part")
    with part.open("w", encoding="utf-8") as lines:
        for row in explanations(samples, metrics=metrics, encoder=encoder, store=store):
            lines.write(json.dumps(row, ensure_ascii=False) + "\n")
    part.replace(path)
