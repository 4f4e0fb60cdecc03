"""A policy as stored in a project, and the looks at labels that led to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from hcat.core.types import JsonValue


@dataclass(frozen=True, slots=True)
class PolicyRecord:
    """A version of the policy on one criterion, which somebody switched on: the newest one is in use. `run_id` is the
    run whose labels its thresholds are from; `hash` names what decides in it."""

    id: int
    run_id: int
    criterion: str
    version: int
    hash: str
    document: Mapping[str, JsonValue]
    author: str
    reason: str
    at: datetime

    @property
    def criteria(self) -> tuple[str, ...]:
        """All criteria that it decides on, that of its number first."""
        further = self.document.get("further")
        return (self.criterion, *(further if isinstance(further, Mapping) else ()))


@dataclass(frozen=True, slots=True)
class PolicyLook:
    """One look at what a run's labels show of a policy: `statement` names what was tried, the maps and the promise, on
    `metrics`, at so many `labels`; `labels_hash` names these."""

    statement: str
    metrics: tuple[str, ...]
    labels: int
    labels_hash: str
