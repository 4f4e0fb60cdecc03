"""A scoring job that the page Runs starts with Ray: a process of its own and its workers do it, to the same scores."""

from __future__ import annotations

import os
import time

import pytest
from streamlit.testing.v1 import AppTest

from hcat.core.executors.chosen import installed_ray
from hcat.core.models.model_set import ModelSet
from hcat.core.records.job import JobEngine, JobInfo
from hcat.core.scoring.evaluate import score_samples
from hcat.core.settings import settings
from hcat.core.types import Sample
from hcat.core.workspace import Workspace
from tests.pages.conftest import OpenPage
from tests.pages.small_project import PROJECT

SAMPLES = [Sample(f"s{n}", f"What does account {n} cost?", f"It costs EUR {n % 9}.") for n in range(1_200)]
"""Two shards."""


def start_with_two_workers(app: AppTest) -> None:
    """Choose one metric, Ray and two workers, and press the button."""
    for box in app.checkbox:
        if "metric" in box.label and not box.label.startswith("Factual numbers"):
            box.uncheck()
    next(radio for radio in app.radio if radio.label == "Who scores" and "score-" in str(radio.key)).set_value("ray")
    app.run()
    next(field for field in app.number_input if field.label == "Workers").set_value(2)
    app.run()
    next(button for button in app.button if button.key == "score-run").click()
    app.run()
    assert not app.exception


def finished(workspace: Workspace) -> JobInfo:
    """The one job, when it is over."""
    (job,) = workspace.jobs.all()
    while workspace.jobs.get(job.id).is_active:
        time.sleep(0.1)
    return workspace.jobs.get(job.id)


def test_two_workers_score_a_run_that_is_scored_from_the_page(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    if installed_ray() is None:
        pytest.skip("Ray is not installed here: pip install hcat[ray]")
    monkeypatch.setattr(os, "cpu_count", lambda: 2)  # so many workers may be chosen
    app = open_page("runs", "no run")
    with Workspace.open(settings()) as workspace:
        run = workspace.runs.add(PROJECT, "two shards", SAMPLES, source="x")
        app.run()
        start_with_two_workers(app)
        job = finished(workspace)
        assert (job.status, job.error) == ("done", None)
        assert job.asked == job.used == JobEngine("ray", 2)
        table = workspace.scoring.required(run)
        expected = score_samples(SAMPLES, metrics=table.metrics, models=ModelSet(()))
        assert table.frame.equals(expected.frame)
    app.run()
    said = " ".join(str(each.value) for each in app.caption).replace("\\", "")
    assert "The last scoring was done by 2 workers of Ray." in said
