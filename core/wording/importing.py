"""Sentences about a file that was read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.display.numbers import counted
from core.scoring.bare_texts import bare_references
from core.scoring.languages import languages_of
from core.wording.bare_references import bare_references_note
from core.wording.languages import language_warning, languages_text

if TYPE_CHECKING:
    from core.importers import Preview
    from core.types import Sample


NO_CONTEXTS = (
    "Note: no sample of the file has contexts, so metrics that compare with contexts have no scores. If a column holds "
    "them, map it."
)


def notes_on_file(preview: Preview) -> tuple[str, ...]:
    """What is to be known before a run file is imported: of its samples, and of how its cells were read."""
    return (*notes_on_samples(preview.samples), *notes_on_texts(preview))


def notes_on_samples(samples: Sequence[Sample]) -> tuple[str, ...]:
    """What is to be known before samples are scored: no contexts, languages that metrics were not
    validated in, and references that state nothing."""
    without = samples and not any(sample.contexts for sample in samples)
    languages = languages_of(samples)
    warning = language_warning(languages)
    about = (f"Note: {languages_text(languages, len(samples))}", f"Note: {warning}.") if warning else ()
    bare = bare_references_note(bare_references(samples))
    return (*((NO_CONTEXTS,) if without else ()), *about, *((f"Note: {bare}",) if bare else ()))


def notes_on_texts(preview: Preview) -> tuple[str, ...]:
    """One sentence for each column where a number or true/false was read as a text."""
    return tuple(
        f"Note: in {counted(rows, 'row')}, column {column} holds a number or true/false; it is read as that text."
        for column, rows in preview.read_as_text.items()
    )
