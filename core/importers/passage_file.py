"""A file of passages, within the limits that are set."""

from __future__ import annotations

from pathlib import Path

from hcat.core.importers.limits import Limits
from hcat.core.testgen.passages import CorpusPassage, read_passages


def read_passage_file(path: Path) -> tuple[CorpusPassage, ...]:
    """The passages of a JSON Lines file, as `read_passages`; LimitError where there is more than may be read."""
    limits = Limits.from_settings()
    return read_passages(path, most_bytes=limits.max_bytes, most_values=limits.max_values)
