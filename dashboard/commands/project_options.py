"""The options by which a command names a project, one of its runs, a criterion and a slice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from hcat.core.errors import HcatError
from hcat.core.types import Slice

ProjectOption = Annotated[str, typer.Option("--project", help="The project.")]
RunOption = Annotated[str, typer.Option("--run", help="The run of the project.")]
CriterionOption = Annotated[str, typer.Option("--criterion", help="The criterion.")]


def slice_of(pairs: Sequence[str]) -> Slice:
    """The slice that one or two DIMENSION=LEVEL name."""
    levels = [tuple(pair.split("=", 1)) for pair in pairs]
    wrong = next((pair for pair, parts in zip(pairs, levels, strict=True) if len(parts) != 2 or not parts[0]), None)
    if wrong is not None or not 1 <= len(levels) <= 2:
        raise HcatError("name the slice by --where DIMENSION=LEVEL, once, or twice for a pair")
    return Slice(*levels[0]) if len(levels) == 1 else Slice(*levels[0], *levels[1])
