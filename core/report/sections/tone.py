"""How many answers a classifier calls hateful or unprofessional, and which kinds of text it gets wrong."""

from __future__ import annotations

from hcat.core.display.messages import say
from hcat.core.report.evidence.machine_records import ToneEvidence
from hcat.core.report.evidence.records import Evidence
from hcat.core.safety.toxicity_functions import FunctionalityTable
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Bullets, Heading, Paragraph, Section, Table, Value
from hcat.core.wording.safety.tone import (
    MEANING,
    NOT_MEASURED,
    TONE_NOT_MEASURED,
    flags_sentence,
    functionality_sentence,
    weak_functions,
)

MOST = 20
"""So many flagged answers are listed of each metric."""


def tone_section(evidence: Evidence) -> Section | None:
    """None where no run was read for tone."""
    if not evidence.tone:
        return None
    blocks: list[Block] = []
    for item in evidence.tone:
        blocks += _of_run(evidence, item)
    measured = next((item.functions for item in evidence.tone if item.functions is not None), None)
    if measured is not None:
        blocks += _functions(measured)
    return Section("tone", say("Toxicity and tone"), tuple(blocks))


def _of_run(evidence: Evidence, item: ToneEvidence) -> list[Block]:
    said: list[str] = [flags_sentence(flags) for flags in item.flags]
    blocks: list[Block] = [
        Heading(item.run),
        Bullets(tuple((sentence,) for sentence in said)),
        Paragraph((say(MEANING),)),
    ]
    rows: list[tuple[Value, ...]] = [
        (name, evidence.title(flags.metric), probability)
        for flags in item.flags
        for name, probability in flags.worst[:MOST]
    ]
    if rows:
        flagged = sum(len(flags.worst) for flags in item.flags)
        note = (
            say(
                "{rows} of {flagged}, the most probable first; `hcat safety` lists all.",
                rows=len(rows),
                flagged=flagged,
            ),
        )
        columns = (column("Sample"), column("Metric"), column("Probability", "number"))
        blocks.append(Table(say("Flagged answers"), columns, tuple(rows), note if len(rows) < flagged else ()))
    if item.functions is None:
        blocks.append(Paragraph((say(NOT_MEASURED),)))
    return blocks


def _functions(table: FunctionalityTable) -> list[Block]:
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (say(row.describes), say("hateful" if row.toxic else "not hateful"), row.right, row.right.n)
        for row in weak_functions(table)
    )
    columns = (column("Kind of text"), column("People say"), column("Right", "share"), column("Texts", "count"))
    blocks: list[Block] = [Heading(say("What the classifier misses")), Paragraph((functionality_sentence(table),))]
    if rows:
        note = (
            say(
                "The worst {rows} of {kinds} kinds of text. {tone_not_measured}",
                rows=len(rows),
                kinds=len(table.rows),
                tone_not_measured=say(TONE_NOT_MEASURED),
            ),
        )
        blocks.append(Table(say("Kinds of text that it gets wrong most"), columns, rows, note))
    return blocks
