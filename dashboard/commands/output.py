"""Output of commands: one table for people, or one JSON document for programs."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core import __version__
from hcat.core.display.control_characters import terminal, visible
from hcat.core.inputs.files import existing as existing
from hcat.core.inputs.files import print_note as print_note
from hcat.core.inputs.files import read_text as read_text
from hcat.core.records.atomic import new_file
from hcat.core.records.codec import JSON
from hcat.core.records.hashing import sha256_of_files

if TYPE_CHECKING:
    import pandas as pd
    from rich.text import Text

    from hcat.core.types import JsonValue, Progress

LONGEST_CELL = 2_000
"""Characters of a cell that a table prints."""
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of a table.")]


def print_table(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], *, numeric: Sequence[bool] | None = None
) -> None:
    """A table on standard output; by default the first column has names, the others numbers."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=_cell(title), title_justify="left", header_style="bold")
    for position, column in enumerate(columns):
        right = position > 0 if numeric is None else numeric[position]
        table.add_column(_cell(column), justify="right" if right else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(_cell, row))
    Console(file=terminal(sys.stdout), width=None if _is_terminal() else 160).print(table)


def _cell(text: str) -> Text:
    """A text of a table as it is: without markup, commands to the terminal and what nobody reads to its end."""
    from rich.text import Text

    shown = visible(text)
    return Text(shown if len(shown) <= LONGEST_CELL else f"{shown[:LONGEST_CELL]}…")


def print_json(*, inputs: Mapping[str, Path], settings: Mapping[str, JsonValue], **parts: JsonValue) -> None:
    """The JSON document of a command: version, content hashes of the inputs, settings, and its own parts."""
    print_document(document(inputs=inputs, settings=settings, **parts))


def print_document(content: Mapping[str, JsonValue]) -> None:
    """One JSON document on standard output, in ASCII where that can't show all else. NaN is written as null."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "")
    shows_all = encoding.startswith("utf")
    typer.echo(json.dumps(JSON.write(content), ensure_ascii=not shows_all, indent=2, allow_nan=False))


def document(
    *, inputs: Mapping[str, Path], settings: Mapping[str, JsonValue], **parts: JsonValue
) -> dict[str, JsonValue]:
    """The document that `print_json` prints, as a dictionary."""
    hashes: dict[str, JsonValue] = {name: sha256_of_files([path]) for name, path in inputs.items()}
    return {"hcat": __version__, "inputs": hashes, "settings": dict(settings), **parts}


def names_in(listed: str) -> list[str]:
    """The names in a comma-separated list."""
    return [name.strip() for name in listed.split(",") if name.strip()]


@contextmanager
def progress_bar() -> Iterator[Callable[[Progress], None]]:
    """A progress bar on a terminal; elsewhere a line on standard error every few seconds, none of quick work."""
    if not _is_terminal():
        yield ProgressLines()
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    from hcat.core.wording.jobs.progress import progress_text

    console = Console(file=terminal(sys.stderr))
    with Bar("{task.description}", Bar.get_default_columns()[1], console=console, transient=True) as bar:
        task, start = bar.add_task("Starting", total=None), time.monotonic()

        def show(progress: Progress) -> None:
            whole = (progress.done, progress.total) if progress.share is None else (progress.share, 1.0)
            text = visible(progress_text(progress, elapsed=time.monotonic() - start))
            bar.update(task, description=text, completed=whole[0], total=whole[1] or None)

        yield show


@dataclass
class ProgressLines:
    """Writes how far the work is, at most once in so many seconds."""

    every: float = 5.0
    clock: Callable[[], float] = time.monotonic
    _start: float = field(init=False)
    _written: float = field(init=False)

    def __post_init__(self) -> None:
        self._start = self._written = self.clock()

    def __call__(self, progress: Progress) -> None:
        """Write a line where the last one, or the start, is long enough ago."""
        from hcat.core.wording.jobs.progress import progress_text

        now = self.clock()
        if now - self._written >= self.every:
            self._written = now
            print_note(f"hcat: {progress_text(progress, elapsed=now - self._start)}")


def _is_terminal() -> bool:
    return terminal(sys.stderr).isatty()


def write_parquet(frame: pd.DataFrame, path: Path, *, about: Mapping[str, JsonValue]) -> None:
    """The frame as Parquet with `about` as JSON in its metadata; the file gets its name only once it is complete."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_pandas(frame, preserve_index=False)
    with new_file(path) as file:
        pq.write_table(table.replace_schema_metadata({"hcat": json.dumps(about, ensure_ascii=False)}), file)
