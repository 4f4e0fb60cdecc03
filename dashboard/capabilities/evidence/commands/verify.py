"""`hcat verify`: whether an evidence pack is what was signed, and its numbers follow from it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from hcat.core.display.control_characters import one_line
from hcat.core.types import JsonValue
from hcat.dashboard.commands.output import AsJson, existing, print_json

UNCHECKED = 3


def verify(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="An evidence pack, from `hcat report --pack`, or the PDF in it.")
    ],
    key: Annotated[
        Path | None, typer.Option("--key", help="The signer's public key (PEM), which you have by another way.")
    ] = None,
    recompute: Annotated[
        bool, typer.Option("--recompute", help="Compute the report's numbers again from the pack, and compare them.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check an evidence pack, or its PDF, without a database.

    Exit code 1 where something differs, with its name; 3 where something could not be checked, such as who signed."""
    from hcat.core.capabilities.evidence.verify import verify as check_pack
    from hcat.core.records.signing import read_public_key

    named = None if key is None else read_public_key(existing(key).read_bytes(), name=str(key))
    found = check_pack(existing(file).read_bytes(), key=named, recompute=recompute)
    if as_json:
        parts: dict[str, JsonValue] = {name: list(lines) for name, lines in asdict(found).items() if name != "signer"}
        parts |= {"intact": found.intact, "signer": found.signer}
        print_json(inputs={"file": file}, settings={"recompute": recompute}, **parts)
    else:
        for line in (found.headline, *found.problems, *found.proved, *found.not_proved):
            typer.echo(one_line(line))
    if not found.intact:
        raise typer.Exit(1 if found.problems else UNCHECKED)
