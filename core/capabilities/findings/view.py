"""A finding: what it claims, what people say of its samples, and who changed what of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from hcat.core.capabilities.findings.wording import (
    change_text,
    comparison_sentence,
    contradicts,
    labels_sentence,
    statement_sentence,
)
from hcat.core.display.messages import say
from hcat.core.figures.slice_scores import Outcome
from hcat.core.records.project import FindingChange
from hcat.core.types import Estimate
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Bullets, Callout, Paragraph, SampleExcerpt, Table
from hcat.core.view.view import View

AGAINST = (
    "The metric scores worse here, but in the labels so far no fewer of these answers pass than of the rest. Do not "
    "read this finding as a weakness of the system before labels show one."
)
UNLABELLED = "Whether people pass fewer answers here than elsewhere is unknown: only labels can show a weakness."


@dataclass(frozen=True, slots=True)
class SlicePassRate:
    """The pass rate by labels in a finding's samples and in the rest of the run, as the labels are now. `by_people`:
    not a rule alone labelled the finding's samples."""

    criterion: str
    inside: Estimate
    rest: Estimate
    by_people: bool = True


@dataclass(frozen=True, slots=True)
class FindingEvidence:
    """A confirmed weakness with its statistics at confirmation, and people's labels since.

    Frozen at confirmation: mean, q and verdict of a slice, the difference from the rest, the shrunken mean with an
    interval that allows for selection, the number of slices that were tested with it, and `scores` of its samples.
    Computed now: people's labels on these samples (`pass_rates`, `samples`, of which `n_samples` in all), the agreement
    of the metric with people (`fitness`), and whether fresh labels confirm it. `unreadable` says why the frozen part
    can't be shown.
    """

    title: str
    slice: str
    severity: str
    status: str
    comment: str
    author: str
    at: datetime
    owner: str = ""
    due: date | None = None
    frozen_hash: str | None = None
    mean: Estimate | None = None
    q: float | None = None
    verdict: str = ""
    shrunken: Estimate | None = None
    tested: int | None = None
    run: str = ""
    metric: str = ""
    difference: Estimate | None = None
    scores: tuple[tuple[float, Outcome], ...] = ()
    n_samples: int = 0
    pass_rates: tuple[SlicePassRate, ...] = ()
    fitness: str = ""
    confirmation: str = ""
    samples: tuple[SampleExcerpt, ...] = ()
    history: tuple[FindingChange, ...] = ()
    unreadable: str = ""


def statement_view(finding: FindingEvidence, *, metric: str, lower_is_better: bool) -> View:
    """The claim of the finding, the labels of the same samples, and whether its metric agrees with people."""
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
    """The labels of the same samples, and a warning where the metric contradicts them."""
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
    """The confirmation of a finding and each change since, with time and author."""
    lines = [(at, author, say("confirmed")), *((each.at, each.author, change_text(each)) for each in changes)]
    rows = tuple((f"{when:%Y-%m-%d %H:%M}", who, what) for when, who, what in lines)
    return View((Table(title, (column("When (UTC)"), column("Who"), column("What")), rows),))
