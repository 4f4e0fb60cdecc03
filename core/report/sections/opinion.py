"""The opinion of whoever signs the report, and what changed since its earlier versions."""

from __future__ import annotations

from typing import Literal

from core.records.report import Opinion, Rating
from core.report.evidence.records import Evidence, ReportChange
from core.report.tree import Block, Bullets, Callout, Column, Heading, Paragraph, Section, Table, Value

TONES: dict[Rating, Literal["good", "info", "warning", "bad"]] = {
    "fit for the stated purpose": "good",
    "fit with conditions": "warning",
    "not fit": "bad",
    "no opinion": "info",
}
BY_A_PERSON = "This opinion was written by the person named here. Nothing in it was derived from numbers by software."
NONE = "Nobody has stated an opinion on the fitness of this system. The chapters below report evidence only."


def opinion_blocks(opinion: Opinion | None) -> list[Block]:
    """For the first page: the rating with its reasons, conditions and limitations, and who signs it."""
    if opinion is None:
        return [Callout("info", "No opinion is stated", (NONE,))]
    when = "" if opinion.at is None else f", {opinion.at:%-d %B %Y}"
    blocks: list[Block] = [
        Callout(TONES[opinion.rating], f"Opinion: {opinion.rating}", (f"{opinion.author}{when}. {BY_A_PERSON}",))
    ]
    blocks += [Paragraph((text,)) for text in opinion.reasons.split("\n") if text.strip()]
    if opinion.conditions:
        blocks += [Heading("Conditions"), Bullets(tuple((condition,) for condition in opinion.conditions))]
    if opinion.limitations:
        blocks += [Heading("Limitations of this opinion"), Paragraph((opinion.limitations,))]
    return blocks


def changes_section(evidence: Evidence) -> Section:
    """The versions of this report."""
    if not evidence.changes:
        text = "This report was built from files. Only reports of a project are numbered."
        return Section("changes", "Versions", (Paragraph((text,)),))
    columns = (
        *(Column("Version", "count"), Column("Built"), Column("Prepared by"), Column("Opinion")),
        *(Column("Runs", "count"), Column("Labels", "count"), Column("Findings", "count"), Column("What changed")),
        Column("SHA-256", "code"),
    )
    rows = tuple(_row(change) for change in evidence.changes)
    note = "A report with the same content keeps its number. The hash of this version stands at the end of the report."
    return Section("changes", "Versions", (Table("Versions of this report", columns, rows, (note,)),))


def _row(change: ReportChange) -> tuple[Value, ...]:
    return (
        *(change.version, f"{change.at:%Y-%m-%d %H:%M}", change.author or None, change.opinion or None),
        *(change.runs, change.labels, change.findings, change.note or None, change.hash[:16] or None),
    )
