"""Statements in the metadata of a variant: the expectation of its answer, and the group of people."""

from __future__ import annotations

from typing import cast

from hcat.core.records.test_case import Expectation
from hcat.core.types import Sample

ATTRIBUTE = "attribute"
"""Metadata key: the attribute of a counterfactual variant, such as gender."""
GROUP = "group"
"""Metadata key: the group of the people in it, such as woman."""
ORIGIN_GROUP = "origin_group"
"""Metadata key: the group that the origin itself names, if any; the origin then counts as that group's version."""

EXPECTATIONS = frozenset({"stay", "change", "refuse"})


def stated_expectation(sample: Sample) -> Expectation | None:
    """The expectation that the variant states; None if it states no known one."""
    stated = sample.metadata.get("expectation")
    return cast("Expectation", stated) if isinstance(stated, str) and stated in EXPECTATIONS else None


def stated_people(sample: Sample) -> tuple[str, str] | None:
    """The attribute and the group that a variant states; None for any other sample."""
    attribute, group = sample.metadata.get(ATTRIBUTE), sample.metadata.get(GROUP)
    told = sample.variant is not None and isinstance(attribute, str) and isinstance(group, str)
    return (str(attribute), str(group)) if told else None


def people_of_origin(sample: Sample) -> str | None:
    """The group that the origin of a variant names itself; None if it names none."""
    stated = sample.metadata.get(ORIGIN_GROUP)
    return stated if sample.variant is not None and isinstance(stated, str) else None
