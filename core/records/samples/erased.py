"""The remains of a sample whose text is erased: ids, dimensions, and the numbers that were measured on the text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hcat.core.records.design_weights import PROBABILITY, stated_probability
from hcat.core.types import JsonValue, Sample

MEASURED = "measured"
"""The key of an erased sample's metadata for the measures of its texts."""


def without_text(sample: Sample, statement: str, measured: Mapping[str, JsonValue]) -> Sample:
    """The sample with a statement in place of each text, and with the earlier measures of the texts.

    Of the metadata, which may quote anything, only the design probability remains."""
    design = stated_probability(sample)
    kept: dict[str, JsonValue] = {} if design is None else {PROBABILITY: design}
    return replace(
        sample,
        query=statement,
        answer=None if sample.answer is None else statement,
        contexts=tuple(replace(passage, text=statement) for passage in sample.contexts),
        reference=None if sample.reference is None else statement,
        reference_contexts=tuple(statement for _ in sample.reference_contexts),
        metadata={**kept, MEASURED: dict(measured)},
        erased=statement,
    )


def measured_before(sample: Sample, name: str) -> JsonValue:
    """The measure of this name from before the sample's text was erased; None if there is none."""
    measured = sample.metadata.get(MEASURED)
    return measured.get(name) if isinstance(measured, dict) else None


def level_before(sample: Sample, name: str) -> str | None:
    """The same for a measure that is a text."""
    measured = measured_before(sample, name)
    return measured if isinstance(measured, str) else None
