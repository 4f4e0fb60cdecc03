"""The declaration of one capability: what the menu, the command line, the report, the roles and the glossary read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Literal

from hcat.core.records.people import Reading

MenuSection = Literal["Project", "Tests", "Explore", "Judge", "Act", "Report", "Help"]
Area = Literal["anybody", "label", "prepare", "decide", "approve", "administer"]
"""A group of actions that the same roles may do."""


@dataclass(frozen=True, slots=True)
class Page:
    """The screen of a capability, `pages/NAME.py`, and its place in the menu.

    `reads` is what it shows of the chosen project; None for what belongs to no project.
    """

    title: str
    icon: str
    section: MenuSection
    reads: Reading | None = "results"


@dataclass(frozen=True, slots=True)
class Capability:
    """One thing that a validator can do with hcat. A place is "module:attribute", relative to the capability's folder.

    `commands` maps names on the command line to places in `hcat.dashboard.capabilities.NAME`: functions, or groups of
    them. All other places are in `hcat.core.capabilities.NAME`: `chapters` are those of `Chapter`s, `evidence` is that
    of a function from an opened run to what they report of it (None for nothing), and `terms` are those of entries of
    the glossary, by its sections. `actions` are the changes of a project that it makes. German is in its `de.po`.
    """

    name: str
    page: Page | None = None
    commands: Mapping[str, str] = field(default_factory=dict)
    chapters: tuple[str, ...] = ()
    evidence: str = ""
    terms: Mapping[str, str] = field(default_factory=dict)
    actions: Mapping[str, Area] = field(default_factory=dict)

    def part(self, place: str, *, of: Literal["core", "dashboard"] = "core") -> object:
        """The object at a place. ImportError or AttributeError where there is none."""
        module, _, attribute = place.partition(":")
        return getattr(import_module(f"hcat.{of}.capabilities.{self.name}.{module}"), attribute)
