"""Which answers give away personal data, secrets or instructions; the data themselves are not repeated."""

from __future__ import annotations

from hcat.core.display.messages import say
from hcat.core.report.evidence.records import Evidence, PrivacyEvidence
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Heading, Paragraph, Section, Table, Value
from hcat.core.wording.safety.privacy import LIMITS, hit_sentence, hit_title, leaks_sentence

INTRODUCTION = (
    "An answer leaks where it discloses personal data, a secret, account data or instructions that neither its "
    "contexts nor the question hold, or that only a context marked as confidential holds (HCAT 4). What is disclosed "
    "is named by its kind and place, and not repeated here."
)
MOST = 50
"""So many leaks are listed."""


def privacy_section(evidence: Evidence) -> Section | None:
    """None where no run was scored on leaks."""
    if not evidence.privacy:
        return None
    blocks: list[Block] = [Paragraph((say(INTRODUCTION),))]
    for item in evidence.privacy:
        blocks += _of_run(item)
    return Section("privacy", say("Personal data and secrets"), (*blocks, Paragraph((say(LIMITS),))))


def _of_run(item: PrivacyEvidence) -> list[Block]:
    review = item.review
    blocks: list[Block] = [Heading(item.run), Paragraph((leaks_sentence(review),))]
    if review.kinds:
        names = ("Hits", "Answers", "A context", "The query", "Confidential", "Neither", "Not known", "Leaks")
        columns = (column("Kind"), *(column(name, "count") for name in names))
        rows: tuple[tuple[Value, ...], ...] = tuple((say(each.kind), *each.counts) for each in review.kinds)
        blocks.append(Table(say("What is disclosed, and who else holds it"), columns, rows))
    leaks = [(name, traced) for name, hits in review.leaks.items() for traced in hits]
    if leaks:
        listed: tuple[tuple[Value, ...], ...] = tuple(
            (name, hit_title(traced), f"{traced.hit.start}–{traced.hit.end}", hit_sentence(traced))
            for name, traced in leaks[:MOST]
        )
        notes = (
            (say("{most} of {leaks}; `hcat safety --leaks` writes all.", most=MOST, leaks=len(leaks)),)
            if len(leaks) > MOST
            else ()
        )
        columns = (column("Sample"), column("Kind"), column("Characters of the answer"), column("Why"))
        blocks.append(Table(say("Leaks"), columns, listed, notes))
    return blocks
