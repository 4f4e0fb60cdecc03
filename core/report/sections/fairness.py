"""Groups of people compared over the same questions: margins, forests of gaps, and their tables."""

from __future__ import annotations

from hcat.core.display.messages import say
from hcat.core.figures.forest import gap_forest
from hcat.core.report.evidence.records import Evidence, FairnessEvidence
from hcat.core.testgen.variants.counterfactual.comparison import OutcomeGaps
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Figure, Heading, Paragraph, Section, Table, Value
from hcat.core.wording.testgen.fairness import (
    INTRODUCTION,
    OWN_GROUPS,
    absent_sentence,
    fairness_notes,
    fairness_summary,
    margin_sentence,
    matching_sentence,
    settled_sentence,
)


def fairness_section(evidence: Evidence) -> Section | None:
    """None where no run asks the same questions for people of different groups."""
    if not evidence.fairness:
        return None
    blocks: list[Block] = []
    for item in evidence.fairness:
        blocks += _of_run(evidence, item)
    return Section("fairness", say("Fairness"), tuple(blocks))


def _of_run(evidence: Evidence, item: FairnessEvidence) -> list[Block]:
    compared = item.compared
    introduction = say(INTRODUCTION) if compared.matched_on is None else say(OWN_GROUPS)
    blocks: list[Block] = [Heading(item.run), Paragraph((introduction,)), Paragraph((fairness_summary(compared),))]
    if item.settled is not None and item.run_at is not None:
        said = settled_sentence(item.settled, run_at=item.run_at, changes=item.changes)
        absent = absent_sentence(item.settled.settings, compared.settings, own=compared.matched_on is not None)
        blocks.append(Paragraph((f"{said} {absent}".rstrip(),)))
    for gaps in compared.outcomes:
        title = evidence.title(gaps.outcome)
        forest = gap_forest(gaps.gaps, title=title)
        if forest.rows:
            blocks.append(
                Figure(say("{title}: gaps between groups", title=title), forest, (margin_sentence(gaps, title=title),))
            )
            blocks.append(_gaps(title, gaps))
            matched = " ".join(map(matching_sentence, gaps.gaps)).strip()
            blocks += [Paragraph((matched,))] if matched else []
    blocks.append(Paragraph((" ".join(fairness_notes(compared)),)))
    return blocks


def _gaps(title: str, gaps: OutcomeGaps) -> Table:
    columns = (
        *(column("Groups"), column("Reference", "number"), column("Group", "number"), column("Gap", "difference")),
        *(column("p (Holm)", "p-value"), column("p of equivalence (Holm)", "p-value")),
        *(column("Detectable", "number"), column("Verdict", "verdict")),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            gap.title,
            gap.mean_of_reference,
            gap.mean,
            gap.gap,
            gap.p_holm,
            gap.equivalence_holm,
            gap.detectable,
            gap.verdict,
        )
        for gap in gaps.gaps
    )
    return Table(say("{title} by group", title=title), columns, rows)
