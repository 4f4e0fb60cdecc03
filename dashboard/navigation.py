"""The pages, in the order of the validator's work. Each is a file in `pages/`, declared by its capability."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from hcat.core.capabilities import CAPABILITIES
from hcat.core.capability import MenuSection
from hcat.core.records.people import Reading
from hcat.core.settings import ROOT


@dataclass(frozen=True, slots=True)
class PageEntry:
    """One screen: its file in `pages/` and its place in the menu."""

    name: str
    title: str
    icon: str
    section: MenuSection
    reads: Reading | None
    """The kind of project data that the page shows; None for what belongs to no project."""

    @property
    def path(self) -> Path:
        return ROOT / "pages" / f"{self.name}.py"


PAGES: tuple[PageEntry, ...] = tuple(
    PageEntry(each.name, each.page.title, each.page.icon, each.page.section, each.page.reads)
    for section in get_args(MenuSection)
    for each in CAPABILITIES
    if each.page is not None and each.page.section == section
)


def find_page(name: str) -> PageEntry:
    """The page of this name."""
    return next(entry for entry in PAGES if entry.name == name)
