"""The files that a command is to write, looked at before it begins: hours of work must not end at a missing folder."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

from core.errors import FileFormatError
from core.records.atomic import file_to_write

P = ParamSpec("P")
R = TypeVar("R")

OUTPUTS = frozenset(
    (
        *("output", "poisoned", "verdicts", "llm_labels", "curve", "accepted", "people", "new_scores", "actions"),
        *("problems", "bad_rows", "leaks", "filtered", "explain", "perturbed_corpus", "dropped", "decisions"),
        *("template_out", "schema_out", "pack"),
    )
)
"""The parameters of commands that name a file to write."""


def checks_outputs(command: Callable[P, R]) -> Callable[P, R]:
    """The command, which refuses a file that it could not write before it does anything."""
    if not OUTPUTS & set(inspect.signature(command).parameters):
        return command

    @functools.wraps(command)
    def checked(*given: P.args, **named: P.kwargs) -> R:
        for name, value in named.items():
            if name in OUTPUTS and isinstance(value, Path):
                _check(value)
        return command(*given, **named)

    return checked


def _check(path: Path) -> None:
    folder = file_to_write(path).parent
    if not folder.is_dir():
        raise FileFormatError(f"there is no folder {folder} for {path.name}: make it, or name another file")
