"""The summary: verdicts of the calibrations, then one line a result. Every number in it is also in a chapter."""

from __future__ import annotations

from collections.abc import Iterator

from hcat.core.capabilities.calibration.chapter import verdict_callout
from hcat.core.capabilities.estimates.wording.pass_rate import of_these_answers
from hcat.core.capabilities.report.evidence.records import Evidence, LabelEvidence
from hcat.core.capabilities.report.sections.opinion import opinion_blocks
from hcat.core.capabilities.report.sections.preregistration import plan_callouts
from hcat.core.capabilities.report.verdict_counts import verdict_counts
from hcat.core.display.messages import say
from hcat.core.display.numbers import counted
from hcat.core.labelling.ties import TieBounds
from hcat.core.types import Estimate
from hcat.core.view.telling import tell
from hcat.core.view.tree import Block, Bullets, Callout, Heading, Quantity, Section, Text

BY_PEOPLE = "Share of samples labelled by people that pass on {labels.criterion}, run {labels.run}: {passes}{tied}"
BY_RULE = "Share of samples labelled by a rule that pass on {labels.criterion}, run {labels.run}: {passes}{tied}"


def summary_section(evidence: Evidence) -> Section:
    """Executive summary: verdicts of the calibrations, statements on plans, and key results."""
    verdicts: list[Block] = opinion_blocks(evidence.opinion)
    verdicts += [verdict_callout(item, evidence) for item in evidence.calibrations]
    if not evidence.calibrations:
        text = say("No score was calibrated against human labels: no score in this report can replace human judgement.")
        verdicts.append(Callout("warning", say("Nothing is calibrated"), (text,)))
    verdicts += plan_callouts(evidence)
    return Section(
        "summary",
        say("Executive summary"),
        (*verdicts, Heading(say("Key results")), Bullets(tuple(_key_results(evidence)))),
    )


def _key_results(evidence: Evidence) -> Iterator[Text]:
    for run in evidence.runs:
        questions, samples = Quantity(run.test_cases, "count"), Quantity(run.n, "count")
        unanswered = Quantity(run.unanswered, "count")
        yield tell(
            "Run {run.name}: {questions} questions, {samples} samples, {unanswered} without answer.",
            run=run,
            questions=questions,
            samples=samples,
            unanswered=unanswered,
        )
    for labels in evidence.labels:
        yield _labelled(labels)
    for rate in evidence.pass_rates:
        yield tell(
            "Pass rate on {rate.criterion}, run {rate.run}, by labels and machine together (PPI++): {ppi}{tied}",
            rate=rate,
            ppi=Quantity(rate.estimates.ppi, "share"),
            tied=_tied(rate.tied, None if rate.estimates.of_these is None else rate.estimates.of_these.ppi),
        )
    for item in evidence.weaknesses:
        for counts in verdict_counts(item.table, by_labels=True):  # a score alone is no key result
            yield tell(
                "{metric}, run {item.run}: {text}.", metric=evidence.title(counts.metric), item=item, text=counts.text()
            )
    yield from _findings(evidence)


def _labelled(labels: LabelEvidence) -> Text:
    message = BY_PEOPLE if labels.kind == "people" else BY_RULE
    return tell(
        message, labels=labels, passes=Quantity(labels.passes, "share"), tied=_tied(labels.tied, labels.passes_here)
    )


def _tied(bounds: TieBounds | None, here: Estimate | None) -> Text:
    """Bounds on the rate once ties are decided, and its value on these answers; a full stop ends the text."""
    of_these: Text = (f" ({of_these_answers(here)})",) if of_these_answers(here) else ()
    if bounds is None:
        return (*of_these, ".")
    ties = Quantity(bounds.ties, "count")
    failed, passed = Quantity(bounds.failed.value, "percent"), Quantity(bounds.passed.value, "percent")
    return (
        *of_these,
        *tell(
            ", without {ties} tied samples: {failed} if all of these failed, {passed} if all passed.",
            ties=ties,
            failed=failed,
            passed=passed,
        ),
    )


def _findings(evidence: Evidence) -> Iterator[Text]:
    without = (
        tell(", {withdrawn} more withdrawn", withdrawn=Quantity(len(evidence.withdrawn), "count"))
        if evidence.withdrawn
        else ()
    )
    yield tell(
        "Findings confirmed by a person: {findings}{without}.",
        findings=Quantity(len(evidence.findings), "count"),
        without=without,
    )
    analysed = {metric for item in evidence.weaknesses for metric in item.table.settings.overall}
    other = [finding for finding in evidence.findings if finding.metric and finding.metric not in analysed]
    if other and analysed:
        titles = ", ".join(dict.fromkeys(evidence.title(finding.metric) for finding in other))
        yield (
            say(
                "{findings} on a metric ({titles}) that the chapter on weaknesses does not count.",
                findings=counted(len(other), "finding"),
                titles=titles,
            ),
        )
