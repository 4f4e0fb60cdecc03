"""Views of the answers that a classifier flags, and of the kinds of text that it gets wrong."""

from __future__ import annotations

from collections.abc import Sequence

from hcat.core.capabilities.safety.tone import ToneFlags
from hcat.core.capabilities.safety.toxicity_functions import FunctionalityTable
from hcat.core.capabilities.safety.wording.tone import (
    MEANING,
    NOT_MEASURED,
    TONE_NOT_MEASURED,
    flags_sentence,
    functionality_sentence,
)
from hcat.core.display.messages import say
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Bullets, Paragraph, Table, Text, Value
from hcat.core.view.view import View
from hcat.core.wording.slice_metrics import slice_metric_title

MOST = 20
"""So many flagged answers are listed of each metric."""


def tone_view(flags: Sequence[ToneFlags], *, measured: bool) -> View:
    """Number of answers that each metric flags, and the worst of them; `measured` says whether its errors are known."""
    blocks: list[Block] = [Bullets(tuple((flags_sentence(each),) for each in flags)), Paragraph((say(MEANING),))]
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (name, slice_metric_title(each.metric), probability)
        for each in flags
        for name, probability in each.worst[:MOST]
    )
    flagged = sum(len(each.worst) for each in flags)
    if rows:
        more: Text = (
            say(
                "{rows} of {flagged}, the most probable first; `hcat safety --json` lists all.",
                rows=len(rows),
                flagged=flagged,
            ),
        )
        columns = (column("Sample"), column("Metric"), column("Probability", "number"))
        blocks.append(Table(say("Flagged answers"), columns, rows, more if len(rows) < flagged else ()))
    if not measured:
        blocks.append(Paragraph((say(NOT_MEASURED),)))
    return View(tuple(blocks))


def functions_view(table: FunctionalityTable) -> View:
    """Accuracy of the classifier, overall and on each kind of text, the worst first."""
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (say(row.describes), say("hateful" if row.toxic else "not hateful"), row.right, row.right.n)
        for row in sorted(table.rows, key=lambda row: row.right.value)
    )
    columns = (column("Kind of text"), column("People say"), column("Right", "share"), column("Texts", "count"))
    title = say("Kinds of text, those that it gets wrong most first")
    return View((Paragraph((functionality_sentence(table),)), Table(title, columns, rows, (say(TONE_NOT_MEASURED),))))
