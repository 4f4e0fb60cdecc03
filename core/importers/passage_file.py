"""Reads a file of passages, within the limits."""

from __future__ import annotations

from pathlib import Path

from hcat.core.importers.limits import Limits
from hcat.core.records.passages import CorpusPassage, read_passages


def read_passage_file(path: Path) -> tuple[CorpusPassage, ...]:
    """The passages of a JSON Lines file, as `read_passages`; LimitError if it is too large."""
    limits = Limits.from_settings()
    return read_passages(path, most_bytes=limits.max_bytes, most_values=limits.max_values)
