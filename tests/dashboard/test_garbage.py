"""Objects that stay are taken out of the search for garbage, and the search goes on afterwards."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from hcat.dashboard.garbage import freeze_new_modules, frozen_objects


@pytest.fixture(autouse=True)
def searched_again() -> Iterator[None]:
    yield
    gc.unfreeze()


class Node:
    """One of a ring is found only by the search for garbage."""

    def __init__(self) -> None:
        self.next = self


def test_what_is_there_at_the_end_is_not_looked_at_later() -> None:
    with frozen_objects():
        kept = Node()
        assert not gc.isenabled()
    assert gc.isenabled()
    assert not any(each is kept for each in gc.get_objects())
    later = Node()
    assert any(each is later for each in gc.get_objects())


def test_the_search_goes_on_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError), frozen_objects():
        1 / 0  # noqa: B018
    assert gc.isenabled()


def test_what_is_there_when_modules_came_is_not_looked_at_later(monkeypatch: pytest.MonkeyPatch) -> None:
    freeze_new_modules()
    later = Node()
    freeze_new_modules()
    assert any(each is later for each in gc.get_objects())  # nothing was imported
    monkeypatch.setitem(sys.modules, "one_more", ModuleType("one_more"))
    freeze_new_modules()
    assert not any(each is later for each in gc.get_objects())
