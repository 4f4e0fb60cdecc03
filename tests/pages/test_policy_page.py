"""The Policy page: a promise, the threshold, load and error before it is switched on, and what it does then."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hcat.core.capabilities.calibration.calibrate import calibrate
from hcat.core.capabilities.policy.analysis.policy import PolicySpec
from hcat.core.capabilities.policy.policy import Policy
from hcat.core.jobs.processes import this_worker
from hcat.core.records.project import RunInfo
from hcat.core.settings import settings
from hcat.core.types import Label, Sample
from hcat.core.worker import run_job
from hcat.core.workspace import Workspace
from hcat.dashboard.cli import app as cli
from tests.core.capabilities.collect.servers import Response, serving
from tests.pages.small_project import CRITERION, PROJECT
from tests.pages.test_pages import OpenPage, assert_sound, press, shown

WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight"]


def add_policy_run() -> RunInfo:
    """600 answers whose overlap with the reference tells mostly whether they pass; 560 are labelled."""
    chance = random.Random(3)
    with Workspace.open(settings()) as workspace:
        samples = [
            Sample(
                f"p{k}",
                f"question {k}",
                " ".join(WORDS[: k % 8 + 1]) if k % 30 else "I can't find that in the documents.",
                reference=" ".join(WORDS),
                dimensions={"area": "ab"[k % 2]},
            )
            for k in range(600)
        ]
        run = workspace.runs.add(PROJECT, "policed", samples, source="policed.jsonl")
        workspace.scoring.score(run, ["token_recall"])
        labels = [
            Label(sample.id, CRITERION.name, int(chance.random() < min(1.0, 0.1 + (k % 8) / 6)), "ann")
            for k, sample in enumerate(samples[:560])
        ]
        criterion = workspace.criteria.get(PROJECT, CRITERION.name)
        workspace.labels.add(run, criterion, labels)
        fitted = calibrate(workspace.run_data.open(run), criterion, metrics=["token_recall"])
        workspace.calibrations.save(run, fitted, author="ann", reason="a test")
        return run


def add_window(name: str, *, passing: float, n: int = 120) -> RunInfo:
    """Later answers like the first ones; people pass the share `passing` of the good ones, and label all of them."""
    chance = random.Random(5)
    with Workspace.open(settings()) as workspace:
        samples = [
            Sample(f"{name}{k}", f"question {k}", " ".join(WORDS[: k % 8 + 1]), reference=" ".join(WORDS))
            for k in range(n)
        ]
        run = workspace.runs.add(PROJECT, name, samples, source=f"{name}.jsonl")
        workspace.scoring.score(run, ["token_recall"])
        labels = [
            Label(each.id, CRITERION.name, int(k % 8 > 4 and chance.random() < passing), "ann")
            for k, each in enumerate(samples)
        ]
        workspace.labels.add(run, workspace.criteria.get(PROJECT, CRITERION.name), labels)
        return run


def switch_on_by_calibration(run: RunInfo) -> Policy:
    """The policy of the default promise, in use."""
    with Workspace.open(settings()) as workspace:
        criterion = workspace.criteria.get(PROJECT, CRITERION.name)
        policy = workspace.applied_policies.fit(run, criterion, PolicySpec())
        workspace.policies.switch_on(run, policy, author="lee", reason="a test")
        return policy


def test_a_window_that_breaks_the_promise_raises_the_alarm_on_the_page_and_on_the_command_line(
    open_page: OpenPage, tmp_path: Path
) -> None:
    app = open_page("policy", "calibrated")
    run = add_policy_run()
    policy = switch_on_by_calibration(run)
    app.session_state["next-run"] = "policed"
    app.run()
    assert_sound(app)
    assert "Drift since it was switched on" in shown(app) and "choose the runs that it decided on" in shown(app)
    add_window("week-1", passing=0.99)
    app.run()
    assert_sound(app)
    assert app.multiselect(key="policy-windows-1-1").value == ["week-1"]
    assert "No evidence that the promise is broken" in shown(app)
    add_window("week-2", passing=0.2)
    app.run()
    assert app.multiselect(key="policy-windows-1-2").value == ["week-1", "week-2"]
    assert_sound(app)
    assert "Alarm at week-2" in shown(app).replace("\\", "") and "Stop accepting by this policy" in shown(app)
    checked = CliRunner().invoke(cli, ["policy", "check", "--project", PROJECT, "--json"])
    assert checked.exit_code == 1, checked.output
    assert json.loads(checked.output)["settings"]["runs"] == ["week-1", "week-2"]
    kept = CliRunner().invoke(cli, ["policy", "check", "--project", PROJECT, "--runs", "week-1"])
    assert kept.exit_code == 0, kept.output
    fitted = CliRunner().invoke(
        cli, ["policy", "fit", "--project", PROJECT, "--run", "policed", "-o", str(tmp_path / "p.json")]
    )
    assert fitted.exit_code == 0, fitted.output
    assert Policy.from_json((tmp_path / "p.json").read_text("utf-8")).hash == policy.hash
    applied = CliRunner().invoke(
        cli, ["policy", "apply", "--project", PROJECT, "--run", "week-1", "-o", str(tmp_path / "a.parquet")]
    )
    assert applied.exit_code == 0 and "120 answers" in applied.output
    with Workspace.open(settings()) as workspace:
        [reported] = workspace.reports.evidence(workspace.projects.get(PROJECT), runs=["policed", "week-2"]).policies
    assert reported.version == 1 and reported.check is not None and reported.check.error_alarm
    assert reported.decided["policed"].n == run.n


def test_from_the_promise_to_decisions(open_page: OpenPage) -> None:
    app = open_page("policy", "calibrated")
    run = add_policy_run()
    app.session_state["next-run"] = "policed"
    app.run()
    assert_sound(app)
    text = shown(app)
    assert "Load on people" in text and "Error let through" in text and "No policy is in use yet" in text
    assert "for answers like those that were labelled" in app.success[0].value
    lowest = app.slider(key="policy-threshold").value
    assert 0 < lowest < 1
    app.slider(key="policy-threshold").set_value(0.05).run()
    assert_sound(app)
    assert "not shown at the thresholds that were chosen" in shown(app)
    app.slider(key="policy-threshold").set_value(lowest).run()
    app.number_input(key="policy-cost-day").set_value(1000.0).run()
    assert "a day" in shown(app)
    app.text_input(key="policy-author").set_value("V. Lead")
    app.button(key="policy-switch").click().run()
    assert_sound(app)
    text = shown(app)
    assert "switched on by V" in text and "This policy is in use" in text
    with Workspace.open(settings()) as workspace:
        record = workspace.policies.in_use(workspace.projects.get(PROJECT), CRITERION.name)
        policy = workspace.policies.read(record)
        assert record.run_id == run.id and policy.shown and policy.costs.answers_a_day == 1000
    listed = CliRunner().invoke(cli, ["policy", "list", "--project", PROJECT])
    assert listed.exit_code == 0 and "V. Lead" in listed.output
    app.button(key="policy-queue").click().run()
    assert_sound(app)
    assert "Queue" in app.success[-1].value
    with Workspace.open(settings()) as workspace:
        [queue] = workspace.queues.all(run)
        assert queue.name == "slice: policy: to people"


def test_without_a_reason_nothing_is_switched_on_whose_promise_is_not_shown(open_page: OpenPage) -> None:
    app = open_page("policy", "calibrated")
    assert_sound(app)
    text = shown(app)
    assert "No threshold is shown" in text and "nothing is accepted by its score" in text
    app.text_input(key="policy-author").set_value("V. Lead")
    app.button(key="policy-switch").click().run()
    assert "give a reason" in shown(app)


def test_what_the_policy_sends_back_is_asked_for_again_by_mouse(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hcat.core.project.jobs.launch", lambda settings, job_id: this_worker())
    app = open_page("policy", "calibrated")
    run = add_policy_run()
    monkeypatch.setenv("HCAT_ALLOW_PRIVATE_TARGETS", "1")
    settings.cache_clear()
    with Workspace.open(settings()) as workspace:
        criterion = workspace.criteria.get(PROJECT, CRITERION.name)
        policy = workspace.applied_policies.fit(run, criterion, PolicySpec(accept_from=0.7, fail_below=0.3))
        record = workspace.policies.switch_on(run, policy, author="lee", reason="a test")
        actions = workspace.applied_policies.decide(run, record)["action"]
    again = int((actions == "regenerate").sum())
    assert again > 5
    app.session_state["next-run"] = "policed"
    app.run()
    assert f"The policy sends {again} answers back" in shown(app)
    app.toggle(key="policy-regenerate-form").set_value(True).run()
    with serving(lambda seen: Response({"a": " ".join(WORDS)})) as server:
        text = f'kind: http\nurl: {server.url}\nbody: {{q: "{{{{query}}}}", why: "{{{{reason}}}}"}}\nanswer: $.a'
        app.segmented_control(key="collect-kind").set_value("HTTP").run()
        app.text_area(key="target-text-HTTP-").set_value(text).run()
        assert_sound(app)
        press(app, f"Regenerate {again} answers")
        with Workspace.open(settings()) as workspace:
            [job] = [job for job in workspace.jobs.all() if job.is_active]
            assert run_job(workspace, job.id)
        asked = [seen.content for seen in server.seen]
    assert len(asked) == again and all(isinstance(each, dict) and each["why"] for each in asked)
    app.run()
    assert_sound(app)
    assert "Regenerated answers are in run policed again" in shown(app)
    press(app, "Choose policed again")
    assert_sound(app)
    with Workspace.open(settings()) as workspace:
        answers = [sample.answer for sample in workspace.runs.samples(workspace.runs.get(PROJECT, "policed again"))]
    assert len(answers) == run.n and answers.count(" ".join(WORDS)) >= again
