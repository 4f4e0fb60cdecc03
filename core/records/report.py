"""A person's conclusion on a system under validation, and the reports that were built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from hcat.core.types import JsonValue

Rating = Literal["fit for the stated purpose", "fit with conditions", "not fit", "no opinion"]
RATINGS: tuple[Rating, ...] = get_args(Rating)


@dataclass(frozen=True, slots=True)
class Opinion:
    """A signed conclusion, written by a person and never derived from numbers.

    `version` counts the opinions on a project; None, without a time, for one outside a project."""

    rating: Rating
    author: str
    reasons: str = ""
    conditions: tuple[str, ...] = ()
    limitations: str = ""
    version: int | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ReportVersion:
    """A built report: its number, who prepared it, what changed, and the SHA-256 of its tree in the file `artifact`.

    `content` is the hash of all but number and date: the same content has the same number. `contents` counts what the
    report is based on."""

    id: int
    project_id: int
    version: int
    hash: str
    content: str
    artifact: str
    author: str
    note: str
    contents: Mapping[str, JsonValue]
    at: datetime
