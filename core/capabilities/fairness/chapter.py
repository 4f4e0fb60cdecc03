"""Groups of people compared: the margins, who set them and when, and the gaps."""

from __future__ import annotations

from hcat.core.capabilities.fairness.view import fairness_view
from hcat.core.capabilities.fairness.wording import INTRODUCTION, OWN_GROUPS, absent_sentence, settled_sentence
from hcat.core.capabilities.report.chapter import Chapter
from hcat.core.capabilities.report.evidence.records import Evidence, FairnessEvidence
from hcat.core.display.messages import say
from hcat.core.view.tree import Block, Heading, Paragraph, Section


def fairness_section(evidence: Evidence) -> Section | None:
    """None where no run asks the same questions for people of different groups."""
    if not evidence.fairness:
        return None
    blocks: list[Block] = []
    for item in evidence.fairness:
        blocks += _of_run(item)
    return Section("fairness", say("Fairness"), tuple(blocks))


def _of_run(item: FairnessEvidence) -> list[Block]:
    compared = item.compared
    introduction = say(INTRODUCTION) if compared.matched_on is None else say(OWN_GROUPS)
    blocks: list[Block] = [Heading(item.run), Paragraph((introduction,))]
    if item.settled is not None and item.run_at is not None:
        said = settled_sentence(item.settled, run_at=item.run_at, changes=item.changes)
        absent = absent_sentence(item.settled.settings, compared.settings, own=compared.matched_on is not None)
        blocks.append(Paragraph((f"{said} {absent}".rstrip(),)))
    return [*blocks, *fairness_view(compared, compared.outcomes).blocks]


CHAPTER = Chapter("fairness", "Fairness", fairness_section, after="robustness")
