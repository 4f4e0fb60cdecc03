"""The options by which any command says how its files are to be read: the sheet of a workbook, the meaning of labels.

Commands are registered through `reads_files` and pass nothing on: what was given holds while the command runs, for the
functions that read files.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, ParamSpec, TypeVar, cast
from zipfile import is_zipfile

import typer

from hcat.core.errors import FileFormatError
from hcat.core.inputs.files import FileOptions, reading
from hcat.dashboard.commands.output_files import files_in

P = ParamSpec("P")
R = TypeVar("R")

Sheets = Annotated[
    list[str] | None,
    typer.Option(
        "--sheet",
        help="Of an Excel workbook: the sheet; by default the first. FILE=SHEET where several files are workbooks.",
    ),
]
LevelValues = Annotated[
    list[str] | None,
    typer.Option(
        "--level",
        help='For labels: "VALUE=LEVEL", once per value, such as "Correct Answer=pass" or "Refusal=skip". With '
        "`hcat import` remembered by the project.",
    ),
]


WithoutThoughts = Annotated[
    bool,
    typer.Option(
        "--without-thoughts",
        help="Read as an answer what follows a model's thoughts (<think>…</think>); by default they are a part of it.",
    ),
]


def reads_files(command: Callable[P, R]) -> Callable[..., R]:
    """The command with --sheet, --level and --without-thoughts, which hold while it runs."""
    signature = inspect.signature(command, eval_str=True)
    added = {"sheet": Sheets, "level": LevelValues, "without_thoughts": WithoutThoughts}
    parameters = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=False if kind is WithoutThoughts else None, annotation=kind
        )
        for name, kind in added.items()
    ]

    @functools.wraps(command)
    def with_options(*given: P.args, **named: P.kwargs) -> R:
        without_thoughts = bool(named.pop("without_thoughts", False))
        sheet, level = (cast("list[str] | None", named.pop(name, None)) for name in ("sheet", "level"))
        files = files_in([*given, *named.values()])
        with reading(FileOptions(_sheets(sheet or (), files), _levels(level or ()), without_thoughts)):
            return command(*given, **named)

    with_options.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*signature.parameters.values(), *parameters]
    )
    with_options.__annotations__ = {name: each.annotation for name, each in signature.parameters.items()} | added
    return with_options


def _sheets(given: Sequence[str], files: Sequence[Path]) -> dict[str, str]:
    """The sheet of each workbook. FileFormatError where one is named for a file that is no workbook of the command."""
    workbooks = {path.name for path in files if path.is_file() and is_zipfile(path)}
    sheets: dict[str, str] = {}
    for text in given:
        name, equals, sheet = text.rpartition("=")
        of_file = name if equals and name in {path.name for path in files} else ""
        sheets[of_file] = sheet if of_file else text
        if not workbooks or (of_file and of_file not in workbooks):
            raise FileFormatError(
                f"{of_file + ' is no' if of_file else 'none of the files is an'} Excel workbook: leave --sheet out"
            )
    return sheets


def _levels(given: Sequence[str]) -> dict[str, str]:
    pairs = [pair.rpartition("=") for pair in given]
    for pair, (value, _, level) in zip(given, pairs, strict=True):
        if not value.strip() or not level.strip():
            raise FileFormatError(
                f'--level {pair!r} is not a mapping: write "VALUE=LEVEL", such as "Correct Answer=pass"'
            )
    return {value.strip(): level.strip() for value, _, level in pairs}
