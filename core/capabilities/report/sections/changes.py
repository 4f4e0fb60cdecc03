"""Changes since the last report: the numbers, before and now, and the versions of the report."""

from __future__ import annotations

from collections.abc import Sequence

from hcat.core.capabilities.report.differences import differences
from hcat.core.capabilities.report.evidence.records import Evidence, ReportChange
from hcat.core.display.edition import current_language
from hcat.core.display.messages import say
from hcat.core.display.numbers import counted
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Heading, Paragraph, Report, Section, Table, Value

MOST_ROWS = 60
"""So many changed values of one chapter are listed."""
FIRST = "This is the first report of this project: there is no earlier one to compare it with."
LOST = "The file of the last report can't be read, so its numbers are not compared with these."
OTHER_LANGUAGE = (
    "The earlier reports of this project are in another language: the numbers are not compared with theirs."
)
FROM_FILES = "This report was built from files, and no earlier report was given: `--since` takes one as JSON."
_BY_VALUE = (
    "value by value. A dash: the value is not in that report. Two values differ here if any digit differs, also one "
    "that is not shown."
)
COMPARED = f"Compared with version {{version}} of {{day}}, {_BY_VALUE}"
COMPARED_UNNUMBERED = f"Compared with the earlier report of {{day}}, {_BY_VALUE}"
SAME = "No number and no verdict differs in the chapters that both reports have."
NUMBERED = "A report with the same content keeps its number. The hash of this version stands at the end of the report."


def changes_section(evidence: Evidence, sections: Sequence[Section]) -> Section:
    """Comparison of the numbers of these sections with those of the previous report, and all versions."""
    if evidence.previous is None:
        blocks: list[Block] = [Paragraph((_why_not_compared(evidence.changes),))]
    else:
        blocks = _differences(evidence.previous, sections)
    return Section("changes", say("Changes since the last report"), (*blocks, *_versions(evidence.changes)))


def _why_not_compared(changes: Sequence[ReportChange]) -> str:
    if not changes:
        return say(FROM_FILES)
    earlier = changes[:-1]
    if not earlier:
        return say(FIRST)
    return say(LOST) if any(change.language == current_language() for change in earlier) else say(OTHER_LANGUAGE)


def _differences(previous: Report, sections: Sequence[Section]) -> list[Block]:
    """One table a chapter, and the chapters that only one of both reports has."""
    columns = (column("Value"), column("Before"), column("Now"))
    titles = {section.id: section.title for section in sections}
    blocks: list[Block] = [Paragraph((_compared_with(previous),)), *_only_in_one(previous, titles)]
    found = differences(previous.sections, sections)
    for name, title in titles.items():
        rows = tuple((each.where, each.before, each.now) for each in found if each.section == name)
        if rows:
            more = (
                say("The first {most_rows} of {values}.", most_rows=MOST_ROWS, values=counted(len(rows), "value"))
                if len(rows) > MOST_ROWS
                else ""
            )
            blocks += [
                Heading(title),
                Table(say("Changed in: {title}", title=title), columns, rows[:MOST_ROWS], (more,) if more else ()),
            ]
    return blocks if found else [*blocks, Paragraph((say(SAME),))]


def _compared_with(previous: Report) -> str:
    version = previous.facts.get("Version")
    day = say("{at:%-d %B %Y, %H:%M} UTC", at=previous.created_at)
    if version:
        return say(COMPARED, version=version, day=day)
    return say(COMPARED_UNNUMBERED, day=day)


def _only_in_one(previous: Report, titles: dict[str, str]) -> list[Block]:
    earlier = {section.id: section.title for section in previous.sections}
    gone = [title for name, title in earlier.items() if name not in titles and name != "changes"]
    new = [title for name, title in titles.items() if name not in earlier]
    said = [say("New chapters: {new}.", new=", ".join(new))] if new else []
    said += [say("Chapters no longer there: {gone}.", gone=", ".join(gone))] if gone else []
    return [Paragraph((" ".join(said),))] if said else []


def _versions(changes: Sequence[ReportChange]) -> list[Block]:
    if not changes:
        return []
    columns = (
        *(column("Version", "count"), column("Built"), column("Prepared by"), column("Opinion")),
        *(column("Runs", "count"), column("Labels", "count"), column("Findings", "count"), column("What changed")),
        column("SHA-256", "code"),
    )
    return [
        Heading(say("Versions")),
        Table(say("Versions of this report"), columns, tuple(map(_row, changes)), (say(NUMBERED),)),
    ]


def _row(change: ReportChange) -> tuple[Value, ...]:
    return (
        *(change.version, f"{change.at:%Y-%m-%d %H:%M}", change.author or None, say(change.opinion) or None),
        *(change.runs, change.labels, change.findings, change.note or None, change.hash[:16] or None),
    )
