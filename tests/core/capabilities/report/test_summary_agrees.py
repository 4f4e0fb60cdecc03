"""Every number of the summary stands in a chapter too, to the last digit."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime

from hcat.core.capabilities.findings.view import FindingEvidence
from hcat.core.capabilities.report.build import build_report
from hcat.core.capabilities.report.consistency import quantities
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.labelling.ties import TieBounds
from hcat.core.types import Estimate
from hcat.core.view.tree import Block, Bullets, Callout, Paragraph, Text


def texts(block: Block) -> list[Text]:
    if isinstance(block, Bullets):
        return list(block.items)
    return [block.text] if isinstance(block, Paragraph | Callout) else []


def summary_is_in_chapters(evidence: Evidence) -> None:
    summary, *chapters = build_report(evidence).sections
    stated = {value for chapter in chapters for value in quantities(chapter)}
    missing = [value for value in quantities(summary) if value not in stated]
    assert not missing
    assert len(list(quantities(summary))) > 6


def test_every_number_of_the_summary_stands_in_a_chapter(evidence: Evidence) -> None:
    summary_is_in_chapters(evidence)


def test_bounds_of_ties_in_the_summary_stand_in_the_limitations(evidence: Evidence) -> None:
    bounds = TieBounds(7, Estimate(0.4123, 0.3, 0.5, 60), Estimate(0.5234, 0.4, 0.6, 60))
    people = dataclasses.replace(evidence.labels[0], ties=7, tied=bounds)
    others = TieBounds(7, Estimate(0.4321, 0.3, 0.5, 60), Estimate(0.5432, 0.4, 0.6, 60))
    rates = tuple(dataclasses.replace(rate, tied=others) for rate in evidence.pass_rates)
    summary_is_in_chapters(dataclasses.replace(evidence, labels=(people, *evidence.labels[1:]), pass_rates=rates))


def test_a_finding_on_another_metric_is_said_to_be_so(evidence: Evidence) -> None:
    def said(metric: str) -> list[str]:
        finding = FindingEvidence(
            "t", "a = b", "low", "open", "", "ada", datetime(2026, 3, 1, tzinfo=UTC), metric=metric
        )
        summary = build_report(dataclasses.replace(evidence, findings=(finding,))).sections[0]
        lines = [text[0] for block in summary.blocks for text in texts(block)]
        return [line for line in lines if isinstance(line, str) and "does not count" in line]

    assert said("groundedness") == []
    assert said("answer_f1") == ["1 finding on a metric (answer_f1) that the chapter on weaknesses does not count."]
