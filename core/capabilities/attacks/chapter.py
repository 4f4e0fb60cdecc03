"""Attacks compared with their controls."""

from __future__ import annotations

from hcat.core.capabilities.attacks.view import attacks_view
from hcat.core.capabilities.report.chapter import Chapter
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.display.messages import say
from hcat.core.view.tree import Block, Heading, Paragraph, Section

INTRODUCTION = (
    "Attacks were made from the corpus, each beside a control that holds everything but the attack. What counts is the "
    "rate of success under attack less that of the control, so that what any answer returns is no success."
)


def attacks_section(evidence: Evidence) -> Section | None:
    """None where no run was asked attacks."""
    if not evidence.attacks:
        return None
    blocks: list[Block] = [Paragraph((say(INTRODUCTION),))]
    for results in evidence.attacks:
        blocks += [Heading(results.run), *attacks_view(results).blocks]
    return Section("attacks", say("Attacks"), tuple(blocks))


CHAPTER = Chapter("attacks", "Attacks", attacks_section, after="fairness")
