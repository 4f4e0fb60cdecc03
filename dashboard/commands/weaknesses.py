"""`hcat weakness`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.display.numbers import counted
from core.errors import HcatError
from dashboard.commands.label_files import (
    LevelNames,
    Positive,
    calibrated_criterion,
    level_settings,
    read_label_file,
    stated_criterion,
)
from dashboard.commands.output import (
    AsJson,
    document,
    print_document,
    print_table,
    read_text,
)
from dashboard.commands.runs import open_columns, warn_of_clusters
from dashboard.commands.score_files import Directions, Ranges, ScoresFile, statements
from dashboard.commands.topic_files import with_topics

if TYPE_CHECKING:
    from core.calibration.calibration import Calibration
    from core.types import Criterion, Label
    from core.weakness.table import WeaknessTable

SHOWN_ROWS = 25


def weakness(
    run: Annotated[Path, typer.Argument(help="Run file.")],
    scores: ScoresFile,
    output: Annotated[Path, typer.Option("-o", "--output", help="Where to write the table (Parquet).")],
    by: Annotated[str | None, typer.Option(help="Dimensions, comma-separated; all by default.")] = None,
    metrics: Annotated[str, typer.Option(help='Metric names, comma-separated, or "all".')] = "all",
    pairs: Annotated[bool, typer.Option("--pairs", help="Also test each pair of levels of two dimensions.")] = False,
    calibration: Annotated[
        Path | None, typer.Option(help="Also test the probability of a pass from this calibration (JSON).")
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option(
            help="The labels (CSV) of that calibration: slices with enough of them are compared by them, and only "
            "these can be weak on the probability of a pass. Intervals include the calibration's error."
        ),
    ] = None,
    positive: Positive = None,
    levels: LevelNames = None,
    topics: Annotated[
        Path | None, typer.Option(help='Topics from `hcat topics` (Parquet), as the dimension "topic".')
    ] = None,
    minimum_n: Annotated[
        int, typer.Option(help="Slices with fewer samples are reported as insufficient evidence.")
    ] = 10,
    directions: Directions = None,
    ranges: Ranges = None,
    as_json: AsJson = False,
) -> None:
    """Compare each slice with the rest: n, mean, interval, difference, q over all slices tested, verdict."""
    from core.analysis.files import run_from_files
    from core.analysis.weaknesses import find_calibrated_weaknesses, find_weaknesses
    from core.calibration.calibration import Calibration
    from core.weakness.files import write_weaknesses
    from core.weakness.table import combine
    from core.wording.weakness import sentences

    if labels is not None and calibration is None:
        raise HcatError("--labels measure the error of a calibration: add --calibration")
    columns = open_columns(run, scores, statements(directions, ranges))
    if topics is not None:
        columns = with_topics(columns, topics)
    chosen = None if by is None else [name.strip() for name in by.split(",") if name.strip()]
    names = list(columns.scores.metrics) if metrics == "all" else [name.strip() for name in metrics.split(",")]
    warn_of_clusters(columns)
    opened = run_from_files(columns)
    tables = [find_weaknesses(opened, name, by=chosen, pairs=pairs, minimum_n=minimum_n) for name in names]
    if calibration is not None:
        fitted = Calibration.from_json(read_text(calibration))
        judged, on = _labels_of(fitted, labels, positive, levels)
        opened = run_from_files(columns, judged)
        tables.append(find_calibrated_weaknesses(opened, fitted, on, by=chosen, pairs=pairs, minimum_n=minimum_n))
    found = combine(tables)
    given = {"run": run, "scores": scores, "calibration": calibration, "labels": labels, "topics": topics}
    inputs = {name: path for name, path in given.items() if path is not None}
    about = document(
        inputs=inputs,
        settings={
            "by": list(found.settings.by),
            "pairs": pairs,
            "minimum_n": minimum_n,
            "q": found.settings.q,
            **level_settings(levels, None),
        },
        n_tests=found.settings.n_tests,
        refits=found.settings.refits,
        notes=list(sentences(found)),
    )
    write_weaknesses(found, output, about=about)
    if as_json:
        print_document({**about, "rows": json.loads(found.frame.to_json(orient="records"))})
        return
    _print_weaknesses(found, title=f"{counted(found.settings.n_tests, 'slice')} tested → {output}")
    for sentence in sentences(found):
        typer.echo(sentence)


def _labels_of(
    fitted: Calibration, labels: Path | None, positive: str | None, levels: str | None
) -> tuple[tuple[Label, ...], Criterion | None]:
    """The labels of the calibration and its criterion; None if no file is given."""
    if labels is None:
        return (), None
    stated = stated_criterion(fitted.criterion, levels, positive)
    preview = read_label_file(labels, criterion=fitted.criterion, positive=positive, run=None, levels=stated)
    return preview.labels, calibrated_criterion(preview, fitted)


def _print_weaknesses(found: WeaknessTable, *, title: str) -> None:
    from core.display.numbers import format_difference, format_number, format_p_value
    from core.weakness.slices import row_slice
    from core.weakness.table import ranked

    rows = ranked(found).head(SHOWN_ROWS)
    print_table(
        f"{title}; the weakest {len(rows)} of {len(found.frame)}",
        ("slice", "metric", "n", "mean", "95% interval", "shrunken", "difference", "q", "verdict"),
        [
            (
                row_slice(row).title,
                str(row["metric"]),
                str(row["n"]),
                format_number(row["mean"]),
                f"{format_number(row['low'])} … {format_number(row['high'])}",
                format_number(row["shrunken"]),
                format_difference(row["difference"]),
                format_p_value(row["q"]),
                str(row["verdict"]),
            )
            for _, row in rows.iterrows()
        ],
    )
