"""Cells that a spreadsheet would run as a formula, made harmless and back."""

from __future__ import annotations

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def escape_formula(cell: str) -> str:
    """The cell with a leading apostrophe where a spreadsheet would otherwise take it for a formula."""
    return f"'{cell}" if cell.startswith((*FORMULA_STARTS, "'")) else cell


def unescape_formula(cell: str) -> str:
    """The inverse of `escape_formula`. A cell that only happens to start with an apostrophe stays as it is."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith((*FORMULA_STARTS, "'")) else cell
