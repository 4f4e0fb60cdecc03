"""Checks of the files that a command is to write, before it begins. Hours of work must not end at a missing folder, and
nothing that is read may be overwritten."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from pathlib import Path
from typing import ParamSpec, TypeVar

from hcat.core.errors import FileFormatError
from hcat.core.records.atomic import file_to_write

P = ParamSpec("P")
R = TypeVar("R")

OUTPUTS = frozenset(
    (
        *("output", "poisoned", "verdicts", "llm_labels", "curve", "accepted", "people", "new_scores", "actions"),
        *("problems", "bad_rows", "leaks", "filtered", "explain", "perturbed_corpus", "dropped", "decisions"),
        *("template_out", "schema_out", "pack", "self_check"),
    )
)
"""The parameters of commands that name a file to write."""


def checks_outputs(command: Callable[P, R]) -> Callable[P, R]:
    """The command, which refuses a file that it could not write, or that it is to read, before it does anything."""
    if not OUTPUTS & set(inspect.signature(command).parameters):
        return command

    @functools.wraps(command)
    def checked(*given: P.args, **named: P.kwargs) -> R:
        outputs = [value for name, value in named.items() if name in OUTPUTS and isinstance(value, Path)]
        inputs = files_in([*given, *(value for name, value in named.items() if name not in OUTPUTS)])
        check_outputs(outputs, inputs)
        return command(*given, **named)

    return checked


def check_outputs(outputs: Sequence[Path], inputs: Sequence[Path]) -> None:
    """FileFormatError where one of these files could not be written, is read, or would be written twice."""
    for output in outputs:
        _check(output)
        _check_apart(output, inputs)
    for output, another in combinations(outputs, 2):
        if _is_same(output, another):
            raise FileFormatError(f"two results would be written to {output}: name two files")


def files_in(values: Iterable[object]) -> list[Path]:
    """The files and folders among the values of a command's arguments: paths, texts that name one, also after an equals
    sign, and those of a list."""
    paths: list[Path] = []
    for value in values:
        if isinstance(value, Path):
            paths.append(value)
        elif isinstance(value, list | tuple):
            paths += files_in(value)
        elif isinstance(value, str):
            paths += [named for text in {value, value.rpartition("=")[2]} if text and _exists(named := Path(text))]
    return paths


def _check(path: Path) -> None:
    folder = file_to_write(path).parent
    if not folder.is_dir():
        raise FileFormatError(f"there is no folder {folder} for {path.name}: make it, or name another file")


def _check_apart(output: Path, inputs: Iterable[Path]) -> None:
    """FileFormatError where writing the file would destroy one that is read: by its own path or through any link."""
    if not output.exists():
        return
    for path in inputs:
        if _is_same(output, path):
            raise FileFormatError(
                f"{output} is read by this command and would be overwritten: name another output file"
            )
        if path.is_dir() and _is_document(output) and output.resolve().is_relative_to(path.resolve()):
            raise FileFormatError(f"{output} is a document in {path}, which is read: name another output file")


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # one of them is not there yet
        return one.absolute() == other.absolute()


def _is_document(path: Path) -> bool:
    from hcat.dashboard.capabilities.corpus.commands.corpus_files import DOCUMENTS

    return path.suffix.lower() in DOCUMENTS


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a text that is too long for a path, or holds a NUL
        return False
