"""The Estimates page in each of its views, against another run, and the Trials page on a run that has some."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from hcat.core.settings import settings
from hcat.core.types import Label, Passage, Sample
from hcat.core.workspace import Workspace
from tests.pages.conftest import add_store
from tests.pages.small_project import CRITERION, PROJECT, small_samples
from tests.pages.test_pages import assert_sound, figure, links, shown

OpenPage = Callable[..., AppTest]
STATE = "several runs"


def trial_samples() -> list[Sample]:
    """12 questions, 4 trials each; those on limits are answered right in one trial of four, the others always."""
    chance = random.Random(3)
    made = []
    for case in range(12):
        right = f"The fee of card {case} is {case + 2} euros."
        for trial in range(4):
            good = case % 3 or trial == case % 4
            answer = right if good else f"Ask branch number {chance.randrange(90)} for the opening hours."
            made.append(
                Sample(
                    f"t{case}-{trial}",
                    f"What is the fee of card {case}?",
                    answer,
                    (Passage(f"p{case}", right),),
                    right,
                    dimensions={"kind": "fees" if case % 3 else "limits"},
                    test_case=f"t{case}",
                    trial=trial,
                    expected=1.0 if case % 2 else 0.5,
                )
            )
    return made


def add_runs(workspace: Workspace) -> None:
    """A second run of the small project's test cases, always right, and a run of trials with two annotators."""
    criterion = workspace.criteria.get(PROJECT, CRITERION.name)
    second = workspace.runs.add(
        PROJECT, "second-run", [replace(s, answer=s.reference) for s in small_samples()], source="second.jsonl"
    )
    workspace.scoring.score(second, ["answer_f1"])
    labels = [Label(f"s{i:02d}", criterion.name, int(i % 9 != 4), annotator="ann") for i in range(30)]
    workspace.labels.add(second, criterion, labels)
    trials = workspace.runs.add(PROJECT, "trials-run", trial_samples(), source="trials.jsonl")
    workspace.scoring.score(trials, ["answer_f1"])
    for annotator, wrong in (("ann", 7), ("bea", 5)):
        said = [
            Label(s.id, criterion.name, int((s.answer == s.reference) != (i % wrong == 0)), annotator=annotator)
            for i, s in enumerate(trial_samples())
        ]
        workspace.labels.add(trials, criterion, said)
    workspace.runs.add(PROJECT, "third-run", small_samples(), source="third.jsonl")
    fourth = workspace.runs.add(PROJECT, "fourth-run", small_samples()[:20], source="fourth.jsonl")
    workspace.scoring.score(fourth, ["answer_f1"])


