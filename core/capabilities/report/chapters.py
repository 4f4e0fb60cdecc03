"""The chapters that a report can have, in the order that a bank expects: title, content, and evidence."""

from __future__ import annotations

from collections.abc import Mapping

from hcat.core.capabilities import CAPABILITIES
from hcat.core.capabilities.report.chapter import Chapter
from hcat.core.capabilities.report.sections.appendix import appendix_section, verifier_section
from hcat.core.capabilities.report.sections.data import data_section
from hcat.core.capabilities.report.sections.limitations import limitations_section
from hcat.core.capabilities.report.sections.references import references_section
from hcat.core.capabilities.report.sections.reproducibility import reproducibility_section
from hcat.core.capabilities.report.sections.scope import scope_section
from hcat.core.capabilities.report.sections.summary import summary_section

FRAMEWORKS, CHANGES = "frameworks", "changes"
"""The chapters about the other chapters: they are made last, and need more than the evidence."""

FRAME = (
    Chapter("summary", "Executive summary", summary_section, lambda e: e.opinion),
    Chapter("scope", "Scope, intended use and limits", scope_section, lambda e: e.register and e.register.scope.use),
    Chapter("data", "System and data", data_section, lambda e: e.runs),
    Chapter("limitations", "Limitations", limitations_section),
    Chapter(FRAMEWORKS, "Frameworks"),
    Chapter("reproducibility", "Reproducibility", reproducibility_section, lambda e: e.runs),
    Chapter("references", "References", references_section),
    Chapter(CHANGES, "Changes since the last report", evidenced=lambda e: e.previous),
    Chapter("appendix", "Appendix: samples behind the findings", appendix_section),
    Chapter("verifier", "Appendix: the program that checks the evidence", verifier_section),
)
"""Chapters about the report as a whole; those of capabilities come in between."""


def _chapters() -> Mapping[str, Chapter]:
    """ValueError where a chapter comes after one that does not exist."""
    order = list(FRAME)
    waiting = [_chapter(each.part(place)) for each in CAPABILITIES for place in each.chapters]
    while waiting:
        names = [chapter.name for chapter in order]
        chapter = next((each for each in waiting if each.after in names), None)
        if chapter is None:
            raise ValueError(f"no chapter {waiting[0].after!r} for {waiting[0].name!r} to come after")
        order.insert(names.index(chapter.after) + 1, chapter)
        waiting.remove(chapter)
    return {chapter.name: chapter for chapter in order}


def _chapter(declared: object) -> Chapter:
    assert isinstance(declared, Chapter)
    return declared


CHAPTERS: Mapping[str, Chapter] = _chapters()
