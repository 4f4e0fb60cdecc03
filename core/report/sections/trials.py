"""How often the answers to the same question are good, where the system was asked several times."""

from __future__ import annotations

from hcat.core.display.messages import say
from hcat.core.report.evidence.records import Evidence, TrialsEvidence
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Paragraph, Section, Table, Value
from hcat.core.wording.trials import trials_note

INTRODUCTION = (
    "S_u is the share of good trials over all test cases. S_c says how near each test case comes to the share of good "
    "answers that people expect of it, S_t is the mean of both (PROB 3.4). Labels decide what is good. n counts test "
    "cases, and intervals are clustered by them."
)


def trials_section(evidence: Evidence) -> Section | None:
    """None where no test case has several trials that are labelled."""
    if not evidence.trials:
        return None
    columns = (
        *(column("Run"), column("Criterion"), column("S_u", "estimate"), column("S_c", "estimate")),
        *(column("S_t", "estimate"), column("Trials", "count"), column("Without label", "count")),
    )
    rows = tuple(_row(item) for item in evidence.trials)
    notes = " ".join(dict.fromkeys(filter(None, (trials_note(item.scores) for item in evidence.trials))))
    blocks: list[Block] = [Paragraph((say(INTRODUCTION),))]
    blocks.append(Table(say("Scores over trials"), columns, rows, (notes,) if notes else ()))
    return Section("trials", say("Repeated trials"), tuple(blocks))


def _row(item: TrialsEvidence) -> tuple[Value, ...]:
    scores = item.scores
    numbers = (scores.unconditional, scores.conditional, scores.total, scores.trials, scores.unscored)
    return item.run, item.criterion, *numbers
