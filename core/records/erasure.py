"""Texts that were erased, and for how long a project keeps texts, as plain values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from hcat.core.types import JsonValue


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
    """What else holds the text of samples, or words about it: versions of the report, files of judges and searches for
    topics, out of which it goes with the erasure; other runs, test sets and notes of people, which stay."""

    reports: Sequence[int] = ()
    judgements: int = 0
    topics: int = 0
    runs: Sequence[str] = ()
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


@dataclass(frozen=True)
class Renamed:
    """Names that were made of texts, as titles of topics are, and what they are called since the texts are erased."""

    names: Mapping[str, str]

    def text(self, text: str) -> str:
        """The text by the new names, wherever one of the old stands as words of their own."""
        if not self.names:
            return text
        longest_first = sorted(self.names, key=len, reverse=True)
        old = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE)
        new = {name.casefold(): given for name, given in self.names.items()}
        return old.sub(lambda found: new[found.group().casefold()], text)

    def document(self, document: JsonValue) -> JsonValue:
        """The same of all strings of a document, names of fields among them."""
        if isinstance(document, str):
            return self.text(document)
        if isinstance(document, list):
            return [self.document(item) for item in document]
        if isinstance(document, dict):
            return {self.text(name): self.document(value) for name, value in document.items()}
        return document

    def fields(self, document: Mapping[str, object]) -> dict[str, object]:
        """The same of a JSON column of a row."""
        return cast("dict[str, object]", self.document(cast("JsonValue", dict(document))))


NO_NAMES = Renamed({})
