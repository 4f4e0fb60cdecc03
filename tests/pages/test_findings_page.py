"""A finding is confirmed from a selection, shown with what it rests on, and followed up."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from hcat.core.capabilities.findings.wording import change_text
from hcat.core.settings import settings
from hcat.core.workspace import Workspace
from tests.pages.conftest import add_store
from tests.pages.small_project import PROJECT, small_samples
from tests.pages.test_pages import assert_sound, shown

OpenPage = Callable[..., AppTest]


@pytest.fixture(scope="module")
def stores(stores, tmp_path_factory):
    """A run with scores and no label."""
    folder = tmp_path_factory.mktemp("unlabelled") / "store"

    def step(workspace: Workspace) -> None:
        workspace.scoring.score(workspace.runs.all(PROJECT)[0], ["answer_f1", "token_f1"])

    add_store(stores, folder, "unlabelled", step, before="unscored")
    return stores


def field(app: AppTest, label: str):
    return next(one for one in (*app.text_input, *app.text_area, *app.selectbox) if one.label == label)


def press(app: AppTest, label: str) -> AppTest:
    return next(button for button in app.button if button.label == label).click().run()


def test_a_selection_becomes_a_finding_and_is_followed_up(open_page: OpenPage) -> None:
    chosen = [sample.id for sample in small_samples()[:3]]
    app = open_page("samples", "calibrated", ids=json.dumps(chosen))
    assert "3 samples: ids, scores and the chart are frozen" in shown(app)
    press(app, "Confirm")
    assert [error.value for error in app.error] == ["Enter who confirms the finding."]
    field(app, "Title").input("Three bad answers")
    field(app, "Confirmed by").input("ann")
    field(app, "Owner").input("Retail")
    press(app, "Confirm")
    assert_sound(app)
    workspace = Workspace.open(settings())
    (finding,) = workspace.findings.all(PROJECT)
    frozen = workspace.findings.selection(finding)
    assert frozen is not None
    assert sorted(frozen.sample_ids) == sorted(chosen)
    assert (finding.title, finding.owner, finding.status) == ("Three bad answers", "Retail", "open")

    page = app.switch_page("../pages/findings.py").run()
    assert_sound(page)
    text = shown(page)
    assert "Three bad answers" in text
    assert f"{finding.frozen_hash[:16]}…, verified now" in text
    field(page, "Status").select("accepted")
    field(page, "Changed by").input("lee")
    press(page, "Save")
    assert_sound(page)
    (finding,) = workspace.findings.all(PROJECT)
    assert finding.status == "accepted"
    assert [(change.author, change_text(change)) for change in finding.history] == [("lee", "status: open → accepted")]
    assert "status: open → accepted" in shown(page)
    assert "labels on correctness" in shown(page)


def test_a_finding_is_judged_by_labels_drawn_after_it(open_page: OpenPage) -> None:
    chosen = [sample.id for sample in small_samples()[:20]]
    app = open_page("samples", "unlabelled", ids=json.dumps(chosen))
    field(app, "Title").input("Twenty answers")
    field(app, "Confirmed by").input("ann")
    press(app, "Confirm")
    page = app.switch_page("../pages/findings.py").run()
    assert_sound(page)
    assert "Found and tested on the same data" in shown(page)
    assert "40 labels: 20 of 20 samples of the finding" in shown(page)
    press(page, "Plan a confirming queue")
    assert_sound(page)
    assert next(box for box in page.selectbox if box.label == "Queue").value == "confirming: finding 1"

    workspace = Workspace.open(settings())
    (run,) = workspace.runs.all(PROJECT)
    criterion = workspace.criteria.all(PROJECT)[0]
    (queue,) = workspace.queues.all(run)
    while (item := workspace.queues.next_item(queue, "ann")) is not None:
        level = int(item.sample_id not in chosen)
        workspace.labels.record(run, criterion, item.sample_id, level, annotator="ann", item=item)
    page = page.switch_page("../pages/findings.py").run()
    assert_sound(page)
    (judgement,) = page.success
    assert "confirmed by fresh labels" in judgement.value


def test_a_finding_that_is_all_labelled_says_so_and_is_renamed_and_withdrawn(open_page: OpenPage) -> None:
    app = open_page("samples", "unlabelled", ids=json.dumps([sample.id for sample in small_samples()[:4]]))
    field(app, "Title").input("Four answers")
    field(app, "Confirmed by").input("ann")
    press(app, "Confirm")
    with Workspace.open(settings()) as workspace:
        (run,), (criterion, *_) = workspace.runs.all(PROJECT), workspace.criteria.all(PROJECT)
        for sample in small_samples()[:4]:
            workspace.labels.record(run, criterion, sample.id, 0, annotator="ann")
    page = app.switch_page("../pages/findings.py").run()
    assert_sound(page)
    assert "All samples of this finding have been judged already" in shown(page)
    assert "Plan a confirming queue" not in [button.label for button in page.button]
    field(page, "Title").input("Every answer")
    field(page, "Changed by").input("lee")
    press(page, "Save")
    assert_sound(page)
    press(page, "Withdraw the finding")
    assert next(error.value for error in page.error).startswith("Say why the finding is withdrawn")
    field(page, "Withdrawn by").input("lee")
    field(page, "Reason").input("a test")
    press(page, "Withdraw the finding")
    assert_sound(page)
    assert any("Withdrawn by lee on " in box.value and "a test" in box.value for box in page.warning)
    (finding,) = Workspace.open(settings()).findings.all(PROJECT)
    assert (finding.title, finding.status) == ("Every answer", "withdrawn")
