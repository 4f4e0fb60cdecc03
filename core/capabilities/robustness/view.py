"""Variants of questions compared with their origins."""

from __future__ import annotations

from collections.abc import Sequence

from hcat.core.capabilities.robustness.figures import family_forest
from hcat.core.capabilities.robustness.variants.comparison import FamilyAnswers, OutcomeChanges, Robustness
from hcat.core.capabilities.robustness.wording.robustness import (
    MEANINGS,
    dose_sentence,
    outcome_title,
    passes_sentence,
    robustness_notes,
)
from hcat.core.display.messages import say
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Bullets, Figure, Paragraph, Quantity, Table
from hcat.core.view.view import View


def robustness_view(compared: Robustness, outcomes: Sequence[OutcomeChanges]) -> View:
    """The changes of these outcomes by family, worst first, whether the answers are as expected, and the notes."""
    blocks: list[Block] = []
    for changes in outcomes:
        blocks += _changes(changes)
    notes = robustness_notes(compared, outcomes[0] if outcomes else None)
    return View((*blocks, _answers(compared.answers, " ".join(notes))))


def _changes(changes: OutcomeChanges) -> list[Block]:
    title = outcome_title(changes.outcome)
    blocks: list[Block] = []
    forest = family_forest(changes.families, title=title)
    if forest.rows:
        caption = (say("Worst family first; 0 is no change."),)
        blocks = [Figure(say("{title}: variants less origins", title=title), forest, caption)]
        blocks.append(_families(title, changes))
    else:
        blocks.append(Paragraph((say("No family has both a variant and an origin with {title}.", title=title),)))
    sentences = [passes_sentence(family, passes) for family, passes in changes.passes.items()]
    sentences += [dose_sentence(dose, title=title) for dose in changes.doses]
    if sentences:
        blocks.append(Bullets(tuple((sentence,) for sentence in sentences)))
    return blocks


def _families(title: str, changes: OutcomeChanges) -> Table:
    columns = (
        *(column("Family"), column("Origins", "number"), column("Variants", "number"), column("Change", "difference")),
        *(column("q", "p-value"), column("Verdict", "verdict")),
    )
    rows = tuple(
        (say(each.family), each.mean_of_origins, each.mean, each.change, each.q, each.verdict)
        for each in changes.families
    )
    return Table(say("{title} by family", title=title), columns, rows)


def _answers(answers: Sequence[FamilyAnswers], note: str) -> Table:
    columns = (
        *(column("Family"), column("The right answer"), column("As expected", "share")),
        *(column("Cosine with the origin's", "estimate"), column("Newly declined", "count")),
        *(column("Pairs", "count"), column("Origins", "count")),
    )
    rows = tuple(
        (
            *(say(each.family), say(MEANINGS[each.expectation]), Quantity(each.met, "share"), each.similarity),
            *(each.newly_declined, each.n, each.cases),
        )
        for each in answers
    )
    return Table(say("Answers compared with those of their origins"), columns, rows, (note,))
