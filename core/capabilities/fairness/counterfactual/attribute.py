"""Attributes of people in counterfactual variants, and the groups of each with the words for them."""

from __future__ import annotations

from dataclasses import dataclass

FORM = "form"
"""Metadata key: how the group is expressed in the query: "stated" before it, or "replaced" within it."""


@dataclass(frozen=True, slots=True)
class Group:
    """A group of people. `statement` is put before a query. `adjective`, `noun` and `plural` are the words by which a
    query may name it, "" if English has none. `aliases` are other adjectives that are recognised but never written."""

    name: str
    statement: str
    adjective: str = ""
    noun: str = ""
    plural: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute by which people differ. The first group is the default reference.

    A query with one of the words of `speaks_of` is about the attribute itself: its right answer may depend on the
    group, so no counterfactual is made from it."""

    name: str
    title: str
    groups: tuple[Group, ...]
    speaks_of: tuple[str, ...] = ()
