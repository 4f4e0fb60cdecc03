"""Progress of gathering a report's evidence: part by part, each named by its chapter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from hcat.core.capabilities.report.chapters import CHAPTERS
from hcat.core.types import OnProgress, Progress

Item = TypeVar("Item")

PARTS = 18
"""So many parts `hcat.core.capabilities.report.analysis.evidence` gathers."""


class Gathering:
    """Reports each part before it is gathered; `on_progress` may raise to stop the work."""

    def __init__(self, on_progress: OnProgress | None) -> None:
        self._on_progress, self._done = on_progress, 0

    def __call__(self, chapter: str, items: Iterable[Item]) -> tuple[Item, ...]:
        """All items, which are computed here where they are lazy."""
        if self._on_progress is not None:
            self._on_progress(Progress(CHAPTERS[chapter].title, self._done, PARTS, self._done / PARTS))
        self._done += 1
        return tuple(items)


def within(on_progress: OnProgress | None, start: float, end: float) -> OnProgress | None:
    """The same progress, as the part from `start` to `end` of longer work."""
    if on_progress is None:
        return None
    return lambda part: on_progress(
        Progress(part.stage, part.done, part.total, start + (end - start) * (part.share or 0.0))
    )
