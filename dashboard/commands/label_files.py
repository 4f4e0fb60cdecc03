"""Label files on the command line: the options that say how to read one, and the labels it gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from hcat.core.types import JsonValue

Positive = Annotated[
    str | None,
    typer.Option(
        "--positive", help="The label that counts as a pass, if there are two; for more than two, use --levels."
    ),
]
LevelNames = Annotated[
    str | None,
    typer.Option("--levels", help="The levels of the labels, from worst to best, comma-separated."),
]
Passing = Annotated[
    str | None,
    typer.Option("--passing", help="The lowest level that counts as a pass; by default, the middle one."),
]


def level_settings(levels: str | None, passing: str | None) -> dict[str, JsonValue]:
    """The options that were given, as settings of a JSON document."""
    return {name: value for name, value in (("levels", levels), ("passing", passing)) if value is not None}
