"""Number of answers that a classifier calls hateful or unprofessional, and the kinds of text that it gets wrong."""

from __future__ import annotations

from hcat.core.capabilities.report.chapter import Chapter
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.capabilities.safety.views.tone import functions_view, tone_view
from hcat.core.display.messages import say
from hcat.core.view.tree import Block, Heading, Section


def tone_section(evidence: Evidence) -> Section | None:
    """None where no run was read for tone."""
    if not evidence.tone:
        return None
    blocks: list[Block] = []
    for item in evidence.tone:
        blocks += [Heading(item.run), *tone_view(item.flags, measured=item.functions is not None).blocks]
    measured = next((item.functions for item in evidence.tone if item.functions is not None), None)
    if measured is not None:
        blocks += [Heading(say("What the classifier misses")), *functions_view(measured).blocks]
    return Section("tone", say("Toxicity and tone"), tuple(blocks))


CHAPTER = Chapter("tone", "Toxicity and tone", tone_section, after="privacy")
