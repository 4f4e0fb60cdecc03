"""What people differ by in counterfactual variants: attributes, and the groups of each with the words for them."""

from __future__ import annotations

from dataclasses import dataclass

ATTRIBUTE = "attribute"
"""The metadata that holds which attribute a counterfactual variant is about, such as gender."""

GROUP = "group"
"""The metadata that holds the group of the people in it, such as woman."""

ORIGIN_GROUP = "origin_group"
"""The metadata that holds the group that the origin itself names, where it names one: it stands for that group."""

FORM = "form"
"""The metadata that holds how the group came into the query: "stated" before it, or "replaced" within it."""


@dataclass(frozen=True, slots=True)
class Group:
    """One group. `statement` puts it before a query. `adjective`, `noun` and `plural` are the words by which a query
    may name it, "" where English has none; `aliases` are other adjectives that are understood and never written."""

    name: str
    statement: str
    adjective: str = ""
    noun: str = ""
    plural: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Attribute:
    """What people differ by. The first group is the one that others are compared with by default.

    A query that holds one of the words of `speaks_of` is about the attribute itself: its right answer may depend on
    the group, so that no counterfactual is made of it.
    """

    name: str
    title: str
    groups: tuple[Group, ...]
    speaks_of: tuple[str, ...] = ()
