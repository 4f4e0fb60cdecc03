"""GRAMMAR by mouse, with no network: a plan for the company, groups, a test set, the bundled system, the verdict."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from hcat.core.capabilities.grammar.plan import GrammarPlan, plan_yaml
from hcat.core.capabilities.grammar.written_template import WrittenTemplate
from tests.browser.conftest import RunningApp, Watched
from tests.browser.steps import create_project, go_to, keyed, table_texts, visit, wait_until_idle

pytestmark = pytest.mark.browser

CITY = WrittenTemplate("SELECT city FROM department WHERE name = '[department.name]'", "city", "department")
TEXTS = {
    "short": ("{Question} of the {subject} '{value}'?",),
    "long": ("Could you say the {question} of the {subject} '{value}'?",),
}


def test_from_a_plan_to_the_verdict(page: Page, app: RunningApp, watched: Watched, tmp_path: Path) -> None:
    watched.follow(page, app.url)
    visit(page, app.url, "runs")
    create_project(page, "Company assistant")
    go_to(page, "GRAMMAR")
    plan = tmp_path / "plan.yaml"
    plan.write_text(plan_yaml(GrammarPlan((CITY,), TEXTS)), "utf-8")
    keyed(page, "grammar-plan").locator("input[type=file]").set_input_files(plan)
    expect(page.get_by_text("1 SQL template proved")).to_be_visible()
    page.get_by_role("button", name="Fill the templates").click()
    expect(page.get_by_text("4 queries in 2 semantic groups")).to_be_visible()
    page.get_by_role("button", name="Store as a test set").click()
    expect(page.get_by_text("is stored with 4 cases")).to_be_visible()
    go_to(page, "Collect")
    expect(page.get_by_text("4 test cases")).to_be_visible()
    page.get_by_role("button", name="Collect 4 answers").click()
    expect(page.get_by_text("is stored: 4 of 4 answers")).to_be_visible(timeout=180_000)
    go_to(page, "GRAMMAR")
    page.get_by_role("radio", name="Verdict").or_(page.get_by_role("button", name="Verdict")).first.click()
    wait_until_idle(page)
    assert table_texts(page, "Semantic groups by run")
    expect(page.get_by_text("Accuracy, collected-1: short less collected-1: long")).to_be_visible()
    expect(page.get_by_text("Select a row to open its samples")).to_be_visible()
    assert watched.errors == []
