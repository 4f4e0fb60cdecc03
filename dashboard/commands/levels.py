"""Which levels labels have: the options of the commands that read a label file, and what they come to."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Annotated

import typer

from core.errors import FileFormatError

if TYPE_CHECKING:
    from core.types import Criterion, JsonValue

Positive = Annotated[
    str | None,
    typer.Option("--positive", help="The label that counts as a pass, against one other; of more, give --levels."),
]
LevelNames = Annotated[
    str | None,
    typer.Option("--levels", help="The levels of the labels, from worst to best, comma-separated."),
]
Passing = Annotated[
    str | None,
    typer.Option("--passing", help="The lowest level that counts as a pass; the middle one where left out."),
]


def stated_criterion(name: str, levels: str | None, positive: str | None) -> Criterion | None:
    """The criterion with these levels, of which the upper half passes; None where none are stated.

    A level with a comma in its name stands in double quotes, as in a CSV file.
    """
    from core.types import Criterion

    if levels is None:
        return None
    if positive is not None:
        raise FileFormatError("--levels and --positive both say what passes: give --levels, with --passing if need be")
    names = tuple(level.strip() for level in next(csv.reader([levels], skipinitialspace=True), []))
    if len(names) < 2 or not all(names) or len({level.casefold() for level in names}) < len(names):
        raise FileFormatError(
            f"--levels takes two or more different names from worst to best, such as wrong,partly,right; not {levels!r}"
        )
    return Criterion(name, names, passing=(len(names) + 1) // 2)


def level_settings(levels: str | None, passing: str | None) -> dict[str, JsonValue]:
    """What of these is stated, as settings of a JSON document."""
    return {name: value for name, value in (("levels", levels), ("passing", passing)) if value is not None}
