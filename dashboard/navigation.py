"""The pages, in the order of the validator's work. To add a page: one file in `pages/`, one row here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hcat.core.records.people import Reading
from hcat.core.settings import ROOT


@dataclass(frozen=True, slots=True)
class PageEntry:
    """One screen: its file in `pages/` and its place in the menu."""

    name: str
    title: str
    icon: str
    section: str
    reads: Reading | None = "results"
    """What it shows of the chosen project; None for what belongs to no project."""

    @property
    def path(self) -> Path:
        return ROOT / "pages" / f"{self.name}.py"


PAGES: tuple[PageEntry, ...] = (
    PageEntry("overview", "Overview", ":material/dashboard:", "Project"),
    PageEntry("runs", "Runs", ":material/upload_file:", "Project"),
    PageEntry("members", "Members", ":material/group_add:", "Project", None),
    PageEntry("corpus", "Corpus", ":material/library_books:", "Tests"),
    PageEntry("test_sets", "Test sets", ":material/quiz:", "Tests"),
    PageEntry("coverage", "Coverage", ":material/fact_check:", "Tests"),
    PageEntry("grammar", "GRAMMAR", ":material/format_quote:", "Tests"),
    PageEntry("collect", "Collect", ":material/forum:", "Tests"),
    PageEntry("topics", "Topics", ":material/scatter_plot:", "Explore"),
    PageEntry("weaknesses", "Weaknesses", ":material/grid_on:", "Explore"),
    PageEntry("robustness", "Robustness", ":material/shield:", "Explore"),
    PageEntry("fairness", "Fairness", ":material/balance:", "Explore"),
    PageEntry("safety", "Safety", ":material/health_and_safety:", "Explore"),
    PageEntry("attacks", "Attacks", ":material/bug_report:", "Explore"),
    PageEntry("retrieval", "Retrieval", ":material/manage_search:", "Explore"),
    PageEntry("samples", "Samples", ":material/article:", "Explore"),
    PageEntry("findings", "Findings", ":material/flag:", "Explore"),
    PageEntry("labelling", "Labelling", ":material/label:", "Judge", "project"),
    PageEntry("agreement", "Agreement", ":material/group:", "Judge"),
    PageEntry("judges", "Judges", ":material/gavel:", "Judge"),
    PageEntry("calibration", "Calibration", ":material/show_chart:", "Judge"),
    PageEntry("estimates", "Estimates", ":material/straighten:", "Judge"),
    PageEntry("trials", "Trials", ":material/repeat:", "Judge"),
    PageEntry("policy", "Policy", ":material/rule:", "Act"),
    PageEntry("risks", "Risks", ":material/gpp_maybe:", "Act"),
    PageEntry("report", "Report", ":material/description:", "Report"),
    PageEntry("audit", "Audit log", ":material/history:", "Report"),
    PageEntry("metrics", "Metrics", ":material/functions:", "Help", None),
    PageEntry("glossary", "Glossary", ":material/dictionary:", "Help", None),
)


def find_page(name: str) -> PageEntry:
    """The page of this name."""
    return next(entry for entry in PAGES if entry.name == name)
