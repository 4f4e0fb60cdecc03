"""A finding: what it claims, what people say of its samples, and who changed what of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from hcat.core.display.messages import say
from hcat.core.records.project import FindingChange
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Bullets, Callout, Paragraph, Table
from hcat.core.view.view import View
from hcat.core.wording.findings import (
    change_text,
    comparison_sentence,
    contradicts,
    labels_sentence,
    statement_sentence,
)

if TYPE_CHECKING:
    from hcat.core.report.evidence.finding_records import FindingEvidence

AGAINST = (
    "The metric scores worse here, but in the labels so far no fewer of these answers pass than of the rest. Do not "
    "read this finding as a weakness of the system before labels show one."
)
UNLABELLED = "Whether people pass fewer answers here than elsewhere is unknown: only labels can show a weakness."


def statement_view(finding: FindingEvidence, *, metric: str, lower_is_better: bool) -> View:
    """What the finding claims, what people say of the same samples, and whether its metric agrees with people."""
    n = finding.n_samples or (finding.mean.n if finding.mean is not None else 0)
    claim = statement_sentence(
        run=finding.run, where=finding.slice, metric=metric or say("no metric"), n=n, mean=finding.mean
    )
    comparison = comparison_sentence(
        difference=finding.difference, q=finding.q, tested=finding.tested, verdict=finding.verdict
    )
    blocks: list[Block] = [Paragraph((f"{claim} {comparison}".strip(),))]
    if finding.unreadable:
        blocks.append(Callout("bad", say("The evidence of this finding can't be shown"), (finding.unreadable,)))
    blocks += _people(finding, lower_is_better=lower_is_better)
    if finding.fitness:
        blocks.append(Paragraph((finding.fitness,)))
    return View(tuple(blocks))


def _people(finding: FindingEvidence, *, lower_is_better: bool) -> list[Block]:
    """What people say of the same samples, and a warning where the metric says otherwise."""
    if not finding.pass_rates:
        return [Callout("warning", say("Nobody has labelled these samples"), (say(UNLABELLED),))]
    difference = 0.0 if finding.difference is None else finding.difference.value
    worse = difference > 0 if lower_is_better else difference < 0
    said = tuple(
        (labels_sentence(rate.criterion, rate.inside, rate.rest, n=finding.n_samples, by_people=rate.by_people),)
        for rate in finding.pass_rates
    )
    if not any(contradicts(rate.inside, rate.rest, score_is_worse=worse) for rate in finding.pass_rates):
        return [Bullets(said)]
    people = any(rate.by_people for rate in finding.pass_rates)
    title = say("People's labels point the other way") if people else say("Labels point the other way")
    return [Callout("bad", title, (say(AGAINST),)), Bullets(said)]


def history_view(author: str, at: datetime, changes: Sequence[FindingChange], *, title: str) -> View:
    """Who confirmed a finding, and who changed what of it since."""
    lines = [(at, author, say("confirmed")), *((each.at, each.author, change_text(each)) for each in changes)]
    rows = tuple((f"{when:%Y-%m-%d %H:%M}", who, what) for when, who, what in lines)
    return View((Table(title, (column("When (UTC)"), column("Who"), column("What")), rows),))
