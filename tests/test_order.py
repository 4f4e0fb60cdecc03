"""The order in which tests are handed out: nothing is lost, what begins begins, and what it names is there."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import pytest

from hcat.core.settings import ROOT
from tests.conftest import COLLECTED
from tests.order import LONGEST, TOGETHER, by_turns


def test_what_is_named_is_there() -> None:
    places = {*LONGEST, *(place for places in TOGETHER.values() for place in places)}
    assert [place for place in places if not (ROOT / place).exists()] == []


def test_files_with_a_browser_come_among_the_others_and_the_longest_first() -> None:
    files = [f"tests/core/test_{n}.py" for n in range(10)] + [f"tests/browser/test_{n}.py" for n in range(4)]
    files += [LONGEST[0], "tests/pages/test_pages.py"]
    names = [f"{file}::test_{k}" for file in files for k in range(2)]
    items: Sequence[pytest.Item] = [SimpleNamespace(nodeid=name) for name in names]  # type: ignore[misc]
    ordered = [item.nodeid for item in by_turns(items)]
    assert sorted(ordered) == sorted(names)
    assert [name.partition("::")[0] for name in ordered[:4:2]] == [LONGEST[0], "tests/pages/test_pages.py"]
    with_browser = [place for place, name in enumerate(ordered) if "/browser/" in name]
    assert len({place // 6 for place in with_browser}) == 5  # in each of the parts of the queue


def test_the_tests_of_this_session_are_in_this_order(request: pytest.FixtureRequest) -> None:
    collected = request.config.stash[COLLECTED]
    assert collected == by_turns(collected)
