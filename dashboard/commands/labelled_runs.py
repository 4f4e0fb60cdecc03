"""The options by which a command names the run that it works on: files, or a run of a project."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, TypeVar, cast

import typer

from hcat.core.inputs.inputs import Inputs
from hcat.dashboard.commands.label_files import LevelNames, Passing, Positive
from hcat.dashboard.commands.score_files import Directions, Ranges, statements

R = TypeVar("R")

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
RunOfLabels = Annotated[
    str | None, typer.Option("--run", help="Use only the labels of this run; with --project, the run.")
]
LABELS = {"positive": Positive, "levels": LevelNames, "passing": Passing}
SCORES = {"directions": Directions, "ranges": Ranges}
LABELLED = {
    "scores": OptionalScores,
    "labels": OptionalLabels,
    "name": RunOfLabels,
    "project": ProjectRun,
    **LABELS,
    **SCORES,
}


def takes_inputs(options: Mapping[str, object]) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """A command with these options in place of its first parameter, the `Inputs` that they fill.

    Each option is named as the field that it fills. The command's own option `criterion` says what labels are on."""

    def with_options(command: Callable[..., R]) -> Callable[..., R]:
        signature = inspect.signature(command, eval_str=True)
        _, *own = (each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in signature.parameters.values())
        added = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)
            for name, kind in options.items()
        ]

        @functools.wraps(command)
        def opening(**named: object) -> R:
            given = {name: named.pop(name) for name in options}
            directions, ranges = (cast("list[str] | None", given.pop(name, None)) for name in SCORES)
            calibration, criterion = given.pop("calibration", None), named.get("criterion")
            inputs = Inputs(
                calibrations=() if calibration is None else (cast(Path, calibration),),
                criteria=(criterion,) if isinstance(criterion, str) else cast("Sequence[str]", criterion or ()),
                stated=statements(directions, ranges),
                **given,  # type: ignore[arg-type]  # each of the type of its field, as typer reads it
            )
            return command(inputs, **named)

        opening.__signature__ = signature.replace(parameters=[*added, *own])  # type: ignore[attr-defined]
        opening.__annotations__ = {each.name: each.annotation for each in (*added, *own)}
        return opening

    return with_options
