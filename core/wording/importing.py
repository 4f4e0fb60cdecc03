"""Sentences about a file that was read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.display.numbers import counted
from core.scoring.languages import languages_of
from core.wording.languages import language_warning, languages_text

if TYPE_CHECKING:
    from core.importers import Preview


NO_CONTEXTS = (
    "Note: no sample of the file has contexts, so metrics that compare with contexts have no scores. If a column holds "
    "them, map it."
)


def notes_on_file(preview: Preview) -> tuple[str, ...]:
    """What is to be known before a run file is imported: no contexts, and columns where a number was read as a text."""
    without = preview.samples and not any(sample.contexts for sample in preview.samples)
    languages = languages_of(preview.samples)
    warning = language_warning(languages)
    about = (f"Note: {languages_text(languages, len(preview.samples))}", f"Note: {warning}.") if warning else ()
    return (*((NO_CONTEXTS,) if without else ()), *about, *_notes_on_texts(preview))


def _notes_on_texts(preview: Preview) -> tuple[str, ...]:
    """One sentence for each column where a number or true/false was read as a text."""
    return tuple(
        f"Note: in {counted(rows, 'row')}, column {column} holds a number or true/false; it is read as that text."
        for column, rows in preview.read_as_text.items()
    )
