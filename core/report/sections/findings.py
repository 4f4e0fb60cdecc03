"""The findings that a person confirmed: a list, then each on a page of its own with all that it rests on."""

from __future__ import annotations

from hcat.core.display.messages import say
from hcat.core.figures.slice_scores import SliceScores
from hcat.core.report.evidence.finding_records import FindingEvidence, SlicePassRate
from hcat.core.report.evidence.records import Evidence
from hcat.core.view.telling import column, tell
from hcat.core.view.tree import (
    Block,
    Bullets,
    Callout,
    Figure,
    Heading,
    KeyValues,
    Paragraph,
    Quantity,
    Samples,
    Section,
    Table,
    Value,
)
from hcat.core.wording.findings import comparison_sentence, contradicts, labels_sentence, statement_sentence
from hcat.core.wording.weakness import FINDINGS_NOTE

CHART = (
    "Each dot is the score of one sample when the finding was confirmed, coloured by what people say of the answer "
    "now. The diamond is their mean with its 95% interval, the dashed line the mean of the rest of the run."
)
AGAINST = (
    "The metric scores worse here, but in the labels so far no fewer of these answers pass than of the rest. Do not "
    "read this finding as a weakness of the system before labels show one."
)
NOT_CONFIRMED = "Found and tested on the same data: no fresh labels, drawn after it, have been used to confirm it."
UNLABELLED = "Whether people pass fewer answers here than elsewhere is unknown: only labels can show a weakness."
SAMPLES = (
    "Answers that people failed come first. Long texts are cut, and say by how much. All: see “Appendix: samples "
    "behind the findings”."
)
SHOWN = 5
"""So many samples stand with a finding; the appendix has them all."""


def findings_section(evidence: Evidence) -> Section:
    """A list of all, then one page each."""
    if not evidence.findings:
        none = (
            say("Every finding was withdrawn.")
            if evidence.withdrawn
            else say("No finding has been confirmed by a person.")
        )
        return Section("findings", say("Weaknesses and findings"), (Paragraph((none,)), *_withdrawn(evidence)))
    columns = (
        *(column("Finding"), column("Metric"), column("Verdict"), column("Pass rate by labels", "share")),
        *(column("Severity"), column("Status"), column("Owner"), column("Due"), column("Confirmed by")),
    )
    rows = tuple(_row(evidence, finding) for finding in evidence.findings)
    blocks: list[Block] = [
        Table(say("Confirmed findings"), columns, rows, (say(FINDINGS_NOTE),)),
        *_withdrawn(evidence),
    ]
    for number, finding in enumerate(evidence.findings, start=1):
        blocks += _page(evidence, finding, number)
    return Section("findings", say("Weaknesses and findings"), tuple(blocks))


def _withdrawn(evidence: Evidence) -> list[Block]:
    """Findings that were withdrawn, with the reason; none counts as a finding anywhere in the report."""
    if not evidence.withdrawn:
        return []
    columns = (
        *(column("Finding"), column("Confirmed by"), column("On"), column("Withdrawn by"), column("On")),
        column("Reason"),
    )
    rows = tuple(
        (
            *(finding.title, finding.confirmed_by, f"{finding.confirmed_at:%Y-%m-%d}"),
            *(finding.withdrawn_by, f"{finding.withdrawn_at:%Y-%m-%d}", finding.reason),
        )
        for finding in evidence.withdrawn
    )
    return [Table(say("Withdrawn findings"), columns, rows, (say("They count as findings nowhere in this report."),))]


def _row(evidence: Evidence, finding: FindingEvidence) -> tuple[Value, ...]:
    people = next((rate.inside for rate in finding.pass_rates if rate.by_people), None)
    return (
        *(
            finding.title,
            evidence.title(finding.metric) if finding.metric else None,
            say(finding.verdict) or None,
            people,
        ),
        *(say(finding.severity), say(finding.status), finding.owner or None, _due(finding), finding.author),
    )


