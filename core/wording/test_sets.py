"""What became of candidates for a test set, in tables and documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.display.numbers import counted, format_count
from core.records.layout import JsonObject

if TYPE_CHECKING:
    from core.testgen.selection import Selection


def selection_document(selection: Selection) -> JsonObject:
    """Counts and reasons, as `hcat select --json` prints them."""
    return {
        "examined": selection.examined,
        "accepted": len(selection.accepted),
        "dropped": {**selection.reasons},
    }


def selection_sentence(selection: Selection) -> str:
    """Such as "120 of 150 candidates accepted, 30 dropped"."""
    return (
        f"{format_count(len(selection.accepted))} of {counted(selection.examined, 'candidate')} accepted, "
        f"{format_count(len(selection.dropped))} dropped"
    )
