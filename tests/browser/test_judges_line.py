"""A rubric is edited, tried on ten answers by a language model behind a loopback server, and κ with people is shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from benchmarks.served import RunningApp, running
from hcat.core.settings import Settings
from hcat.core.types import Label
from hcat.core.workspace import Workspace
from tests.browser.steps import visit, wait_until_idle
from tests.core.models.llm.scripted import Asked, Endpoint, endpoint
from tests.pages.small_project import CRITERION, PROJECT, RUN, add_project, add_run, label_level, small_samples

pytestmark = pytest.mark.browser

QUESTION = "Does the answer state the fee or the rule of the reference?"


def compare(asked: Asked) -> dict[str, Any]:
    item = asked.data["item"]
    score = 5 if item["answer"] == item.get("reference") else 1
    names = asked.body["response_format"]["json_schema"]["schema"]["properties"]
    return {name: {"reason": "compared with the reference", "score": score} for name in names}


@pytest.fixture(scope="module")
def model() -> Iterator[Endpoint]:
    with endpoint(compare) as server:
        yield server


@pytest.fixture(scope="module")
def judging_app(model: Endpoint, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    """The dashboard with a language model, on a project with a labelled run."""
    folder: Path = tmp_path_factory.mktemp("judges")
    own = Settings(database_url=f"sqlite:///{folder / 'hcat.db'}", artifacts=str(folder / "artifacts"))
    workspace = Workspace.open(own)
    add_project(workspace)
    run = add_run(workspace)
    workspace.labels.add(run, CRITERION, [Label(s.id, CRITERION.name, label_level(s), "ann") for s in small_samples()])
    workspace.close()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HCAT_LLM_BASE_URL", model.url)
        patch.setenv("HCAT_LLM_MODEL", "small")
        with running("serve", folder) as started:
            started.wait_until_healthy(seconds=120)
            yield started


def test_a_rubric_is_edited_tried_and_its_agreement_is_seen(
    page: Page, judging_app: RunningApp, model: Endpoint
) -> None:
    visit(page, judging_app.url, "judges", project=PROJECT, run=RUN)
    page.get_by_role("combobox", name="Criterion").click()
    page.get_by_role("option", name="Captured rate").click()
    wait_until_idle(page)
    question = page.get_by_label("Question to the judge")
    expect(question).to_have_count(1)  # that of the criterion of before is gone
    expect(question).to_have_value("How much of what the reference says does the answer say too?")
    question.fill(QUESTION)
    page.get_by_label("What changed, and why").fill("the fee is what counts")
    page.get_by_role("textbox", name="Your name").fill("lee")
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.get_by_text("Version 1 of the rubric is saved.")).to_be_visible()
    page.get_by_role("radio", name="Ask").click()
    wait_until_idle(page)
    page.get_by_role("button", name="Free of hallucination").click()
    wait_until_idle(page)
    expect(page.get_by_text("10 requests for 10 verdicts: about")).to_be_visible()
    page.get_by_role("button", name="Try on ten samples").click()
    expect(page.get_by_text("10 requests for 10 verdicts, 10 of them answered already")).to_be_visible(timeout=90_000)
    page.get_by_role("radio", name="Beside people").click()
    wait_until_idle(page)
    expect(page.get_by_text("Agreement with the labels")).to_be_visible()
    expect(page.get_by_text("correctness by people, captured_rate by the judge")).to_be_visible()
    assert model.calls == 10
    assert QUESTION in model.asked[0].body["messages"][0]["content"]
