"""Chapter on variants of questions compared with their origins."""

from __future__ import annotations

from hcat.core.capabilities.report.chapter import Chapter
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.capabilities.robustness.view import robustness_view
from hcat.core.display.messages import say
from hcat.core.view.tree import Block, Heading, Paragraph, Section

INTRODUCTION = (
    "A variant changes a question in a known way, and its family says what the right answer then does: it stays the "
    "same, it changes, or it is a refusal (HCAT 6.1). Each answer to a variant is compared with the answer to its own "
    "origin, and what comes from one origin is kept together."
)


def robustness_section(evidence: Evidence) -> Section | None:
    """Comparison of variants with their origins; None where no run has such pairs."""
    if not evidence.robustness:
        return None
    blocks: list[Block] = [Paragraph((say(INTRODUCTION),))]
    for item in evidence.robustness:
        blocks += [Heading(item.run), *robustness_view(item.compared, item.compared.outcomes).blocks]
    return Section("robustness", say("Results by variant"), tuple(blocks))


CHAPTER = Chapter("robustness", "Results by variant", robustness_section, after="trials")
