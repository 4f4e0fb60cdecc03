"""The floor plan: no module imports in a loop, no folder is a heap, and few imports run against the order of rooms."""

from __future__ import annotations

from benchmarks.structure import import_loops, measure, module_imports
from core.settings import ROOT

MOST_FILES = 30


def test_no_modules_import_each_other_in_a_loop() -> None:
    assert import_loops(module_imports(ROOT)) == []


def test_loops_are_found_where_there_are_some() -> None:
    assert import_loops({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [{"a", "b", "c"}]


def test_no_folder_is_a_heap_and_rooms_stand_in_order() -> None:
    structure = measure(ROOT)
    assert structure.most_files <= MOST_FILES
    assert structure.arrows_up <= 2
