"""In which order the files of tests are handed to the workers, and which of them go to the same one.

A worker whose test drives a browser or waits for another process leaves its core idle. So files of either kind come by
turns; those that take longest begin, so that the workers end together.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

OF_THE_DEMO = ("test_the_demo", "test_installed_wheel", "test_clicks", "test_contrast")
"""One worker takes these, so that the demo is loaded once."""
LONGEST = (
    *OF_THE_DEMO,
    "test_whole_line",
    "test_untrusted_text",
    "test_team_labelling_screens",
    "test_review_walk",
    "test_large_run",
    "test_pages",
)
"""The files that take a worker longest, the longest first."""
BEFORE_THE_END = 0.8
"""The share of the other files among which those with a browser are spread."""


class ByFile(LoadFileScheduling):
    """A file goes to one worker, and all that need the demo go to the same."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return "demo" if Path(file).stem in OF_THE_DEMO else file


def scheduler(config: pytest.Config, log: Producer) -> ByFile | None:
    return ByFile(config, log) if config.getvalue("dist") == "loadfile" else None


def by_turns(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """The tests by file, the longest first, and the files with a browser evenly among the others."""
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    rank = {name: place for place, name in enumerate(LONGEST)}
    ordered = sorted(files, key=lambda path: rank.get(path.stem, len(rank)))
    with_browser = [path for path in ordered if "browser" in path.parts]
    others = [path for path in ordered if "browser" not in path.parts]
    turn = {path: BEFORE_THE_END * place / len(with_browser) for place, path in enumerate(with_browser)}
    turn |= {path: place / len(others) for place, path in enumerate(others)}
    return [item for path in sorted(ordered, key=lambda path: turn[path]) for item in files[path]]
