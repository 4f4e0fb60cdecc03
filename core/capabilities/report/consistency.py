"""Consistency rules for every report: no two statements in it contradict each other."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping

from hcat.core.capabilities.calibration.chapter import calibrated
from hcat.core.capabilities.calibration.views.calibration import most_covered
from hcat.core.capabilities.report.evidence.records import Evidence, RunEvidence
from hcat.core.display.messages import say
from hcat.core.display.numbers import format_estimate, format_percent
from hcat.core.types import Estimate
from hcat.core.view.tree import Block, Bullets, Callout, Heading, KeyValues, Paragraph, Quantity, Section, Table, Text

DIFFERS = frozenset({"worse", "better", "lower", "higher", "gap"})
"""Verdicts that a difference is there."""
SUMMARY = "summary"


def contradiction_callout(evidence: Evidence, sections: Mapping[str, Section]) -> tuple[Callout, ...]:
    """A warning that names every rule that the report breaks; none where it agrees with itself."""
    found = list(dict.fromkeys(contradictions(evidence, sections)))
    return (Callout("bad", say("This report contradicts itself"), (" ".join(found),)),) if found else ()


def contradictions(evidence: Evidence, sections: Mapping[str, Section]) -> Iterator[str]:
    """A sentence for each rule that is broken. `sections` are all chapters that were made, chosen or not."""
    yield from _coverage(evidence)
    for run in evidence.runs:
        yield from _denominators(run)
    yield from _machine_verdicts(evidence)
    for section in sections.values():
        yield from _verdicts(section)
        yield from _said_twice(section)
    yield from _summary(sections)


def _coverage(evidence: Evidence) -> Iterator[str]:
    """A set without a label holds none, so that coverage is at most the share of the others."""
    for item in evidence.calibrations:
        most, checked = most_covered(item.decisions), item.calibration.diagnostics
        if most is not None and checked is not None and checked.coverage.low > most:
            yield say(
                "{calibrated}: a coverage of {coverage} is stated, and on this run it can't be above {most}, since the "
                "other prediction sets are empty.",
                calibrated=calibrated(item, evidence),
                coverage=format_estimate(checked.coverage, percent=True),
                most=format_percent(most),
            )


def _denominators(run: RunEvidence) -> Iterator[str]:
    """Scored, withheld and unscored samples of a metric add up to the samples of the run."""
    for name, summary in run.scores.items():
        counted = summary.mean.n + sum(summary.unscored.values()) + sum(summary.outside.values())
        if counted != run.n:
            yield say(
                "Run {run.name}: {metric} counts {counted} of {run.n} samples.", run=run, metric=name, counted=counted
            )


def _machine_verdicts(evidence: Evidence) -> Iterator[str]:
    """Verdicts of a machine are counted on the samples that its mean is of."""
    means = {(run.name, name): summary.mean.n for run in evidence.runs for name, summary in run.scores.items()}
    for item in evidence.verdicts:
        n = means.get((item.run, item.errors.metric), item.errors.n)
        if n != item.errors.n:
            yield say(
                "Run {item.run}: the mean of {metric} is of {n} samples, and its verdicts are counted on {counted}.",
                item=item,
                metric=evidence.title(item.errors.metric),
                n=n,
                counted=item.errors.n,
            )


def _verdicts(section: Section) -> Iterator[str]:
    """Rows whose verdict is a difference although an interval of it contains 0."""
    for table in (block for block in section.blocks if isinstance(block, Table)):
        kinds = [column.kind for column in table.columns]
        for row in table.rows:
            said = {str(value) for value, kind in zip(row, kinds, strict=True) if kind == "verdict"}
            differences = [value for value, kind in zip(row, kinds, strict=True) if kind == "difference"]
            for each in differences:
                if isinstance(each, Estimate) and said & DIFFERS and each.low <= 0 <= each.high:
                    yield say(
                        "{table}, {row}: the verdict is “{verdict}”, and the interval beside it holds 0.",
                        table=table.title,
                        row=str(row[0]),
                        verdict=say(next(iter(said & DIFFERS))),
                    )


def _said_twice(section: Section) -> Iterator[str]:
    """Tables whose title occurs more than once under a heading."""
    titles: Counter[tuple[str, str]] = Counter()
    heading = ""
    for block in section.blocks:
        heading = block.text if isinstance(block, Heading) else heading
        if isinstance(block, Table):
            titles[heading, block.title] += 1
    for (_, title), times in titles.items():
        if times > 1:
            yield say("{section}: “{title}” stands there twice.", section=section.title, title=title)


def _summary(sections: Mapping[str, Section]) -> Iterator[str]:
    """Numbers of the summary that are in no chapter, compared to the last digit."""
    if SUMMARY not in sections:
        return
    stated = {key for name, chapter in sections.items() if name != SUMMARY for key in map(_key, quantities(chapter))}
    for value in quantities(sections[SUMMARY]):
        if _key(value) not in stated:
            shown = format_estimate(value) if isinstance(value, Estimate) else str(value)
            yield say("{value} of the summary stands in no chapter.", value=shown)


def quantities(section: Section) -> Iterator[object]:
    """Every value of a section: in texts, facts and tables."""
    for block in section.blocks:
        for text in _texts(block):
            yield from (part.value for part in text if isinstance(part, Quantity))
        if isinstance(block, KeyValues):
            yield from (value.value for _, value in block.items)
        if isinstance(block, Table):
            yield from (value.value if isinstance(value, Quantity) else value for row in block.rows for value in row)
            yield len(block.rows)


def _texts(block: Block) -> tuple[Text, ...]:
    if isinstance(block, Bullets):
        return block.items
    return (block.text,) if isinstance(block, Paragraph | Callout) else ()


def _key(value: object) -> object:
    """Equal for equal values; unknown numbers are alike."""
    if isinstance(value, Estimate):
        return tuple(None if math.isnan(x) else x for x in (value.value, value.low, value.high)), value.n
    return None if isinstance(value, float) and math.isnan(value) else value
