"""The texts of a sample in which a search looks."""

from __future__ import annotations

from collections.abc import Iterable

from hcat.core.types import Sample


def searched_texts(sample: Sample) -> list[str | None]:
    """Query, answer, reference, and the texts of the contexts."""
    return [sample.query, sample.answer, sample.reference, *(context.text for context in sample.contexts)]


def holds_text(texts: Iterable[str | None], text: str) -> bool:
    """Whether any of these texts holds the last one, which is in folded case."""
    return any(text in candidate.casefold() for candidate in texts if candidate)
