"""Views of metrics: their means on a run, reasons for unscored samples, and conditions of use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hcat.core.capabilities.judges.wording.machine_verdicts import EXPLANATION, withheld_sentences
from hcat.core.capabilities.metrics.heads import Method
from hcat.core.display.messages import say
from hcat.core.scoring.score_table import MetricSummary
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Bullets, Heading, Table, Value
from hcat.core.view.view import View

Summaries = Sequence[tuple[str, MetricSummary]]
"""Titles of metrics with their summaries, in order."""


def scores_view(scores: Summaries, title: str, *, more: str = "") -> View:
    """The mean of each metric, and the number of samples that it leaves out; a mean of machine verdicts has no
    interval. `more` is added to the note."""
    columns = (
        *(column("Metric"), column("Mean", "number"), column("95% low", "number"), column("95% high", "number")),
        *(column("Scored", "count"), column("Withheld", "count"), column("Unscored", "count")),
        column("Share unscored", "percent"),
    )
    rows: list[tuple[Value, ...]] = []
    for called, summary in scores:
        left_out, withheld, mean = sum(summary.unscored.values()), sum(summary.outside.values()), summary.mean
        named = say("{metric} (machine says)", metric=called) if summary.judged else called
        share = left_out / _samples(summary) if _samples(summary) else None
        rows.append((named, mean.value, mean.low, mean.high, mean.n, withheld, left_out, share))
    judged = any(summary.judged for _, summary in scores)
    said = (say(EXPLANATION), *withheld_sentences(dict(scores))) if judged else ()
    note = " ".join(filter(None, (*said, more)))
    return View((Table(title, columns, tuple(rows), (note,) if note else ()),))


def unscored_view(scores: Summaries, title: str) -> View:
    """Reasons for samples without a score; metrics that leave as many out for the same reason are in one row. Empty
    where all samples are scored."""
    alike: dict[tuple[str, int, int], list[str]] = {}
    for called, summary in scores:
        for reason, count in summary.unscored.items():
            alike.setdefault((reason, count, _samples(summary)), []).append(called)
    columns = (column("Reason"), column("Metrics"), column("Samples", "count"), column("Share", "percent"))
    rows = tuple((say(reason), "; ".join(called), n, n / whole) for (reason, n, whole), called in alike.items())
    return View((Table(title, columns, rows),) if rows else ())


def _samples(summary: MetricSummary) -> int:
    return summary.mean.n + sum(summary.outside.values()) + sum(summary.unscored.values())


def methods_view(methods: Iterable[Method]) -> View:
    """Purpose, mechanism, signs of high risk, strengths and limitations of each."""
    blocks: list[Block] = []
    for each in methods:
        said = ((say("{head}: {text}", head=say(head), text=say(text)),) for head, text in each.heads.items())
        blocks += [Heading(say(each.title)), Bullets(tuple(said))]
    return View(tuple(blocks))
