"""The floor plan: no module imports in a loop, and few imports run against the order of rooms."""

from __future__ import annotations

from pathlib import Path

from benchmarks.structure import (
    GROUND,
    LAYERS,
    ROOTS,
    by_hand_rows,
    capability_rows,
    import_loops,
    markdown,
    measure,
    product_files,
)
from hcat.core.capabilities import NAMES
from hcat.core.settings import ROOT


def test_loops_are_found_where_there_are_some() -> None:
    assert import_loops({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [{"a", "b", "c"}]


def test_there_are_no_loops_and_rooms_stand_in_order() -> None:
    structure = measure(ROOT)
    assert structure.loops == ()
    assert structure.arrows_up <= 2


def test_every_file_is_in_one_cell_and_no_rule_is_idle() -> None:
    cells = product_files(ROOT)
    kinds = (
        path for folder in (*ROOTS, "tests") for path in (ROOT / folder).rglob("*") if path.suffix in {".py", ".po"}
    )
    assert cells.keys() == {path.relative_to(ROOT).as_posix() for path in kinds}
    assert {layer for _, layer in cells.values()} == set(LAYERS)
    assert {capability for capability, _ in cells.values()} == {GROUND, *NAMES}
    head, *rows, total = capability_rows(ROOT)
    assert {row[0] for row in rows} == {GROUND, *NAMES}
    assert all(int(row[1]) <= 3 for row in rows if row[0] != GROUND), "a folder in core, one in dashboard, and pages"
    for column in range(2, len(head)):
        assert sum(int(row[column]) for row in rows) == int(total[column])
    assert int(total[-1]) == sum(len((ROOT / name).read_text("utf-8").splitlines()) for name in cells)
    assert cells["core/capabilities/fairness/chapter.py"] == ("fairness", "report")


def test_what_is_written_by_hand_is_counted(tmp_path: Path) -> None:
    for folder, source in {
        "core": "def gap_document(): Table(); Table()\ndef gap_of_files(): pass\ndef gap_of_project(): pass",
        "dashboard": "def print_table(): pass\ndef _in_project(): st.dataframe(1)\ndef data_table(): print_table()",
        "pages": "def read_files(): pass\ndef stored(): pass",
    }.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "it.py").write_text(source)
    (tmp_path / "README.md").write_text("one\ntwo\n")
    rows = by_hand_rows(tmp_path)
    assert [number for _, number in rows[1:]] == ["1", "1", "2", "1", "1", "2"]
    assert markdown(rows).splitlines()[:3] == ["| written by hand | number |", "|---|---:|", "| tables: terminal | 1 |"]
