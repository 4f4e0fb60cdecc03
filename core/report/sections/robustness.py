"""Variants of questions beside their origins: the figure of the Robustness page, and its tables."""

from __future__ import annotations

from hcat.core.display.messages import say
from hcat.core.figures.forest import family_forest
from hcat.core.report.evidence.records import Evidence, RobustnessEvidence
from hcat.core.report.telling import column
from hcat.core.report.tree import Block, Bullets, Figure, Heading, Paragraph, Quantity, Section, Table, Value
from hcat.core.testgen.variants.comparison import FamilyAnswers, OutcomeChanges
from hcat.core.wording.testgen.robustness import MEANINGS, dose_sentence, passes_sentence, robustness_notes

INTRODUCTION = (
    "A variant changes a question in a known way, and its family says what the right answer then does: it stays the "
    "same, it changes, or it is a refusal (HCAT 6.1). Each answer to a variant is compared with the answer to its own "
    "origin, and what comes from one origin is kept together."
)


def robustness_section(evidence: Evidence) -> Section | None:
    """None where no run holds variants beside their origins."""
    if not evidence.robustness:
        return None
    blocks: list[Block] = [Paragraph((say(INTRODUCTION),))]
    for item in evidence.robustness:
        blocks += _of_run(evidence, item)
    return Section("robustness", say("Results by variant"), tuple(blocks))


def _of_run(evidence: Evidence, item: RobustnessEvidence) -> list[Block]:
    compared = item.compared
    blocks: list[Block] = [Heading(item.run)]
    for changes in compared.outcomes:
        title = evidence.title(changes.outcome)
        forest = family_forest(changes.families, title=title)
        if forest.rows:
            blocks.append(
                Figure(
                    say("{title}: variants less origins", title=title),
                    forest,
                    (say("Worst family first; 0 is no change."),),
                )
            )
            blocks.append(_changes(title, changes))
        sentences = [passes_sentence(family, passes) for family, passes in changes.passes.items()]
        sentences += [dose_sentence(dose, title=title) for dose in changes.doses]
        if sentences:
            blocks.append(Bullets(tuple((sentence,) for sentence in sentences)))
    blocks.append(_answers(compared.answers))
    notes = robustness_notes(compared, compared.outcomes[0] if compared.outcomes else None)
    blocks.append(Paragraph((" ".join(notes),)))
    return blocks


def _changes(title: str, changes: OutcomeChanges) -> Table:
    columns = (
        *(column("Family"), column("Origins", "number"), column("Variants", "number"), column("Change", "difference")),
        *(column("q", "p-value"), column("Verdict", "verdict")),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (say(each.family), each.mean_of_origins, each.mean, each.change, each.q, each.verdict)
        for each in changes.families
    )
    return Table(say("{title} by family", title=title), columns, rows)


def _answers(answers: tuple[FamilyAnswers, ...]) -> Table:
    columns = (
        *(column("Family"), column("The right answer"), column("As expected", "share")),
        *(column("Cosine with the origin's", "estimate"), column("Newly declined", "count"), column("Pairs", "count")),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            say(each.family),
            say(MEANINGS[each.expectation]),
            Quantity(each.met, "share"),
            each.similarity,
            each.newly_declined,
            each.n,
        )
        for each in answers
    )
    return Table(say("Answers beside those of their origins"), columns, rows)
