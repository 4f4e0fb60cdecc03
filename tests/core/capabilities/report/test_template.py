"""Templates: what a bank writes in YAML is what its report looks like, and every fault names its line."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime

import pytest

from hcat.core.capabilities.report.build import build_report, chapter_titles
from hcat.core.capabilities.report.chapters import CHAPTERS
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.capabilities.report.template import DEFAULT, MOST_CHARACTERS, read_template
from hcat.core.capabilities.report.template_file import default_template
from hcat.core.errors import FileFormatError, HcatError, LimitError
from hcat.core.view.renderers.html import render_html
from hcat.core.view.tree import Quotation

BARE = Evidence("bank", datetime(2026, 3, 2, tzinfo=UTC), "0.1.0")
BANK = """\
title: Validation of the fee assistant
subtitle: Model Risk Management
cover:
  Department: Model Risk
  Project: not this one
chapters:
  - limitations
  - title: Independence
    text: |
      The validators report to the **Chief Risk Officer**.
  - chapter: scope
    title: Purpose
    before: For customers of the retail bank.
    after: Approved by the committee.
  - chapter: fairness
    before: No word of this appears without a fairness test.
"""


def test_the_default_file_states_the_default_report() -> None:
    assert read_template(default_template()) == DEFAULT
    assert list(chapter_titles()) == list(CHAPTERS)


def test_a_template_decides_titles_order_texts_and_cover() -> None:
    report = build_report(BARE, template=read_template(BANK))
    assert (report.title, report.subtitle) == ("Validation of the fee assistant", "Model Risk Management")
    assert report.facts["Department"] == "Model Risk"
    assert report.facts["Project"] == "bank"  # a cover adds facts, and replaces none that follow from the evidence
    assert [section.id for section in report.sections] == ["limitations", "own-2", "scope"]
    assert [section.title for section in report.sections] == ["Limitations", "Independence", "Purpose"]
    scope = report.sections[2].blocks
    assert (scope[0], scope[-1]) == (
        Quotation("For customers of the retail bank."),
        Quotation("Approved by the committee."),
    )
    assert "Executive summary" in report.facts["Chapters left out"]


def test_texts_of_a_bank_are_markdown_that_runs_nothing() -> None:
    hostile = BANK.replace("the **Chief", "<script>alert(1)</script> the **Chief")
    html = render_html(build_report(BARE, template=read_template(hostile))).decode()
    assert "<strong>Chief Risk Officer</strong>" in html
    assert "<script" not in html
    assert "&lt;script&gt;" in html


def test_chapters_are_chosen_among_those_of_the_template() -> None:
    template = read_template(BANK)
    report = build_report(BARE, template=template, chapters=["scope"])
    assert [section.id for section in report.sections] == ["own-2", "scope"]
    with pytest.raises(HcatError, match="no chapter 'summary': choose from limitations, scope, fairness"):
        build_report(BARE, template=template, chapters=["summary"])
    with pytest.raises(HcatError, match="a report needs a chapter"):
        build_report(BARE, chapters=[])


def test_the_content_of_a_chapter_is_the_same_in_any_template() -> None:
    usual = {section.id: section for section in build_report(BARE).sections}
    own = {section.id: section for section in build_report(BARE, template=read_template(BANK)).sections}
    assert own["limitations"] == usual["limitations"]
    assert own["scope"].blocks[1:-1] == usual["scope"].blocks


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "line 1: expected lines of NAME: VALUE"),
        ("- summary\n", "line 1: expected lines of NAME: VALUE"),
        ("title: x\n", "line 1: say by chapters: which chapters"),
        ("titel: x\nchapters: [summary]\n", "line 1: 'titel' is not known here"),
        ("\nchapters: [summary]\ntitle: 3\n", "line 3: title: must be a text"),
        ("chapters: {}\n", "line 1: chapters: must be a list"),
        ("chapters: []\n", "line 1: chapters: must be a list"),
        ("chapters:\n  - summary\n  - weather\n", "line 3: a report has no chapter 'weather'"),
        ("chapters:\n  - summary\n  - 3\n", "line 3: expected lines of NAME: VALUE"),
        ("chapters:\n  - summary\n  - scope\n  - summary\n", "line 4: the chapter 'summary' is there twice"),
        ("chapters:\n  - title: Own\n", "line 2: a chapter of your own needs title: and text:"),
        ("chapters:\n  - chapter: scope\n    text: x\n", "line 2: text: is for a chapter of your own"),
        ("chapters:\n  - title: Own\n    text: x\n    after: y\n", "line 2: a chapter of your own takes text:"),
        ("chapters:\n  - chapter: scope\n    befor: x\n", "line 3: 'befor' is not known here"),
        ("chapters: [summary]\nframeworks:\n  - sr-11-7\n", "line 3: there is no framework 'sr-11-7'"),
        ("chapters: [summary]\nframeworks: sr-26-2\n", "line 2: frameworks: must be a list"),
        ("chapters: [summary]\ncover:\n  Model number: 4711\n", "line 3: cover: Model number: must be a text"),
        ("title: x\nchapters: [summary]\ntitle: y\n", "line 3: 'title' is there twice"),
        ("chapters:\n  - chapter: scope\n    title: x\n    title: y\n", "line 4: 'title' is there twice"),
        ("chapters: [summary\n", "is no YAML: line 2"),
        (f"title: {'x' * MOST_CHARACTERS}\nchapters: [summary]\n", "more than 200,000 characters"),
        (
            "chapters:\n" + "".join(f"  - {{title: t{n}, text: x}}\n" for n in range(101)),
            "line 1: more than 100",
        ),
    ],
)
def test_each_fault_names_its_line(text: str, fault: str) -> None:
    with pytest.raises(FileFormatError) as raised:
        read_template(text, name="bank.yaml")
    assert fault in str(raised.value)
    assert str(raised.value).startswith("bank.yaml")
    assert "\n" not in str(raised.value)


def test_a_template_makes_no_objects_and_repeats_nothing() -> None:
    with pytest.raises(FileFormatError, match="is no YAML"):
        read_template("chapters: !!python/object/apply:os.system ['true']\n")
    with pytest.raises(LimitError, match="values by name"):
        read_template("a: &a [x]\nchapters: *a\n")


def test_frameworks_of_a_template_are_reported(evidence: Evidence) -> None:
    template = dataclasses.replace(DEFAULT, frameworks=("nist-ai-rmf",))
    ids = [section.id for section in build_report(evidence, template=template).sections]
    assert ids.index("frameworks") == ids.index("limitations") + 1
