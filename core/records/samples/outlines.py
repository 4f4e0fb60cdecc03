"""Samples without their texts, in the form in which they are compared with one another."""

from __future__ import annotations

from dataclasses import dataclass

from hcat.core.records.samples.columns import SampleColumns
from hcat.core.types import Variant


@dataclass(frozen=True, slots=True)
class Outline:
    """A sample without its texts.

    A variant may state what is expected of its answer, which `attribute` and `people` it is about, and which its origin
    is about."""

    id: str
    test_case: str | None = None
    variant: Variant | None = None
    expectation: str | None = None
    attribute: str | None = None
    people: str | None = None
    people_of_origin: str | None = None


def outlines_in(columns: SampleColumns) -> list[Outline]:
    """The samples of a run in order."""
    ids, cases = columns.ids(), columns.levels("test_case").texts()
    families = columns.levels("variant_family")
    if not families.is_given:
        return list(map(Outline, ids, cases))
    strengths = [None if value != value else value for value in columns.numbers("variant_strength").tolist()]
    named = zip(families.texts(), columns.levels("variant_of").texts(), strengths, strict=True)
    variants = [None if family is None else Variant(family, of or "", strength) for family, of, strength in named]
    stated = [columns.levels(name).texts() for name in ("expectation", "attribute", "people", "people_of_origin")]
    return list(map(Outline, ids, cases, variants, *stated))
