"""The pages' files: one for each entry of the table, short, and without computing."""

from __future__ import annotations

import ast

from hcat.dashboard.navigation import PAGES


def test_every_page_of_the_table_has_its_file_and_is_short() -> None:
    assert {entry.path for entry in PAGES} == set(PAGES[0].path.parent.glob("[!_]*.py"))
    for entry in PAGES:
        assert len(entry.path.read_text("utf-8").splitlines()) < 50, f"{entry.path.name}: move parts into panels"


def test_pages_compute_nothing_themselves() -> None:
    """They say what stands where: no charts, no numbers, no storage."""
    for entry in PAGES:
        imported = {
            node.module or ""
            for node in ast.walk(ast.parse(entry.path.read_text("utf-8")))
            if isinstance(node, ast.ImportFrom)
        }
        foreign = ("plotly", "numpy", "pandas", "hcat.core.storage", "sqlmodel", "hcat.dashboard.charts")
        assert not [module for module in imported if module.startswith(foreign)], entry.path.name
