"""Sentences about a file that was read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.display.numbers import counted

if TYPE_CHECKING:
    from core.importers import Preview


def notes_on_texts(preview: Preview) -> tuple[str, ...]:
    """One sentence for each column where a number or true/false was read as a text."""
    return tuple(
        f"Note: in {counted(rows, 'row')}, column {column} holds a number or true/false; it is read as that text."
        for column, rows in preview.read_as_text.items()
    )
