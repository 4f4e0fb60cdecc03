"""The chapter Fairness: gaps with their margins, whether these were set before, and nothing where there is nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from hcat.core.capabilities.fairness.chapter import fairness_section
from hcat.core.capabilities.fairness.counterfactual.comparison import Fairness, OutcomeGaps
from hcat.core.capabilities.fairness.figures import gap_forest
from hcat.core.capabilities.fairness.gap import judged, paired_gap
from hcat.core.capabilities.report.build import build_report
from hcat.core.capabilities.report.evidence.records import Evidence, FairnessEvidence
from hcat.core.records.fairness import FairnessSettings, SettledFairness
from hcat.core.view.renderers.html import render_html
from hcat.core.view.renderers.svg import draw
from hcat.core.view.tree import Figure, Table


def compared(settings: FairnessSettings) -> Fairness:
    values, reference = np.tile([1.0, 0.0], 20), np.zeros(40)
    questions = [f"q{n}" for n in range(40)]
    gaps = judged(
        [paired_gap(values, reference, questions, attribute="gender", group="woman", reference="man", margin=0.1)]
    )
    return Fairness("v1", settings, (OutcomeGaps("refusal", "none", 0.1, gaps),), (), 1, 10)


def test_the_chapter_shows_gaps_and_when_the_margin_was_set(evidence: Evidence) -> None:
    settings = FairnessSettings(margin=0.1)
    settled = SettledFairness(settings, "V. Lead", datetime(2026, 1, 2, tzinfo=UTC))
    item = FairnessEvidence("v1", compared(settings), settled, 1, datetime(2026, 1, 3, tzinfo=UTC))
    section = fairness_section(replace(evidence, fairness=(item,)))
    assert section is not None
    table = next(block for block in section.blocks if isinstance(block, Table))
    assert (table.rows[0][0], table.rows[0][-1]) == ("gender: woman less man", "gap")
    assert any(isinstance(block, Figure) for block in section.blocks)
    page = render_html(build_report(replace(evidence, fairness=(item,)), chapters=("fairness",))).decode()
    assert "Set by V. Lead on 2 January 2026, 00:00, before this run was imported." in page


def test_a_report_without_groups_has_no_such_chapter(evidence: Evidence) -> None:
    assert fairness_section(evidence) is None


def test_a_gap_is_named_once_in_the_figure_of_several_attributes() -> None:
    values, reference, questions = np.tile([1.0, 0.0], 20), np.zeros(40), [f"q{n}" for n in range(40)]
    groups = (("gender", "woman", "man"), ("age", "old", "young"))
    gaps = [
        paired_gap(values, reference, questions, attribute=attribute, group=group, reference=other, margin=0.1)
        for attribute, group, other in groups
    ]
    svg = draw(gap_forest(judged(gaps), title="refusal"), name="gaps")
    assert re.findall(r">([^<>]* less [^<>]*)<", svg) == ["gender: woman less man", "age: old less young"]
