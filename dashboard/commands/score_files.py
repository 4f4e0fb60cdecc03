"""Score files on the command line: those of hcat, and tables and exports of scores that others gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import FileFormatError, HcatError
from hcat.core.inputs.files import chosen_sheet, score_remarks
from hcat.dashboard.commands.output import print_note

if TYPE_CHECKING:
    from hcat.core.importers import Preview
    from hcat.core.scoring.statements import Statement
    from hcat.core.types import Direction

ScoresFile = Annotated[
    Path,
    typer.Argument(help="Scores from `hcat score` (Parquet), or your own: sample_id and numbers, or a tool's export."),
]
Directions = Annotated[
    list[str] | None,
    typer.Option(
        "--direction", help="METRIC=higher, lower or none, once per metric: which way scores of your own are better."
    ),
]
Ranges = Annotated[
    list[str] | None,
    typer.Option("--range", help="METRIC=LOW..HIGH, once per metric: the ends of the scale of scores of your own."),
]

DIRECTIONS: Mapping[str, Direction] = {"higher": "higher", "lower": "lower", "none": "none"}


def statements(directions: Sequence[str] | None, ranges: Sequence[str] | None) -> dict[str, Statement]:
    """The statements of --direction and --range, by metric. HcatError if one is malformed."""
    from hcat.core.scoring.statements import Statement

    stated_directions = {name: _direction(name, text) for name, text in _pairs(directions, "--direction")}
    stated_ranges = {name: _bounds(name, text) for name, text in _pairs(ranges, "--range")}
    return {
        name: Statement(stated_directions.get(name), stated_ranges.get(name))
        for name in (*stated_directions, *(name for name in stated_ranges if name not in stated_directions))
    }


def import_scores(
    path: Path, project: str, run: str, stated: Mapping[str, Statement], *, overwrite: bool
) -> tuple[str, ...]:
    """Store the file's scores in addition to those of the run; returns the names of their metrics. A file of `hcat
    score` keeps what it says of them."""
    from hcat.core.importers.scores.read_scores import read_scores
    from hcat.core.scoring.score_table import ScoreTable, is_score_file
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        target = workspace.runs.get(project, run)
        if is_score_file(path):
            own = ScoreTable.read(path)
            if stated:
                raise HcatError(f"{path.name} says itself which way is better: leave out --direction and --range")
            workspace.scoring.add_own(target, own)
            return tuple(own.metrics)
        with chosen_sheet(path) as readable:
            file = read_scores(readable, filename=path.name)
        if not file.columns:
            raise FileFormatError(f"{path.name}: none of its columns holds scores")
        table = workspace.scoring.add_from_file(target, file, statements=stated, overwrite=overwrite)
    added = {name: metric for name, metric in table.provenance.from_files.items() if metric.sha256 == file.sha256}
    for line in score_remarks(table, added):
        print_note(line)
    return tuple(added)


def hint_at_scores(path: Path, preview: Preview, project: str, run: str) -> None:
    """Say which columns of an imported run hold numbers that could be metrics, and how they become them."""
    from hcat.core.importers.scores.read_scores import scores_in

    columns = [column.name for column in scores_in(preview, filename=path.name, sha256="").columns]
    if columns:
        again = f"hcat import {path.name} --format scores --project {project} --run {run}"
        print_note(f"{', '.join(columns)}: numbers that can be metrics of the run: `{again}`")


def _pairs(options: Sequence[str] | None, option: str) -> list[tuple[str, str]]:
    pairs = [text.rpartition("=") for text in options or ()]
    for text, (name, _, _) in zip(options or (), pairs, strict=True):
        if not name.strip():
            example = "their_judge=lower" if option == "--direction" else "their_judge=0..5"
            raise HcatError(f"{option} {text!r} names no metric: write it as {option} {example}")
    return [(name.strip(), value.strip()) for name, _, value in pairs]


def _direction(name: str, text: str) -> Direction:
    if text not in DIRECTIONS:
        raise HcatError(f"--direction {name}={text}: a metric is better {', '.join(DIRECTIONS)}")
    return DIRECTIONS[text]


def _bounds(name: str, text: str) -> tuple[float | None, float | None]:
    low, dots, high = text.partition("..")
    try:
        if not dots:
            raise ValueError
        return (float(low) if low.strip() else None, float(high) if high.strip() else None)
    except ValueError:
        raise HcatError(f"--range {name}={text}: write the two ends of the scale as --range {name}=0..5") from None
