"""Variants are a dimension of their run."""

from __future__ import annotations

from hcat.core.slices.slices import dimension_frame
from hcat.core.types import Sample, Variant


def test_the_family_is_a_dimension_where_there_are_variants() -> None:
    origin = Sample("a", "q", "yes")
    variant = Sample("b", "q?", "yes", variant=Variant("spelling", "a"))
    assert list(dimension_frame([origin, variant])["variant"]) == ["original", "spelling"]
    assert "variant" not in dimension_frame([origin, Sample("c", "longer q", "no")])
