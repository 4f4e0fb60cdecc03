"""Erased texts, and the retention of texts in a project, as plain values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from hcat.core.types import JsonValue


@dataclass(frozen=True, slots=True)
class Erasure:
    """The erasure of a sample's text: person, sample, time and reason."""

    run: str
    run_hash: str
    sample_id: str
    author: str
    reason: str
    at: datetime

    @property
    def statement(self) -> str:
        """The statement in place of the erased text."""
        return f"text erased on {self.at:%Y-%m-%d} by {self.author}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Traces:
    """Other places with the text of samples, or words about it.

    Versions of the report, files of judges and searches for topics, from which it is erased, too; other runs, test sets
    and notes of people, which remain."""

    reports: Sequence[int] = ()
    judgements: int = 0
    topics: int = 0
    runs: Sequence[str] = ()
    test_sets: Sequence[str] = ()
    notes: int = 0


@dataclass(frozen=True, slots=True)
class Retention:
    """For how many days after its import a project stores the texts of a run, and who decided that; None: for ever."""

    days: int | None
    author: str
    at: datetime


@dataclass(frozen=True, slots=True)
class DueRun:
    """A run with `texts` that are not erased, and when a project's retention erases them.

    `waiting` is the version of a report on it that waits for approval, before which they remain."""

    run: str
    texts: int
    due: datetime
    waiting: int | None = None

    def is_due(self, now: datetime) -> bool:
        """Whether the texts are to be erased now."""
        return self.due <= now and self.waiting is None


@dataclass(frozen=True)
class Renamed:
    """Names derived from texts, such as titles of topics, and their replacements since the texts were erased."""

    names: Mapping[str, str]

    def text(self, text: str) -> str:
        """The text with the new names, wherever an old one occurs as whole words."""
        if not self.names:
            return text
        longest_first = sorted(self.names, key=len, reverse=True)
        old = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE)
        new = {name.casefold(): given for name, given in self.names.items()}
        return old.sub(lambda found: new[found.group().casefold()], text)

    def document(self, document: JsonValue) -> JsonValue:
        """The same for all strings of a document, names of fields among them."""
        if isinstance(document, str):
            return self.text(document)
        if isinstance(document, list):
            return [self.document(item) for item in document]
        if isinstance(document, dict):
            return {self.text(name): self.document(value) for name, value in document.items()}
        return document

    def fields(self, document: Mapping[str, object]) -> dict[str, object]:
        """The same for a JSON column of a row."""
        return cast("dict[str, object]", self.document(cast("JsonValue", dict(document))))


NO_NAMES = Renamed({})
