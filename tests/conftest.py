"""For all tests: properties are tried on the same examples each time, and have no deadline; the command line's tree of
commands, which takes longer to build than most commands take to run, is built once, and so is a new store's schema.

What fails, then fails for everybody, and a busy machine is no fault of the code. `HYPOTHESIS_PROFILE=search` looks for
new examples. Tests that do not say themselves how many get half of Hypothesis's in `make test` (tests/draws.py).
"""

from __future__ import annotations

import gc
import os
from collections.abc import Generator, Iterator
from functools import cache

import pytest
import typer.main
import typer.testing
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from tests import new_stores, order
from tests.draws import fewer

settings.register_profile("fixed", deadline=None, derandomize=True, max_examples=fewer(100))
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))


@pytest.fixture(scope="session", autouse=True)
def commands_built_once() -> Iterator[None]:
    built = cache(typer.main.get_command)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.main, "get_command", built)
        patch.setattr(typer.testing, "_get_command", built)
        yield


@pytest.fixture(scope="session", autouse=True)
def schema_made_once() -> Iterator[None]:
    with new_stores.copied():
        yield


COLLECTED = pytest.StashKey[list[pytest.Item]]()
"""All tests that were found, with those that `-m` leaves out."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """`--no-loadscope-reorder` leaves this order as it is."""
    left_out = {*os.environ.get("HCAT_LEFT_OUT", "").split("\n")}
    needless = [item for item in items if item.nodeid.partition("::")[0] in left_out]
    items[:] = order.by_turns([item for item in items if item not in needless])
    if needless:
        config.hook.pytest_deselected(items=needless)
    config.stash[COLLECTED] = list(items)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadFileScheduling | None:
    return order.scheduler(config, log)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """What was imported and collected is there to the end, so that no search for garbage need look through it."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Generator[None, object, object]:
    """Halves of surrogate pairs, of which many tests are, as escapes: a worker that reports one would die of it."""
    return encodable((yield))


def encodable(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {encodable(key): encodable(item) for key, item in value.items()}
    return type(value)(encodable(item) for item in value) if isinstance(value, list | tuple) else value
