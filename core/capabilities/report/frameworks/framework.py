"""A framework and its clauses, read from YAML files in the folder of this module."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter

from hcat.core.records.file_limits import parse_yaml

FOLDER = Path(__file__).parent
Status = Literal["spoken to", "partly", "missing", "not in this software"]


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause by its `number`: its demand in our own words, the chapters that address it, and the `gap` that no report
    of this software can fill."""

    number: str
    asks: str
    chapters: tuple[str, ...] = ()
    gap: str = ""


@dataclass(frozen=True, slots=True)
class Framework:
    """One edition of a framework. `version` counts the changes of our map of it, `checked` is the date and source of
    the comparison of its clauses with the original, `note` its applicability."""

    id: str
    title: str
    edition: str
    version: int
    checked: str
    note: str
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class ClauseStatus:
    """Coverage of a clause by a report: the chapters with evidence, and those without."""

    clause: Clause
    status: Status
    there: tuple[str, ...]
    missing: tuple[str, ...]


@cache
def frameworks() -> tuple[Framework, ...]:
    """All that this software knows, by id."""
    reader = TypeAdapter(Framework)
    paths = sorted(FOLDER.glob("*.yaml"))
    return tuple(reader.validate_python(parse_yaml(path.read_text("utf-8"), name=path.name)) for path in paths)


def framework_names() -> tuple[str, ...]:
    """Their ids."""
    return tuple(each.id for each in frameworks())


def find_framework(name: str) -> Framework:
    """The framework of this id. StopIteration for an unknown one: templates are checked before."""
    return next(each for each in frameworks() if each.id == name)


def clause_status(clause: Clause, evidenced: Collection[str]) -> ClauseStatus:
    """The clause in a report whose chapters in `evidenced` report something.

    Spoken to: each of its chapters reports something, and nothing of it is beyond this software. Whether that fulfils
    what the clause asks is not said.
    """
    there = tuple(name for name in clause.chapters if name in evidenced)
    missing = tuple(name for name in clause.chapters if name not in evidenced)
    if not clause.chapters:
        return ClauseStatus(clause, "not in this software", there, missing)
    status: Status = "missing" if not there else "partly" if missing or clause.gap else "spoken to"
    return ClauseStatus(clause, status, there, missing)
