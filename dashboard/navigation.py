"""The pages, in the order of the validator's work. To add a page: one file in `pages/`, one row here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.settings import ROOT


@dataclass(frozen=True, slots=True)
class PageEntry:
    """One screen: its file in `pages/`, its place in the menu, and what one does there."""

    name: str
    title: str
    icon: str
    section: str
    purpose: str

    @property
    def path(self) -> Path:
        return ROOT / "pages" / f"{self.name}.py"


PAGES: tuple[PageEntry, ...] = (
    PageEntry(
        "overview", "Overview", ":material/dashboard:", "Project", "How good, how sure, what is weakest, what next"
    ),
    PageEntry("runs", "Runs", ":material/upload_file:", "Project", "Import a system's answers and score them"),
    PageEntry("topics", "Topics", ":material/scatter_plot:", "Explore", "What the queries are about, on a map"),
    PageEntry(
        "weaknesses", "Weaknesses", ":material/grid_on:", "Explore", "Where the system is weak: evidence or noise"
    ),
    PageEntry("samples", "Samples", ":material/article:", "Explore", "Open an answer and see what it rests on"),
    PageEntry("labelling", "Labelling", ":material/label:", "Judge", "Judge answers by hand, blind to the scores"),
    PageEntry(
        "calibration", "Calibration", ":material/show_chart:", "Judge", "Turn scores into probabilities with guarantees"
    ),
    PageEntry("report", "Report", ":material/description:", "Report", "Evidence that an auditor can follow"),
    PageEntry("metrics", "Metrics", ":material/functions:", "Report", "What each metric means, and its source"),
)


def find_page(name: str) -> PageEntry:
    """The page of this name."""
    return next(entry for entry in PAGES if entry.name == name)
