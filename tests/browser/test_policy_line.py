"""A policy from the promise to decisions: the threshold moves, load and risk follow, it is switched on and applied."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from benchmarks.served import RunningApp, running
from hcat.core.settings import settings
from hcat.core.workspace import Workspace
from tests.browser.steps import becomes, keyed, settle, table_texts, traces, visit, wait_until_idle
from tests.pages.small_project import PROJECT, add_project
from tests.pages.test_policy_page import add_policy_run

pytestmark = pytest.mark.browser

EXPECTED = "What the policy lets expect"


@pytest.fixture(scope="module")
def policy_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    """The dashboard on a run of 300 answers with a saved calibration."""
    folder: Path = tmp_path_factory.mktemp("policy")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HCAT_DATABASE_URL", f"sqlite:///{folder / 'hcat.db'}")
        patch.setenv("HCAT_ARTIFACTS", str(folder / "artifacts"))
        settings.cache_clear()
        with Workspace.open(settings()) as workspace:
            add_project(workspace)
        add_policy_run()
    settings.cache_clear()
    with running("serve", folder) as started:
        started.wait_until_healthy(seconds=120)
        yield started


def test_load_and_risk_follow_the_threshold_and_the_policy_is_switched_on_and_applied(
    page: Page, policy_app: RunningApp
) -> None:
    visit(page, policy_app.url, "policy", project=PROJECT, run="policed")
    expect(page.get_by_text("No policy is in use yet.")).to_be_visible()
    expect(page.get_by_text("for answers like those that were labelled").first).to_be_visible()
    assert traces(page, "policy-curve")
    suggested = table_texts(page, EXPECTED)
    assert any("with 90% confidence" in text for text in suggested)
    slider = keyed(page, "policy-threshold").get_by_role("slider")
    shown_at = slider.input_value()
    for _ in range(20):
        slider.press("ArrowLeft")
    expect(page.get_by_text("not shown at the thresholds that were chosen").first).to_be_visible()
    settle(page)
    assert becomes(page, lambda: any("no bound is shown" in text for text in table_texts(page, EXPECTED)))
    assert table_texts(page, EXPECTED) != suggested
    while float(slider.input_value()) < float(shown_at):
        slider.press("ArrowRight")
    expect(slider).to_have_value(shown_at)
    expect(page.get_by_text("for answers like those that were labelled").first).to_be_visible()
    assert becomes(page, lambda: table_texts(page, EXPECTED) == suggested)
    page.get_by_label("Your name").fill("lee")
    page.get_by_role("button", name="Switch on", exact=True).click()
    expect(page.get_by_text("This policy is in use.")).to_be_visible()
    wait_until_idle(page)
    counts = table_texts(page, "Decisions on run policed")
    assert counts[0] == "Accept" and int(counts[1]) > 0
    with page.expect_download() as download:
        page.get_by_role("button", name="Accepted answers, with certificates").click()
    assert len(Path(download.value.path()).read_text("utf-8").splitlines()) == int(counts[1])
    page.get_by_role("button", name="Queue what goes to people").click()
    expect(page.get_by_text("Queue “slice: policy: to people” holds")).to_be_visible()
