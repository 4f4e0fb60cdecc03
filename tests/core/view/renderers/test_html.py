import json
import re
from html.parser import HTMLParser

import pytest

from hcat.core.capabilities.report.build import build_report
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Estimate
from hcat.core.view.renderers.html import render_html
from hcat.core.view.renderers.json_tree import report_document, report_hash
from hcat.core.view.tree import Column, Report, Section, Table
from hcat.core.view.values import breakable

NO_BREAK = "\N{NO-BREAK SPACE}"

VOID = {"meta", "br", "img", "link", "hr", "input"}


class Page(HTMLParser):
    """Elements with their attributes, and whether tags are balanced."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.stack: list[str] = []
        self.unbalanced: list[str] = []
        self.text: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if not self.stack or self.stack.pop() != tag:
            self.unbalanced.append(tag)

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attrs for name, attrs in self.elements if name == tag]


@pytest.fixture(scope="module")
def html(evidence: Evidence) -> str:
    return render_html(build_report(evidence)).decode()


@pytest.fixture(scope="module")
def page(html: str) -> Page:
    return Page(html)


def test_tags_are_balanced(page: Page) -> None:
    assert page.unbalanced == []
    assert page.stack == []


def test_nothing_runs_and_nothing_is_loaded(page: Page) -> None:
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"script", "img", "link", "iframe", "object", "embed", "base", "form", "image", "use", "video"}
    attributes = [(name, value) for _, attrs in page.elements for name, value in attrs.items()]
    assert not [
        name for name, _ in attributes if name.startswith("on") or name in ("src", "srcset", "srcdoc", "action")
    ]
    assert all(value.startswith("#") for name, value in attributes if name.endswith("href"))
    assert not [value for name, value in attributes if name == "style" and "url(" in value]


def test_the_style_sheet_loads_nothing(html: str) -> None:
    style = "".join(re.findall(r"<style>(.*?)</style>", html, re.S))
    assert len(style) > 1000
    assert not re.search(r"url\(|@import|https?:", style)


def test_the_content_security_policy_forbids_everything_but_styles(page: Page) -> None:
    policy = next(m["content"] for m in page.all("meta") if m.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:")
    assert "script-src" not in policy


def test_hostile_text_is_shown_as_text(html: str, page: Page) -> None:
    assert "<script" not in html
    assert "<img" not in html
    # In the description, in one sample's query, answer and context, and in a finding's comment.
    assert "".join(page.text).count('<script>alert("x")</script><img src=http://evil.example/a.png') == 5


def test_hostile_names_are_escaped_wherever_they_stand() -> None:
    hostile = "\"'><script>alert(1)</script>&lt;b&gt;\x00\ud800"
    column = Column(hostile)
    block = Table(hostile, (column,), ((hostile,),), note=(hostile,))
    from datetime import UTC, datetime

    report = Report(
        hostile, hostile, datetime(2026, 1, 1, tzinfo=UTC), "1", (Section("a", hostile, (block,)),), {hostile: hostile}
    )
    made = Page(render_html(report).decode())
    assert not made.all("script")
    assert not made.all("b") or all(not attrs for attrs in made.all("b"))
    assert made.unbalanced == []


def test_every_number_travels_in_full_precision(page: Page, evidence: Evidence, scores: ScoreTable) -> None:
    values = {attrs["data-value"] for _, attrs in page.elements if "data-value" in attrs}
    mean = scores.summary()["groundedness"].mean
    assert {repr(mean.value), repr(mean.low), repr(mean.high)} <= values
    made = evidence.calibrations[0].calibration
    assert made.diagnostics is not None
    assert {repr(made.diagnostics.brier.value), repr(made.diagnostics.ece), repr(made.diagnostics.auc.value)} <= values
    frame = evidence.weaknesses[0].table.frame
    weak = frame[frame["verdict"] == "lower score"]
    assert {repr(float(x)) for name in ("mean", "q", "shrunken") for x in weak[name]} <= values


def test_estimates_carry_bounds_and_n(page: Page, evidence: Evidence) -> None:
    made = evidence.calibrations[0].calibration.diagnostics
    assert made is not None
    cells = [attrs for attrs in page.all("td") if attrs.get("data-value") == repr(made.coverage.value)]
    assert cells[0]["data-low"] == repr(made.coverage.low)
    assert cells[0]["data-high"] == repr(made.coverage.high)
    assert cells[0]["data-n"] == str(made.coverage.n)


def test_every_numeric_cell_of_the_tree_is_in_the_page(page: Page, evidence: Evidence) -> None:
    document = report_document(build_report(evidence))
    tables = [b for s in document["sections"] for b in s["blocks"] if b["type"] == "table"]
    numbers = [v for t in tables for row in t["rows"] for v in row if isinstance(v, float | int)]
    values = [attrs["data-value"] for tag, attrs in page.elements if tag in ("td", "th") and "data-value" in attrs]
    assert len(numbers) > 50
    assert {json.dumps(number) for number in numbers} <= set(values)


def test_tables_are_accessible(page: Page) -> None:
    assert len(page.all("table")) == len(page.all("caption")) > 10
    assert all(th.get("scope") in ("col", "row") for th in page.all("th"))
    assert "row" in {th["scope"] for th in page.all("th")}


def test_anchors_are_unique_and_links_lead_somewhere(page: Page) -> None:
    ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    links = [attrs["href"][1:] for attrs in page.all("a")]
    assert len(links) > 10
    assert set(links) <= set(ids)
    described = {attrs["aria-labelledby"] for _, attrs in page.elements if "aria-labelledby" in attrs}
    assert described <= set(ids)


def test_figures_are_inline_and_named(page: Page) -> None:
    # One curve, one reliability diagram, two marginal plots, one heatmap.
    assert len(page.all("figure")) == len(page.all("svg")) == 5


def test_the_footer_names_the_hash_of_the_tree(html: str, evidence: Evidence) -> None:
    assert report_hash(build_report(evidence)) in html


def test_an_estimate_breaks_before_its_interval_and_before_its_n_alone() -> None:
    parts = ["0.71", f"[0.65,{NO_BREAK}0.77],", f"n{NO_BREAK}={NO_BREAK}83"]
    assert breakable("0.71 [0.65, 0.77], n = 83").split(" ") == parts
    assert breakable("1.0%, n = 1").split(" ") == ["1.0%,", parts[2].replace("83", "1")]


def test_absent_numbers_read_as_absent() -> None:
    from datetime import UTC, datetime

    columns = (Column("a"), Column("b", "number"), Column("c", "estimate"), Column("d", "percent"))
    row = ("x", float("nan"), Estimate(0.5, float("nan"), float("nan"), 1), None)
    report = Report(
        "t", "s", datetime(2026, 1, 1, tzinfo=UTC), "1", (Section("a", "A", (Table("T", columns, (row,)),)),)
    )
    html = render_html(report).decode()
    cells = re.findall(r"<td[^>]*>[^<]*</td>", html)
    assert cells[0] == '<td class="number">–</td>'
    assert cells[1].replace(NO_BREAK, " ") == '<td class="number" data-value="0.5" data-n="1">0.50, n = 1</td>'
    assert cells[2] == '<td class="number">–</td>'
