"""What `make test` leaves out are larger versions of tests that it runs: no capability is unwatched."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.conftest import COLLECTED
from tests.grids import each_value_once, first_ones

BESIDE = """
import pytest
def test_few(): pass
@pytest.mark.slow(larger_than="test_few")
def test_many(): pass
@pytest.mark.parametrize("n", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_some(n): pass
"""
ALONE = """
import pytest
@pytest.mark.slow
def test_many(): pass
@pytest.mark.slow(larger_than="test_that_is_gone")
def test_more(): pass
@pytest.mark.parametrize("n", [pytest.param(2, marks=pytest.mark.slow)])
def test_some(n): pass
"""


def without_a_smaller_one(items: Sequence[pytest.Item]) -> set[str]:
    """The tests marked as slow whose file has no test that always runs by the name that they give, or by their own."""

    def named(item: pytest.Item) -> str:
        return str(getattr(item, "originalname", item.name))

    always = {(item.path, named(item)) for item in items if item.get_closest_marker("slow") is None}
    return {
        f"{item.path.name}: {item.name}"
        for item in items
        for marker in item.iter_markers("slow")
        if (item.path, marker.kwargs.get("larger_than", named(item))) not in always
    }


def test_each_larger_version_stands_beside_its_smaller_one(request: pytest.FixtureRequest) -> None:
    assert without_a_smaller_one(request.config.stash[COLLECTED]) == set()


@pytest.mark.parametrize(
    ("content", "expected"), [(BESIDE, set()), (ALONE, {"test_many", "test_more", "test_some[2]"})]
)
def test_one_that_stands_alone_is_seen(tmp_path: Path, content: str, expected: set[str]) -> None:
    found: list[pytest.Item] = []

    class Keep:
        def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
            found.extend(items)

    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = slow\n")
    (tmp_path / f"test_in_{tmp_path.name}.py").write_text(content)  # a module is imported once
    arguments = [
        "--collect-only",
        "--import-mode=importlib",
        "-p",
        "no:cacheprovider",
        "--config-file",
        str(tmp_path / "pytest.ini"),
    ]
    assert pytest.main([*arguments, str(tmp_path)], plugins=[Keep()]) == 0
    assert {name.partition(": ")[2] for name in without_a_smaller_one(found)} == expected


def test_each_value_of_a_grid_always_runs_and_the_rest_are_slow() -> None:
    cells = each_value_once("abc", [1, 2])
    assert {cell.values for cell in cells} == {(a, b) for a in "abc" for b in (1, 2)}
    assert [cell.values for cell in cells if not cell.marks] == [("a", 1), ("b", 2), ("c", 1)]
    assert all(mark.name == "slow" for cell in cells for mark in cell.marks)


def test_the_first_values_always_run() -> None:
    assert [(cell.values, bool(cell.marks)) for cell in first_ones("abc", 1)] == [
        (("a",), False),
        (("b",), True),
        (("c",), True),
    ]
