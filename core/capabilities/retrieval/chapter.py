"""Chapter on the relevant passages found by each stage of retrieval."""

from __future__ import annotations

from hcat.core.capabilities.report.chapter import Chapter
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.capabilities.retrieval.view import retrieval_view
from hcat.core.display.messages import say
from hcat.core.view.tree import Block, Heading, Section


def retrieval_section(evidence: Evidence) -> Section | None:
    """Measures of retrieval for each run; None where no run states its relevant passages."""
    if not evidence.retrieval:
        return None
    blocks: list[Block] = []
    for item in evidence.retrieval:
        blocks += [Heading(item.run), *retrieval_view(item.funnel).blocks]
    return Section("retrieval", say("Retrieval"), tuple(blocks))


CHAPTER = Chapter("retrieval", "Retrieval", retrieval_section, after="weaknesses")