def _page(evidence: Evidence, finding: FindingEvidence, number: int) -> list[Block]:
    blocks: list[Block] = [
        Heading(say("Finding {number}: {finding.title}", number=number, finding=finding), new_page=True),
        _claim(evidence, finding),
    ]
    if finding.unreadable:
        blocks.append(Callout("bad", say("The evidence of this finding can't be shown"), (finding.unreadable,)))
    blocks += _people(evidence, finding)
    if finding.fitness:
        blocks.append(Paragraph((finding.fitness,)))
    blocks.append(Paragraph((finding.confirmation or say(NOT_CONFIRMED),)))
    blocks.append(KeyValues(_facts(evidence, finding)))
    if finding.scores:
        blocks.append(_chart(evidence, finding))
    if finding.comment:
        blocks.append(Paragraph((say("Comment by {finding.author}: {finding.comment}", finding=finding),)))
    if finding.samples:
        shown, n = finding.samples[:SHOWN], Quantity(finding.n_samples, "count")
        note = tell("{shown} of {n}. {samples}", shown=Quantity(len(shown), "count"), n=n, samples=say(SAMPLES))
        blocks.append(Samples(say("Samples of finding {number}", number=number), shown, note))
    if finding.history:
        rows = tuple((f"{change.at:%Y-%m-%d %H:%M}", change.by, change.what) for change in finding.history)
        columns = (column("When (UTC)"), column("Who"), column("What"))
        blocks.append(Table(say("History of finding {number}", number=number), columns, rows))
    return blocks


def _claim(evidence: Evidence, finding: FindingEvidence) -> Paragraph:
    metric = evidence.title(finding.metric) if finding.metric else say("no metric")
    n = finding.n_samples or (finding.mean.n if finding.mean is not None else 0)
    claim = statement_sentence(run=finding.run, where=finding.slice, metric=metric, n=n, mean=finding.mean)
    comparison = comparison_sentence(
        difference=finding.difference, q=finding.q, tested=finding.tested, verdict=finding.verdict
    )
    return Paragraph((f"{claim} {comparison}".strip(),))


def _people(evidence: Evidence, finding: FindingEvidence) -> list[Block]:
    """What people say of the same samples, and a warning where the metric says otherwise."""
    if not finding.pass_rates:
        return [Callout("warning", say("Nobody has labelled these samples"), (say(UNLABELLED),))]
    n = finding.n_samples
    said = tuple(
        (labels_sentence(rate.criterion, rate.inside, rate.rest, n=n, by_people=rate.by_people),)
        for rate in finding.pass_rates
    )
    people = any(rate.by_people for rate in finding.pass_rates)
    title = say("People's labels point the other way") if people else say("Labels point the other way")
    against = [rate for rate in finding.pass_rates if _contradicts(evidence, finding, rate)]
    warning = [Callout("bad", title, (say(AGAINST),))] if against else []
    return [*warning, Bullets(said)]


def _contradicts(evidence: Evidence, finding: FindingEvidence, rate: SlicePassRate) -> bool:
    """Whether the metric is worse here than elsewhere, and people pass no fewer."""
    difference = finding.difference
    turned = -1 if evidence.direction(finding.metric) == "lower" else 1
    is_worse = difference is not None and turned * difference.value < 0
    return contradicts(rate.inside, rate.rest, score_is_worse=is_worse)


def _facts(evidence: Evidence, finding: FindingEvidence) -> tuple[tuple[str, Quantity], ...]:
    texts = {
        "Metric": evidence.title(finding.metric),
        "Severity": say(finding.severity),
        "Status": say(finding.status),
        "Owner": finding.owner,
        "Due": _due(finding) or "",
        "Confirmed by": f"{finding.author}, {finding.at:%Y-%m-%d}",
    }
    facts = [(say(name), Quantity(text, "text")) for name, text in texts.items() if text]
    if finding.shrunken is not None:
        facts.append((say("Shrunken mean, interval for selected slices"), Quantity(finding.shrunken, "estimate")))
    if finding.frozen_hash is not None:
        facts.append((say("Evidence, SHA-256"), Quantity(finding.frozen_hash, "code")))
    return tuple(facts)


def _chart(evidence: Evidence, finding: FindingEvidence) -> Figure:
    mean, difference = finding.mean, finding.difference
    rest = None if mean is None or difference is None else mean.value - difference.value
    title = evidence.title(finding.metric)
    return Figure(
        say("Frozen scores: {finding.title}", finding=finding),
        SliceScores(title, finding.scores, mean, rest),
        (say(CHART),),
    )


def _due(finding: FindingEvidence) -> str | None:
    return None if finding.due is None else finding.due.isoformat()
