"""Cells that a spreadsheet would run as a formula: escaped, and restored."""

from __future__ import annotations

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def escape_formula(cell: str) -> str:
    """The cell, with a leading apostrophe where a spreadsheet would otherwise take it for a formula."""
    return f"'{cell}" if cell.startswith((*FORMULA_STARTS, "'")) else cell


def unescape_formula(cell: str) -> str:
    """The inverse of `escape_formula`. A cell that only happens to start with an apostrophe is left unchanged."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith((*FORMULA_STARTS, "'")) else cell
