"""Frameworks: clauses point to chapters that exist, and are spoken to only where the report has evidence."""

from __future__ import annotations

import dataclasses
import re

import pytest

from hcat.core.capabilities.report.build import build_report
from hcat.core.capabilities.report.chapters import CHAPTERS
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.capabilities.report.frameworks.framework import (
    Clause,
    Framework,
    clause_status,
    find_framework,
    frameworks,
)
from hcat.core.capabilities.report.template import DEFAULT
from hcat.core.view.tree import Callout, Report, Table


def mapped(report: Report) -> dict[str, tuple[object, ...]]:
    """The rows of the chapter by clause: what it asks for, chapters, status, what is missing."""
    [section] = [section for section in report.sections if section.id == "frameworks"]
    [table] = [block for block in section.blocks if isinstance(block, Table)]
    return {str(row[0]): row[1:] for row in table.rows}


@pytest.mark.parametrize("framework", frameworks(), ids=lambda each: each.id)
def test_the_data_is_whole(framework: Framework) -> None:
    numbers = [clause.number for clause in framework.clauses]
    assert len(set(numbers)) == len(numbers) > 5
    assert framework.version >= 1 and framework.edition and framework.note
    assert re.match(r"20\d\d-\d\d-\d\d, .* against ", framework.checked)
    for clause in framework.clauses:
        assert set(clause.chapters) <= set(CHAPTERS), clause.number
        assert len(set(clause.chapters)) == len(clause.chapters)
        assert 10 < len(clause.asks) < 200


def test_the_frameworks_are_those_that_are_promised() -> None:
    assert [each.id for each in frameworks()] == ["eu-ai-act", "iso-42001", "nist-ai-rmf", "sr-26-2"]
    assert "generative and agentic AI out of its scope" in find_framework("sr-26-2").note
    assert all(re.match("(III|IV|V|VI|VII), ", clause.number) for clause in find_framework("sr-26-2").clauses)


def test_a_clause_is_spoken_to_only_where_all_its_chapters_report_something() -> None:
    clause = Clause("1", "asks", ("results", "fairness"))
    assert clause_status(clause, {"results", "fairness"}).status == "spoken to"
    assert clause_status(clause, {"results"}).status == "partly"
    assert clause_status(clause, {"results"}).missing == ("fairness",)
    assert clause_status(clause, {"policy"}).status == "missing"
    assert clause_status(dataclasses.replace(clause, gap="x"), {"results", "fairness"}).status == "partly"
    assert clause_status(dataclasses.replace(clause, gap="x"), set()).status == "missing"
    assert clause_status(Clause("2", "asks"), {"results"}).status == "not in this software"


def test_a_report_says_what_it_serves(evidence: Evidence) -> None:
    template = dataclasses.replace(DEFAULT, frameworks=("nist-ai-rmf",))
    rows = mapped(build_report(evidence, template=template))
    assert len(rows) == len(find_framework("nist-ai-rmf").clauses)
    assert rows["MEASURE 2.11"][1:] == ("Fairness", "missing", "Without evidence here: Fairness.")
    assert rows["MEASURE 2.12"][1:3] == (None, "not in this software")
    # Chapters that only say that something is missing are no evidence: there is a scope without an intended use.
    assert rows["MAP 1.1"][2] == "missing"
    assert rows["MEASURE 4.2"][2] == "spoken to"


def test_a_chapter_that_was_left_out_serves_no_clause(evidence: Evidence) -> None:
    template = dataclasses.replace(DEFAULT, frameworks=("nist-ai-rmf",))
    without = build_report(evidence, template=template, chapters=["frameworks", "people"])
    assert mapped(without)["MEASURE 4.2"][2:] == ("partly", "Without evidence here: Results overall.")


def test_the_chapter_says_that_it_is_no_legal_advice(evidence: Evidence) -> None:
    template = dataclasses.replace(DEFAULT, frameworks=("eu-ai-act", "sr-26-2"))
    [section] = [s for s in build_report(evidence, template=template).sections if s.id == "frameworks"]
    [callout] = [block for block in section.blocks if isinstance(block, Callout)]
    assert "not legal advice" in str(callout.text)
    assert "frameworks" not in [s.id for s in build_report(evidence).sections]
