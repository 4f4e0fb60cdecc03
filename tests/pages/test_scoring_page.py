"""Scoring on the Runs page: what is scored is chosen, progress is said everywhere, and one button goes on."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from hcat.core.executors import chosen
from hcat.core.jobs import forecast as forecasting
from hcat.core.jobs.forecast import Room
from hcat.core.jobs.processes import this_worker
from hcat.core.records.job import JobEngine, JobForecast
from hcat.core.records.project import RunInfo
from hcat.core.scoring import forecast
from hcat.core.settings import settings
from hcat.core.types import Progress
from hcat.core.workspace import Workspace
from hcat.dashboard.capabilities.runs import engine_choice
from tests.pages.conftest import OpenPage
from tests.pages.small_project import PROJECT, RUN


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """What jobs would be started with."""
    calls: list[tuple[str, ...]] = []

    def start(jobs: object, run: RunInfo, metrics: list[str], *, claims: object = None, engine: JobEngine) -> None:
        calls.append(tuple(metrics))

    monkeypatch.setattr("hcat.core.project.jobs.Jobs.start_scoring", start)
    return calls


def job(status: str, *, share: float, engine: JobEngine | None = None) -> None:
    """A scoring job of the run that this process works on, or did."""
    with Workspace.open(settings()) as workspace:
        run = workspace.runs.get(PROJECT, RUN)
        with workspace.write("tests", "job.start") as write:
            added = workspace.store.job_table.add(
                write, "score", {"run": run.id, "metrics": ["all"]}, project_id=run.project_id
            )
        workspace.jobs.claim(added.id, this_worker())
        workspace.jobs.beat(added.id, this_worker(), Progress("verify", 11, 44, share), engine=engine)
        if status != "running":
            workspace.jobs.finish(added.id, this_worker(), status, None)  # type: ignore[arg-type]


def test_families_can_be_left_out(open_page: OpenPage, started: list[tuple[str, ...]]) -> None:
    app = open_page("runs", "unscored")
    boxes = [box for box in app.checkbox if box.label.startswith("Factual numbers – quick")]
    assert len(boxes) == 1
    for box in app.checkbox:
        if "metric" in box.label and not box.label.startswith("Factual numbers"):
            box.uncheck()
    app.run()
    next(button for button in app.button if button.label == "Score 3 metrics").click()
    app.run()
    assert not app.exception
    assert started == [("factual_numbers", "factual_numbers_reference", "factual_numbers_recall")]


def test_retrieval_is_scored_at_other_cutoffs_that_are_named(
    open_page: OpenPage, started: list[tuple[str, ...]]
) -> None:
    app = open_page("runs", "unscored")
    cutoffs = next(field for field in app.multiselect if field.label == "Retrieval at other cut-offs k")
    cutoffs.set_value(["5"])
    app.run()
    assert not app.exception
    next(
        button for button in app.button if button.label.startswith("Score ") and button.label != "Score the run"
    ).click()
    app.run()
    assert started[0][-5:] == ("precision@5", "recall@5", "f1@5", "map@5", "ndcg@5")


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> list[JobEngine]:
    """The engines that jobs would be started with."""
    calls: list[JobEngine] = []
    monkeypatch.setattr("hcat.core.project.jobs.Jobs.start_scoring", lambda *_, engine, **__: calls.append(engine))
    return calls


def choose_ray(app: AppTest) -> None:
    next(radio for radio in app.radio if radio.label == "Who scores" and "score-" in str(radio.key)).set_value("ray")
    app.run()
    assert not app.exception


def said(app: AppTest) -> str:
    return "\n".join(str(each.value) for kind in ("caption", "warning") for each in app.get(kind)).replace("\\", "")


def test_the_engine_is_chosen_and_its_workers(
    open_page: OpenPage, engines: list[JobEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chosen.os, "cpu_count", lambda: 8)
    monkeypatch.setattr(engine_choice, "SHARD", 10)
    app = open_page("runs", "unscored")
    press(app, "Score the run")
    choose_ray(app)
    workers = next(field for field in app.number_input if field.label == "Workers")
    assert (workers.value, workers.max) == (8, 8)
    workers.set_value(3)
    app.run()
    assert "Scored by 3 workers of Ray." in said(app)
    press(app, "Score the run")
    assert engines == [JobEngine("local"), JobEngine("ray", 3)]


def test_a_run_of_one_shard_says_that_one_process_scores_it(open_page: OpenPage) -> None:
    app = open_page("runs", "unscored")
    assert "one shard" not in said(app)
    choose_ray(app)
    assert "Up to 1,000 samples are one shard, which can't be shared out: one process scores this run." in said(app)


def test_the_engine_of_the_settings_is_chosen_at_first(
    open_page: OpenPage, engines: list[JobEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HCAT_ENGINE", "ray")
    monkeypatch.setenv("HCAT_RAY_ADDRESS", "10.0.0.1:6379")
    monkeypatch.setenv("HCAT_RAY_WORKERS", "5")
    app = open_page("runs", "unscored")
    assert not any("ddress" in field.label for field in [*app.text_input, *app.text_area])
    press(app, "Score the run")
    assert engines == [JobEngine("ray", 5)]


def test_ray_that_is_not_installed_is_shown_with_what_to_do(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_choice, "installed_ray", lambda: None)
    app = open_page("runs", "unscored")
    assert "Ray: Not installed" not in said(app)
    choose_ray(app)
    assert "pip install hcat[ray], or choose one process under Engine." in said(app)
    assert next(button for button in app.button if button.key == "score-run").disabled


def test_who_did_the_last_scoring_is_said(open_page: OpenPage) -> None:
    app = open_page("runs", "unscored")
    job("running", share=0.4, engine=JobEngine("ray", 2))
    app.run()
    bars = [str(bar.proto).replace("\\", "") for bar in app.get("progress")]
    assert any("Scoring is running, by 2 workers of Ray." in bar for bar in bars)
    job("done", share=1.0, engine=JobEngine("ray", 2))
    app.run()
    assert "The last scoring was done by 2 workers of Ray." in said(app)


def buttons(app: AppTest) -> set[str]:
    return {button.label for button in app.button}


def press(app: AppTest, label: str) -> None:
    next(button for button in app.button if button.label == label).click()
    app.run()
    assert not app.exception


def test_a_large_run_is_scored_after_its_forecast(
    open_page: OpenPage, started: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forecast, "FORECAST_FROM", 44)
    app = open_page("runs", "unscored")
    assert "Estimate time and room" in buttons(app) and "Score the run" not in buttons(app)
    for box in app.checkbox:
        if "metric" in box.label and not box.label.startswith("Factual numbers"):
            box.uncheck()
    app.run()
    press(app, "Estimate time and room")
    said = [each.value.replace("\\", "") for each in app.caption]
    assert any("44 samples: up to 1 s on one processor, by the first samples" in each for each in said)
    press(app, "Score 3 metrics")
    assert started == [("factual_numbers", "factual_numbers_reference", "factual_numbers_recall")]


def test_a_large_run_without_room_can_not_be_scored(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecast, "FORECAST_FROM", 44)
    monkeypatch.setattr(forecasting, "room_for", lambda found: Room(1e3, dict.fromkeys(found.disk, 1e12)))
    app = open_page("runs", "unscored")
    for box in app.checkbox:
        if "metric" in box.label and not box.label.startswith("Factual numbers"):
            box.uncheck()
    app.run()
    press(app, "Estimate time and room")
    assert any("44 rows need about" in each.value and "end other programs" in each.value for each in app.error)
    assert "Score 3 metrics" not in buttons(app)


@pytest.mark.parametrize("page", ["runs", "overview"])
def test_progress_of_scoring_is_said(open_page: OpenPage, page: str) -> None:
    app = open_page(page, "unscored")
    job("running", share=0.4)
    app.run()
    assert not app.exception
    bars = [str(bar.proto).replace("\\", "") for bar in app.get("progress")]
    assert any("Scoring is running" in bar and "Checking claims, 11 of 44 · 40% in all" in bar for bar in bars)
    assert not any("Nothing is scored" in info.value for info in app.info)


def test_what_scoring_takes_stands_beside_its_progress(open_page: OpenPage) -> None:
    app = open_page("runs", "unscored")
    job("running", share=0.4)
    with Workspace.open(settings()) as workspace:
        taken = JobForecast(44, 100.0, 2e9, 3e6)
        assert workspace.jobs.beat(workspace.jobs.all()[0].id, this_worker(), forecast=taken)
    app.run()
    said = " ".join(each.value.replace("\\", "") for each in app.caption)
    assert "44 samples: up to 2 min on one processor" in said and "2.0 GB of memory, up to 3.0 MB of disk" in said


def test_after_a_cancelled_job_one_button_goes_on(open_page: OpenPage) -> None:
    app = open_page("runs", "unscored")
    job("cancelled", share=0.4)
    app.run()
    labels = [button.label for button in app.button]
    assert "Continue" in labels
    assert "Score the run" not in labels
