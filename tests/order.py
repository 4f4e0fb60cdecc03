"""In which order the files of tests are handed to the workers, and which of them go to the same one.

A worker whose test drives a browser or waits for another process leaves its core idle. So files of either kind come by
turns; those that take longest begin, so that the workers end together.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

TOGETHER = {
    "the demo, served": tuple(
        f"tests/browser/test_{name}.py" for name in ("the_demo", "installed_wheel", "clicks", "contrast")
    ),
    "the demo's handbook, encoded": ("tests/core/capabilities/demo/",),
    "code of UMAP, compiled": ("tests/core/topics/",),
}
"""What takes long to make, and the files or folders that share it: one worker takes these."""
LONGEST = (
    *(place for places in TOGETHER.values() for place in places),
    "tests/core/executors/test_ray_work.py",
    "tests/core/scoring/shards/test_ray_cluster.py",
    "tests/browser/test_whole_line.py",
    "tests/browser/test_untrusted_text.py",
    "tests/browser/test_team_labelling_screens.py",
    "tests/browser/test_review_walk.py",
    "tests/browser/test_large_run.py",
    "tests/pages/test_pages.py",
    "tests/core/capabilities/erasure/services/test_erasures.py",
    "tests/core/storage/test_team_labelling.py",
)
"""These begin."""
BEFORE_THE_END = 0.8
"""The share of the other files among which those with a browser are spread."""


class ByFile(LoadFileScheduling):
    """A file goes to one worker, and all that share something go to the same."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return next((name for name, places in TOGETHER.items() if file.startswith(places)), file)


def scheduler(config: pytest.Config, log: Producer) -> ByFile | None:
    return ByFile(config, log) if config.getvalue("dist") == "loadfile" else None


def by_turns(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """The tests by file, the longest first, and the files with a browser evenly among the others."""
    files: dict[str, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.nodeid.partition("::")[0], []).append(item)

    def rank(file: str) -> int:
        return next((place for place, name in enumerate(LONGEST) if file.startswith(name)), len(LONGEST))

    turn: dict[str, float] = {}
    for browser, share in ((True, BEFORE_THE_END), (False, 1.0)):
        some = sorted((file for file in files if ("browser" in PurePath(file).parts) == browser), key=rank)
        turn |= {file: share * place / len(some) for place, file in enumerate(some)}
    return [item for file in sorted(files, key=turn.__getitem__) for item in files[file]]
