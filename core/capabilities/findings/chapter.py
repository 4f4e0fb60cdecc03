"""The findings that a person confirmed: a list, then each on a page of its own with all its evidence."""

from __future__ import annotations

from hcat.core.capabilities.findings.view import FindingEvidence, history_view, statement_view
from hcat.core.capabilities.report.chapter import Chapter
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.capabilities.weaknesses.wording import FINDINGS_NOTE
from hcat.core.display.messages import say
from hcat.core.figures.slice_scores import SliceScores
from hcat.core.view.telling import column, tell
from hcat.core.view.tree import (
    Block,
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

CHART = (
    "Each dot is the score of one sample when the finding was confirmed, coloured by what people say of the answer "
    "now. The diamond is their mean with its 95% interval, the dashed line the mean of the rest of the run."
)
NOT_CONFIRMED = "Found and tested on the same data: no fresh labels, drawn after it, have been used to confirm it."
SAMPLES = (
    "Answers that people failed come first. Long texts are cut, and say by how much. All: see “Appendix: samples "
    "behind the findings”."
)
SHOWN = 5
"""The number of samples shown with a finding; the appendix has them all."""


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
        *statement_view(
            finding,
            metric=evidence.title(finding.metric),
            lower_is_better=evidence.direction(finding.metric) == "lower",
        ).blocks,
    ]
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
    title = say("History of finding {number}", number=number)
    return [*blocks, *history_view(finding.author, finding.at, finding.history, title=title).blocks]


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


CHAPTER = Chapter(
    "findings", "Weaknesses and findings", findings_section, lambda evidence: evidence.findings, after="tone"
)
