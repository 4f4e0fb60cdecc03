"""Sentences about a file that was read, and about what it will take to read one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from core.display.numbers import counted
from core.scoring.bare_texts import bare_among
from core.weakness.sample_columns import ColumnsOfSamples
from core.wording.bare_references import bare_references_note
from core.wording.languages import language_warning, languages_text

if TYPE_CHECKING:
    from core.importers import Preview
    from core.records.job import JobForecast
    from core.records.samples.columns import SampleColumns
    from core.types import Sample


NO_CONTEXTS = (
    "Note: no sample of the file has contexts, so metrics that compare with contexts have no scores. If a column holds "
    "them, map it."
)


def notes_on_file(preview: Preview) -> tuple[str, ...]:
    """What is to be known before a run file is imported: of its samples, and of how its cells were read."""
    return (*notes_on_samples(preview.samples), *notes_on_texts(preview))


def notes_on_samples(samples: Iterable[Sample]) -> tuple[str, ...]:
    """What is to be known before samples are scored: no contexts, languages that metrics were not
    validated in, and references that state nothing."""
    return notes_on_columns(ColumnsOfSamples(samples))


def notes_on_columns(columns: SampleColumns) -> tuple[str, ...]:
    """The same by the columns of a run."""
    contexts = columns.numbers("contexts")
    without = len(contexts) > 0 and not contexts.any()
    languages = columns.levels("language").counts()
    warning = language_warning(languages)
    about = (f"Note: {languages_text(languages, len(contexts))}", f"Note: {warning}.") if warning else ()
    bare = bare_references_note(bare_among(columns.levels("reference_kind")))
    return (*((NO_CONTEXTS,) if without else ()), *about, *((f"Note: {bare}",) if bare else ()))


def notes_on_texts(preview: Preview) -> tuple[str, ...]:
    """One sentence for each column where a number or true/false was read as a text."""
    return tuple(
        f"Note: in {counted(rows, 'row')}, column {column} holds a number or true/false; it is read as that text."
        for column, rows in preview.read_as_text.items()
    )


def forecast_sentence(forecast: JobForecast) -> str:
    """About how long it takes, how much memory, and how much disk."""
    return (
        f"About {float(f'{forecast.rows:.2g}'):,.0f} rows: {_duration(forecast.seconds)} on one processor, "
        f"{_size(forecast.memory)} of memory, {_size(forecast.disk)} of disk."
    )


def scoring_forecast_sentence(forecast: JobForecast) -> str:
    """The same before a run is scored. Of the time an upper bound is told: texts that come again are read once."""
    return (
        f"{forecast.rows:,} samples: up to {_duration(forecast.seconds)} on one processor, by the first samples, "
        "without the answers of a language model; "
        f"about {_size(forecast.memory)} of memory, up to {_size(forecast.disk)} of disk."
    )


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(round(seconds), 1)} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _size(size: float) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{max(size / 1e6, 0.1):.1f} MB"
