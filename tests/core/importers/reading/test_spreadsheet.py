"""No cell that is written begins a formula, and label files come back as they were."""

from __future__ import annotations

import pytest

from core.importers.reading.spreadsheet import escape_formula, unescape_formula


@pytest.mark.parametrize("cell", ["=1+1", "\n=1+1", "\r=1", "\t=1", "@SUM(1)", "\uff1dHYPERLINK(1)", "\uff0b1", "'x"])
def test_what_a_spreadsheet_would_run_is_text(cell: str) -> None:
    assert escape_formula(cell) == f"'{cell}"
    assert unescape_formula(escape_formula(cell)) == cell
