"""Frameworks: the chapters of this report that address each clause, and missing ones. A map, not a legal opinion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from hcat.core.capabilities.report.frameworks.framework import ClauseStatus, Framework, clause_status
from hcat.core.display.messages import say
from hcat.core.display.numbers import counted
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Callout, Heading, Paragraph, Section, Table, Text, Value

NOT_ADVICE = (
    "This is a map, not legal advice and no statement of conformity. It names the clauses that a validation report can "
    "speak to, in our own words; the text of the framework decides. “Spoken to” means that this report contains "
    "evidence on the clause, not that the evidence is good, nor that what the clause asks is done: read the chapter."
)
BEYOND = "Outside of this software: the evidence must come from elsewhere."


def frameworks_section(
    chosen: Sequence[Framework], *, titles: Mapping[str, str], evidenced: Collection[str]
) -> Section | None:
    """None where no framework is chosen. `titles` are those of all chapters by name, `evidenced` the names of those
    that report something."""
    if not chosen:
        return None
    blocks: list[Block] = [Callout("info", say("What this chapter is"), (say(NOT_ADVICE),))]
    for framework in chosen:
        blocks += _framework(framework, titles, evidenced)
    return Section("frameworks", say("Frameworks"), tuple(blocks))


def _framework(framework: Framework, titles: Mapping[str, str], evidenced: Collection[str]) -> list[Block]:
    statuses = [clause_status(clause, evidenced) for clause in framework.clauses]
    columns = (column("Clause"), column("It asks for"), column("Chapters"), column("Status"), column("What is missing"))
    rows: tuple[tuple[Value, ...], ...] = tuple(_row(status, titles) for status in statuses)
    name = f"{say(framework.title)}, {say(framework.edition)}"
    note = (
        say(
            "Version {framework.version} of the map. Checked: {checked}.",
            framework=framework,
            checked=say(framework.checked),
        ),
    )
    return [
        Heading(name),
        Paragraph((say(framework.note),)),
        Paragraph(_counts(statuses)),
        Table(say("Clauses of {framework}", framework=say(framework.title)), columns, rows, note),
    ]


def _counts(statuses: Sequence[ClauseStatus]) -> Text:
    counts = Counter(status.status for status in statuses)
    said = ", ".join(
        f"{say(name)} {counts[name]}" for name in ("spoken to", "partly", "missing", "not in this software")
    )
    return (say("Of {clauses} that this map lists: {said}.", clauses=counted(len(statuses), "clause"), said=said),)


def _row(status: ClauseStatus, titles: Mapping[str, str]) -> tuple[Value, ...]:
    missing = [say("Without evidence here: {names}.", names=_names(status.missing, titles))] if status.missing else []
    missing += [say(status.clause.gap)] if status.clause.gap else [] if status.clause.chapters else [say(BEYOND)]
    chapters = _names(status.clause.chapters, titles) or None
    return say(status.clause.number), say(status.clause.asks), chapters, say(status.status), " ".join(missing) or None


def _names(names: Sequence[str], titles: Mapping[str, str]) -> str:
    return ", ".join(titles[name] for name in names)
