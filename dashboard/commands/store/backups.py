"""`hcat backup FILE` and `hcat restore FILE`: the whole store as one file, and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.dashboard.commands.output import AsJson, existing, print_json

if TYPE_CHECKING:
    from hcat.core.project.backups import Backup


def backup(
    output: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write, such as hcat-2026-11-23.zip.")],
    as_json: AsJson = False,
) -> None:
    """Write the whole store to one file, also while people work with it."""
    from hcat.core.project.backups import back_up

    _tell("backed up", back_up(output), output, as_json=as_json)


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `hcat backup` wrote.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace the store that is there; a copy of its database is kept.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Put a backup back, once all of it is found to be what was backed up."""
    from hcat.core.project.backups import restore as put_back

    _tell("restored", put_back(existing(file), replace=replace), file, as_json=as_json)


def _tell(done: str, stored: Backup, file: Path, *, as_json: bool) -> None:
    if as_json:
        print_json(
            inputs={"backup": file}, settings={}, schema=stored.schema, files=stored.files, bytes=stored.size, done=done
        )
        return
    typer.echo(f"{done}: schema {stored.schema}, {stored.files:,} files, {stored.size / 1e6:,.1f} MB ({file})")
