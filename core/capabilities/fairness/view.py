"""Gaps between groups of people."""

from __future__ import annotations

from collections.abc import Sequence

from hcat.core.capabilities.fairness.counterfactual.comparison import Fairness, OutcomeGaps
from hcat.core.capabilities.fairness.figures import gap_forest
from hcat.core.capabilities.fairness.gap import Gap
from hcat.core.capabilities.fairness.wording import fairness_notes, fairness_summary, margin_sentence, matching_sentence
from hcat.core.capabilities.robustness.wording.robustness import outcome_title
from hcat.core.display.messages import say
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Bullets, Figure, Paragraph, Table, Value
from hcat.core.view.view import View


def fairness_view(compared: Fairness, outcomes: Sequence[OutcomeGaps]) -> View:
    """A summary of all comparisons, the gaps of these outcomes with their margins, and the notes."""
    blocks: list[Block] = [Paragraph((fairness_summary(compared),))]
    for gaps in outcomes:
        blocks += _gaps(gaps)
    return View((*blocks, Paragraph((" ".join(fairness_notes(compared)),))))


def _gaps(gaps: OutcomeGaps) -> list[Block]:
    title = outcome_title(gaps.outcome)
    blocks: list[Block] = []
    forest = gap_forest(gaps.gaps, title=title)
    if forest.rows:
        caption = (say("Each group less its reference; 0 is no gap."),)
        blocks.append(Figure(say("{title}: gaps between groups", title=title), forest, caption))
    else:
        blocks.append(Paragraph((say("No two groups can be compared on {title}.", title=title),)))
    blocks.append(_by_group(title, gaps))
    matched = tuple((sentence,) for sentence in map(matching_sentence, gaps.gaps) if sentence)
    return [*blocks, Bullets(matched)] if matched else blocks


def _by_group(title: str, gaps: OutcomeGaps) -> Table:
    matched = any(gap.matching is not None for gap in gaps.gaps)
    columns = (
        *(column("Groups"), column("Reference", "number"), column("Group", "number"), column("Gap", "difference")),
        *((column("Left out", "count"), column("Without matching", "difference")) if matched else ()),
        *(column("p (Holm)", "p-value"), column("p of equivalence (Holm)", "p-value")),
        *(column("Detectable", "number"), column("Verdict", "verdict")),
    )
    rows = tuple(_row(gap) for gap in gaps.gaps)
    return Table(say("{title} by group", title=title), columns, rows, (margin_sentence(gaps, title=title),))


def _row(gap: Gap) -> tuple[Value, ...]:
    matching = gap.matching
    own: tuple[Value, ...] = ()
    if matching is not None:
        own = (matching.left_out + matching.left_out_of_reference, matching.unmatched)
    tests = (gap.p_holm, gap.equivalence_holm, gap.detectable, gap.verdict)
    return (gap.title, gap.mean_of_reference, gap.mean, gap.gap, *own, *tests)