@pytest.fixture(scope="session")
def several_runs(stores: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> None:
    add_store(stores, tmp_path_factory.mktemp("more") / "store", STATE, add_runs, before="calibrated")


def on_run(app: AppTest, name: str) -> AppTest:
    app.selectbox(key="run").set_value(name).run()
    assert_sound(app)
    return app


def at(app: AppTest, view: str) -> AppTest:
    app.button_group(key="estimate-view").set_value(view).run()
    assert_sound(app)
    return app


def test_the_picture_holds_the_three_estimates_and_what_labels_are_worth(open_page: OpenPage) -> None:
    app = open_page("estimates", "calibrated")
    assert_sound(app)
    traces = figure(app)["data"]
    names = [trace["name"] for trace in traces]
    assert names == ["Naive (machine)", "Labels only", "PPI++ (both)", "worth"]
    [rate] = traces[2]["x"]
    assert rate == pytest.approx(23 / 44)  # every sample is labelled, so that nothing is left to correct
    # A rate of n labels is worth n plain ones: nothing is saved.
    assert traces[3]["text"] == ["44", "44"]


def test_a_forest_has_one_row_a_level(open_page: OpenPage) -> None:
    app = at(open_page("estimates", "calibrated"), "By slice")
    app.selectbox(key="estimate-dimension").set_value("kind").run()
    assert_sound(app)
    spec = figure(app)
    assert sorted(spec["layout"]["yaxis"]["ticktext"]) == ["amount", "yes or no"]
    assert re.search(r"amount +22 +22 ", shown(app)), shown(app)


@pytest.mark.usefixtures("several_runs")
def test_two_runs_are_compared_by_test_case(open_page: OpenPage) -> None:
    app = at(open_page("estimates", STATE), "Two runs")
    app.selectbox(key="estimate-other").set_value("second-run").run()
    assert_sound(app)
    text = shown(app).replace("\\", "")
    assert re.search(r"passes \d+\.\d percentage points fewer answers than", text), text
    assert "more than chance" in text
    assert "30 test cases or other clusters are labelled in both runs" in text, text


@pytest.mark.usefixtures("several_runs")
def test_a_run_without_scores_can_not_be_compared_with(open_page: OpenPage) -> None:
    app = at(open_page("estimates", STATE), "Two runs")
    app.selectbox(key="estimate-other").set_value("third-run").run()
    assert_sound(app)
    assert "not scored on these metrics yet" in shown(app)
    assert "runs" in links(app)


def test_one_run_has_nothing_to_compare_with(open_page: OpenPage) -> None:
    app = at(open_page("estimates", "calibrated"), "Two runs")
    assert "has one run only" in shown(app)


@pytest.mark.usefixtures("several_runs")
def test_a_scored_run_without_labels_leads_to_labelling(open_page: OpenPage) -> None:
    app = on_run(open_page("estimates", STATE), "fourth-run")
    assert "There are no labels on correctness in this run yet" in shown(app).replace("\\", "")
    assert "labelling" in links(app)


def test_planning_says_when_to_stop_and_how_many_labels_it_takes(open_page: OpenPage) -> None:
    app = at(open_page("estimates", "calibrated"), "Planning")
    app.number_input(key="plan-threshold").set_value(0.9).run()
    assert_sound(app)
    text = shown(app).replace("\\", "")
    assert re.search(r"at least 90%: missed\W+Stop: .* all of it below 90%", text), text
    for wanted in ("an interval 10% wide", "a difference of 5% to another run", "coverage short by 5% at most"):
        assert wanted in text
    app.number_input(key="plan-threshold").set_value(0.52).run()
    assert "a larger run would decide" in shown(app).replace("\\", "")  # all 44 are labelled


@pytest.mark.usefixtures("several_runs")
def test_trials_show_their_three_scores_by_factor_with_scatter_and_variance(open_page: OpenPage) -> None:
    app = on_run(open_page("trials", STATE), "trials-run")
    assert_sound(app)
    text = shown(app)
    for wanted in ("share of good trials", "S_u", "S_c", "S_t", "whole run", "The 10 lowest of 12 test cases"):
        assert wanted in text
    assert re.search(r"limits .*n = 4", text), text
    assert "insufficient evidence" in text  # four test cases are too few
    assert "Share of the most common answer" in text
    spec = json.dumps([figure(app, position) for position in range(3)])
    for wanted in ("expected by people, H", "test case", "annotator"):
        assert wanted in spec


@pytest.mark.usefixtures("several_runs")
def test_a_metric_can_check_the_trials(open_page: OpenPage) -> None:
    app = on_run(open_page("trials", STATE), "trials-run")
    app.selectbox(key="trials-checker").set_value("A metric at a threshold").run()
    assert any("the threshold is your choice" in warning.value for warning in app.warning)
    assert_sound(app)
    app.number_input(key="trials-threshold").set_value(0.9).run()
    assert_sound(app)
    # 8 test cases are right in 4 of 4 trials, 4 in one of 4: (32 + 4) / 48.
    assert re.search(r"whole run +0\.75 ", shown(app)), shown(app)


def test_labels_of_the_rule_alone_are_not_called_peoples(open_page: OpenPage) -> None:
    app = open_page("estimates", STATE)
    assert "reference rule" not in shown(app)
    workspace = Workspace.open(settings())
    [run] = [run for run in workspace.runs.all(PROJECT) if run.name == "fourth-run"]
    ids = [sample.id for sample in small_samples()[:20]]
    by_rule = [Label(i, CRITERION.name, k % 2, "reference-rule v1", source="rule") for k, i in enumerate(ids)]
    workspace.labels.add(run, CRITERION, [*by_rule, Label(ids[0], CRITERION.name, 1, "ann")])
    on_run(app, "fourth-run")
    assert "19 of the 20 labelled samples have the label of the reference rule alone" in shown(app)
