"""The Collect page: test cases, a target, the dry run, and answers that become a run."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from hcat.core.capabilities.demo import system
from hcat.core.jobs.processes import this_worker
from hcat.core.records.job import Worker
from hcat.core.settings import settings
from hcat.core.worker import run_job
from hcat.core.workspace import Workspace
from tests.pages.conftest import OpenPage
from tests.pages.small_project import PROJECT
from tests.pages.test_pages import assert_sound, press, shown

FOUR = "".join(json.dumps({"id": f"t{k}", "query": f"What does card {k} cost?"}) + "\n" for k in range(4)).encode()


@pytest.fixture(autouse=True)
def no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs wait until the test does them."""
    monkeypatch.setattr("hcat.core.project.jobs.launch", lambda settings, job_id: this_worker())
    system._system.cache_clear()  # each test has an encoder of its own


def do_job(app: AppTest) -> AppTest:
    """Do the waiting job in this process, and draw the page again."""
    with Workspace.open(settings()) as workspace:
        [job] = [job for job in workspace.jobs.all() if job.is_active]
        assert run_job(workspace, job.id)
    return app.run()


def with_upload(app: AppTest) -> AppTest:
    app.segmented_control(key="collect-tests").set_value("Upload a test file").run()
    [uploader] = [each for each in app.file_uploader if "Test file" in each.label]
    return uploader.upload("four.jsonl", FOUR, "application/jsonl").run()


def test_the_bundled_system_is_asked_by_mouse(open_page: OpenPage) -> None:
    app = with_upload(open_page("collect", "no run"))
    assert_sound(app)
    assert "4 answers wanted, 0 there, 4 to ask" in shown(app).replace("\\", "")
    press(app, "Collect 4 answers")
    do_job(app)
    assert_sound(app)
    assert "is stored" in shown(app)
    with Workspace.open(settings()) as workspace:
        [run] = workspace.runs.all(PROJECT)
        samples = workspace.runs.samples(run)
    assert (run.name, run.filename[:20]) == ("collected-1", "four.jsonl, SHA-256 ")
    assert [sample.id for sample in samples] == ["t0", "t1", "t2", "t3"]
    assert all(sample.answer and sample.contexts for sample in samples)


def test_one_question_is_tried_first(open_page: OpenPage) -> None:
    app = with_upload(open_page("collect", "no run"))
    press(app, "Try the first test case")
    assert_sound(app)
    assert "What does card 0 cost" in shown(app)
    with Workspace.open(settings()) as workspace:
        assert workspace.jobs.all() == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kind: http\nurl: [", "no YAML"),
        ("kind: http\nurl: http://x/{{query}}", "answer"),
        ("kind: python\ncallable: os:system", "can't be called from a page"),
        ("kind: chat\nurl: https://x\nmodel: m\nkey: sk-secret", "holds a secret"),
        ("kind: chat\nurl: https://x\nmodel: m\nkey: ${HCAT_LLM_API_KEY}", "HCAT_TARGET_"),
        ("kind: http\nurl: https://me:pw@x/{{query}}\nanswer: $.a", "secret in its address"),
    ],
)
def test_a_target_that_can_not_be_asked_is_refused(open_page: OpenPage, text: str, said: str) -> None:
    app = open_page("collect", "no run")
    app.segmented_control(key="collect-kind").set_value("HTTP").run()
    app.text_area(key="target-text-HTTP-").set_value(text).run()
    assert not app.exception
    assert said in app.error[0].value.replace("\\", "")
    assert not [button for button in app.button if button.label.startswith("Collect")]


def test_a_taken_name_is_said_before_anything_is_asked(open_page: OpenPage) -> None:
    app = with_upload(open_page("collect", "unscored"))
    next(field for field in app.text_input if field.label == "Name of the run").set_value("first-run").run()
    assert "already has a run" in app.error[0].value


def test_a_killed_collection_goes_on_and_asks_nothing_twice(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def ask(query: str, *, configuration: str) -> str:
        asked.append(query)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return "yes"

    monkeypatch.setattr("hcat.core.capabilities.demo.system.ask", ask)
    app = with_upload(open_page("collect", "no run"))
    app.number_input(key="limit-concurrency").set_value(1).run()
    press(app, "Collect 4 answers")
    with Workspace.open(settings()) as workspace:
        [job] = workspace.jobs.all()
        with pytest.raises(KeyboardInterrupt):
            run_job(workspace, job.id)
        workspace.jobs.cancel(job.id)
    app.run()
    if buttons := [button for button in app.button if button.label in ("Continue", "Try again")]:
        buttons[0].click().run()
    do_job(app)
    assert_sound(app)
    assert [asked.count(f"What does card {k} cost?") for k in range(4)] == [1, 1, 2, 1]  # the third was under way


def test_failures_are_unscored_with_their_reason(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(query: str, *, configuration: str) -> str:
        if "2" in query:
            raise ValueError("no such card")
        return "yes"

    monkeypatch.setattr("hcat.core.capabilities.demo.system.ask", ask)
    app = with_upload(open_page("collect", "no run"))
    press(app, "Collect 4 answers")
    do_job(app)
    assert_sound(app)
    text = shown(app).replace("\\", "")
    assert "3 of 4 answers" in text
    assert "no such card" in text


def test_a_worker_that_is_gone_can_be_continued(open_page: OpenPage) -> None:
    app = with_upload(open_page("collect", "no run"))
    press(app, "Collect 4 answers")
    with Workspace.open(settings()) as workspace:
        [job] = workspace.jobs.all()
        workspace.jobs.claim(job.id, Worker(this_worker().host, 2**22 + 1, 1.0))
    app.run()
    assert "Continue" in [button.label for button in app.button]
