"""Texts that were erased, and for how long a project keeps texts, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Erasure:
    """Who had the text of which sample erased, when and why."""

    run: str
    run_hash: str
    sample_id: str
    author: str
    reason: str
    at: datetime

    @property
    def statement(self) -> str:
        """What stands where the text was."""
        return f"text erased on {self.at:%Y-%m-%d} by {self.author}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Traces:
    """What else holds the text of samples, or words about it: versions of the report and files of judges, out of which
    it goes with the erasure; test sets and notes of people, which stay."""

    reports: Sequence[int] = ()
    judgements: int = 0
    test_sets: Sequence[str] = ()
    notes: int = 0


@dataclass(frozen=True, slots=True)
class Retention:
    """For how many days after its import a project keeps the texts of a run, and who settled that; None: for ever."""

    days: int | None
    author: str
    at: datetime


@dataclass(frozen=True, slots=True)
class DueRun:
    """A run with `texts` that are not erased, and when a project's retention has them erased; `waiting` names the
    version of a report on it that waits for its approval, before which they stay."""

    run: str
    texts: int
    due: datetime
    waiting: int | None = None

    def is_due(self, now: datetime) -> bool:
        """Whether the texts are to go now."""
        return self.due <= now and self.waiting is None
