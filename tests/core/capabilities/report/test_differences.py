"""Changes since the last report: values by their place, before and now."""

from __future__ import annotations

import dataclasses
import math

from hcat.core.capabilities.report.build import build_report
from hcat.core.capabilities.report.differences import Difference, differences
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.types import Estimate
from hcat.core.view.renderers.json_tree import read_report, render_json
from hcat.core.view.tree import Column, Heading, KeyValues, Paragraph, Quantity, Report, Section, Table

COLUMNS = (Column("Run"), Column("Criterion"), Column("Labels", "count"), Column("Passing", "share"), Column("Status"))


def section(*rows: tuple[str, str, int, Estimate, str]) -> list[Section]:
    return [Section("people", "Human judgement", (Table("Labels", COLUMNS, rows),))]


RATE = Estimate(0.5, 0.4, 0.6, 80)
OLD = section(("a", "x", 80, RATE, "open"), ("b", "x", 40, RATE, "open"))


def test_values_are_compared_by_run_and_criterion_whatever_the_order() -> None:
    now = section(("b", "x", 40, RATE, "open"), ("a", "x", 81, dataclasses.replace(RATE, n=81), "closed"))
    assert differences(OLD, now) == (
        Difference("people", "Labels: a, x: Labels", Quantity(80, "count"), Quantity(81, "count")),
        Difference(
            "people",
            "Labels: a, x: Passing",
            Quantity(RATE, "share"),
            Quantity(dataclasses.replace(RATE, n=81), "share"),
        ),
        Difference("people", "Labels: a, x: Status", Quantity("open", "text"), Quantity("closed", "text")),
    )


def test_rows_that_come_and_go_have_a_value_on_one_side_only() -> None:
    found = differences(OLD, section(("a", "x", 80, RATE, "open"), ("c", "x", 9, RATE, "open")))
    assert [(each.where, each.before is None, each.now is None) for each in found if "Labels: " in each.where][::3] == [
        ("Labels: c, x: Labels", True, False),
        ("Labels: b, x: Labels", False, True),
    ]


def test_facts_are_compared_under_their_heading_and_hashes_are_not() -> None:
    def facts(q_hat: float, seal: str) -> list[Section]:
        items = (("q̂", Quantity(q_hat)), ("Hash", Quantity(seal, "code")))
        return [Section("c", "C", (Heading("F1"), KeyValues(items)))]

    [found] = differences(facts(0.25, "aa"), facts(0.5, "bb"))
    assert (found.where, found.before, found.now) == ("F1: q̂", Quantity(0.25), Quantity(0.5))


def test_a_report_that_was_stored_does_not_differ_from_itself(evidence: Evidence) -> None:
    report = build_report(evidence)
    assert differences(read_report(render_json(report).decode()).sections, report.sections) == ()
    missing = Estimate(math.nan, math.nan, math.nan, 0)
    same = section(("a", "x", 0, missing, "–"))
    assert differences(same, same) == ()
    unknown = section(("a", "x", math.nan, RATE, "–"))
    stored = read_report(render_json(dataclasses.replace(report, sections=tuple(unknown))).decode()).sections
    assert differences(stored, unknown) == ()


def test_a_report_tells_what_changed_by_chapter(evidence: Evidence) -> None:
    before = build_report(evidence)
    fewer = dataclasses.replace(evidence.runs[0], unanswered=evidence.runs[0].unanswered + 1)
    now = dataclasses.replace(evidence, runs=(fewer, *evidence.runs[1:]), previous=before)
    [changes] = [each for each in build_report(now).sections if each.id == "changes"]
    [table] = [block for block in changes.blocks if isinstance(block, Table)]
    assert table.title == "Changed in: System and data"
    n = evidence.runs[0].unanswered
    assert table.rows == (("Runs: baseline: Without answer", Quantity(n, "count"), Quantity(n + 1, "count")),)


def test_a_report_without_changes_says_so(evidence: Evidence) -> None:
    def said(report: Report) -> str:
        [changes] = [each for each in report.sections if each.id == "changes"]
        return " ".join(str(block.text[0]) for block in changes.blocks if isinstance(block, Paragraph))

    before = build_report(evidence)
    assert "No number and no verdict differs" in said(build_report(dataclasses.replace(evidence, previous=before)))
    narrow = build_report(evidence, chapters=["summary", "changes"])
    assert "New chapters: Scope, intended use and limits, System and data" in said(
        build_report(dataclasses.replace(evidence, previous=narrow))
    )
    assert "no earlier report was given" in said(before)
