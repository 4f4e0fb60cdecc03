"""The findings that a person confirmed: a list, then each on a page of its own with all that it rests on."""

from __future__ import annotations

from core.figures.slice_scores import SliceScores
from core.report.evidence.finding_records import FindingEvidence, SlicePassRate
from core.report.evidence.records import Evidence
from core.report.tree import (
    Block,
    Bullets,
    Callout,
    Column,
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
from core.wording.findings import comparison_sentence, contradicts, labels_sentence, statement_sentence
from core.wording.weakness import FINDINGS_NOTE

COLUMNS = (
    *(Column("Finding"), Column("Metric"), Column("Verdict"), Column("Pass rate by labels", "share")),
    *(Column("Severity"), Column("Status"), Column("Owner"), Column("Due"), Column("Confirmed by")),
)
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
SAMPLES = "Answers that people failed come first. Long texts are cut, and say by how much. All: see the appendix."
SHOWN = 5
"""So many samples stand with a finding; the appendix has them all."""


def findings_section(evidence: Evidence) -> Section:
    """A list of all, then one page each."""
    if not evidence.findings:
        none = "Every finding was withdrawn." if evidence.withdrawn else "No finding has been confirmed by a person."
        return Section("findings", "Weaknesses and findings", (Paragraph((none,)), *_withdrawn(evidence)))
    rows = tuple(_row(evidence, finding) for finding in evidence.findings)
    blocks: list[Block] = [Table("Confirmed findings", COLUMNS, rows, (FINDINGS_NOTE,)), *_withdrawn(evidence)]
    for number, finding in enumerate(evidence.findings, start=1):
        blocks += _page(evidence, finding, number)
    return Section("findings", "Weaknesses and findings", tuple(blocks))


def _withdrawn(evidence: Evidence) -> list[Block]:
    """Findings that were withdrawn, with the reason; none counts as a finding anywhere in the report."""
    if not evidence.withdrawn:
        return []
    columns = (
        *(Column("Finding"), Column("Confirmed by"), Column("On"), Column("Withdrawn by"), Column("On")),
        Column("Reason"),
    )
    rows = tuple(
        (
            *(finding.title, finding.confirmed_by, f"{finding.confirmed_at:%Y-%m-%d}"),
            *(finding.withdrawn_by, f"{finding.withdrawn_at:%Y-%m-%d}", finding.reason),
        )
        for finding in evidence.withdrawn
    )
    return [Table("Withdrawn findings", columns, rows, ("They count as findings nowhere in this report.",))]


def _row(evidence: Evidence, finding: FindingEvidence) -> tuple[Value, ...]:
    people = next((rate.inside for rate in finding.pass_rates if rate.by_people), None)
    return (
        *(finding.title, evidence.title(finding.metric) if finding.metric else None, finding.verdict or None, people),
        *(finding.severity, finding.status, finding.owner or None, _due(finding), finding.author),
    )


def _page(evidence: Evidence, finding: FindingEvidence, number: int) -> list[Block]:
    blocks: list[Block] = [Heading(f"Finding {number}: {finding.title}", new_page=True), _claim(evidence, finding)]
    if finding.unreadable:
        blocks.append(Callout("bad", "The evidence of this finding can't be shown", (finding.unreadable,)))
    blocks += _people(evidence, finding)
    if finding.fitness:
        blocks.append(Paragraph((finding.fitness,)))
    blocks.append(Paragraph((finding.confirmation or NOT_CONFIRMED,)))
    blocks.append(KeyValues(_facts(evidence, finding)))
    if finding.scores:
        blocks.append(_chart(evidence, finding))
    if finding.comment:
        blocks.append(Paragraph((f"Comment by {finding.author}: {finding.comment}",)))
    if finding.samples:
        shown, n = finding.samples[:SHOWN], Quantity(finding.n_samples, "count")
        note = (Quantity(len(shown), "count"), " of ", n, f". {SAMPLES}")
        blocks.append(Samples(f"Samples of finding {number}", shown, note))
    if finding.history:
        rows = tuple((f"{change.at:%Y-%m-%d %H:%M}", change.by, change.what) for change in finding.history)
        columns = (Column("When (UTC)"), Column("Who"), Column("What"))
        blocks.append(Table(f"History of finding {number}", columns, rows))
    return blocks


def _claim(evidence: Evidence, finding: FindingEvidence) -> Paragraph:
    metric = evidence.title(finding.metric) if finding.metric else "no metric"
    n = finding.n_samples or (finding.mean.n if finding.mean is not None else 0)
    claim = statement_sentence(run=finding.run, where=finding.slice, metric=metric, n=n, mean=finding.mean)
    comparison = comparison_sentence(
        difference=finding.difference, q=finding.q, tested=finding.tested, verdict=finding.verdict
    )
    return Paragraph((f"{claim} {comparison}".strip(),))


def _people(evidence: Evidence, finding: FindingEvidence) -> list[Block]:
    """What people say of the same samples, and a warning where the metric says otherwise."""
    if not finding.pass_rates:
        return [Callout("warning", "Nobody has labelled these samples", (UNLABELLED,))]
    n = finding.n_samples
    said = tuple(
        (labels_sentence(rate.criterion, rate.inside, rate.rest, n=n, by_people=rate.by_people),)
        for rate in finding.pass_rates
    )
    people = any(rate.by_people for rate in finding.pass_rates)
    title = "People's labels point the other way" if people else "Labels point the other way"
    against = [rate for rate in finding.pass_rates if _contradicts(evidence, finding, rate)]
    warning = [Callout("bad", title, (AGAINST,))] if against else []
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
        "Severity": finding.severity,
        "Status": finding.status,
        "Owner": finding.owner,
        "Due": _due(finding) or "",
        "Confirmed by": f"{finding.author}, {finding.at:%Y-%m-%d}",
    }
    facts = [(name, Quantity(text, "text")) for name, text in texts.items() if text]
    if finding.shrunken is not None:
        facts.append(("Shrunken mean, interval for selected slices", Quantity(finding.shrunken, "estimate")))
    if finding.frozen_hash is not None:
        facts.append(("Evidence, SHA-256", Quantity(finding.frozen_hash, "code")))
    return tuple(facts)


def _chart(evidence: Evidence, finding: FindingEvidence) -> Figure:
    mean, difference = finding.mean, finding.difference
    rest = None if mean is None or difference is None else mean.value - difference.value
    title = evidence.title(finding.metric)
    return Figure(f"Frozen scores: {finding.title}", SliceScores(title, finding.scores, mean, rest), (CHART,))


def _due(finding: FindingEvidence) -> str | None:
    return None if finding.due is None else finding.due.isoformat()
