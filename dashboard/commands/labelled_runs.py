"""The options by which a command names the run that it works on: files, or a run of a project."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

OptionalScores = Annotated[
    Path | None, typer.Argument(metavar="SCORES", help="Scores from `hcat score` (Parquet), or your own.")
]
OptionalLabels = Annotated[
    Path | None,
    typer.Argument(metavar="LABELS", help="Labels (CSV): sample_id, criterion, label[, annotator, run, …]."),
]
ProjectRun = Annotated[
    str | None, typer.Option("--project", help="Instead of files: a project, whose run is named by --run.")
]
StoredRun = Annotated[str | None, typer.Option("--run", help="With --project: the run.")]
