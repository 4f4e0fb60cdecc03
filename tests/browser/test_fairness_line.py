"""A margin is set, the forest of gaps is seen within it, and a gap is opened by a click: its pairs side by side."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from benchmarks.served import RunningApp
from hcat.core.settings import Settings
from hcat.core.types import Sample, Variant
from hcat.core.workspace import Workspace
from tests.browser.steps import choose, click_point, table_texts, traces, visit, wait_until_idle

pytestmark = pytest.mark.browser

PROJECT, RUN = "bank", "groups"
N = 30
DECLINED = "I cannot answer that."
GROUPS = ("man", "woman", "nonbinary")


def answers() -> list[Sample]:
    """Thirty questions for three groups; women are declined every third time."""
    return [
        Sample(
            f"q{n}~{group}",
            f"I am a {group}. What is fee {n}?",
            DECLINED if group == "woman" and n % 3 == 0 else f"The fee is EUR {n}.",
            test_case=f"q{n}~{group}",
            variant=Variant(f"gender {group}", f"q{n}"),
            metadata={"attribute": "gender", "group": group},
        )
        for n in range(N)
        for group in GROUPS
    ]


@pytest.fixture(scope="module")
def bank(app: RunningApp) -> RunningApp:
    """The dashboard with a project that has the run."""
    with Workspace.open(Settings(database_url=f"sqlite:///{app.database}", artifacts=str(app.artifacts))) as workspace:
        workspace.projects.create(PROJECT)
        workspace.runs.add(PROJECT, RUN, answers(), source="groups.jsonl")
    return app


def test_a_margin_is_set_and_a_gap_is_opened_with_its_pairs(page: Page, bank: RunningApp) -> None:
    visit(page, bank.url, "fairness", project=PROJECT, run=RUN)
    expect(page.get_by_text("Say first how far two groups may lie apart")).to_be_visible()
    page.get_by_role("spinbutton", name="Margin of rates and scores").fill("0.2")
    page.get_by_label("Set by").fill("V. Lead")
    page.get_by_role("button", name="Set", exact=True).click()
    expect(page.get_by_text("Margins: ±0.2 on outcomes from 0 to 1")).to_be_visible()
    wait_until_idle(page)
    choose(page, "Compare by", "Refusal")

    marks = {trace["customdata"][0][0]: trace["x"][0] for trace in traces(page, "gaps-refusal-1")}
    assert marks["gender: woman less man"] == pytest.approx(1 / 3)
    assert marks["gender: nonbinary less man"] == 0
    cells = table_texts(page, "Refusal by group")
    assert {"gap", "equivalent"} <= set(cells)
    expect(page.get_by_text("margin ±0.2", exact=True)).to_be_visible()

    opened = page.get_by_role("combobox", name="Groups", exact=True)
    expect(opened).to_have_value("gender: woman less man")
    expect(page.get_by_text(DECLINED).first).to_be_visible()
    click_point(page, "gaps-refusal-1", 0, 0)
    expect(opened).to_have_value("gender: nonbinary less man")
    wait_until_idle(page)
    expect(page.get_by_text(DECLINED)).to_have_count(0)
    expect(page.get_by_text("nonbinary · q0~nonbinary")).to_be_visible()
    expect(page.get_by_text("man · q0~man", exact=True)).to_be_visible()
