"""The Agreement page: its views, its empty states, who looks, and a decision over the labels of others."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from hcat.core.labelling.queue import QueueRules
from hcat.core.types import Criterion, Label
from hcat.core.workspace import Workspace
from tests.pages.conftest import add_store, settings_of
from tests.pages.small_project import CRITERION, PROJECT, RUN, label_level, small_samples
from tests.pages.test_pages import assert_sound, figure, shown

OpenPage = Callable[..., AppTest]
STATE = "several annotators"
START = datetime(2025, 3, 1, tzinfo=UTC)
HOSTILE = "[bea](http://evil.example) **x**"


def add_annotators(workspace: Workspace) -> None:
    """Beside ann, who labelled all by the rule: a strict and a lenient person, and one on four levels."""
    run = workspace.runs.get(PROJECT, RUN)
    criterion = workspace.criteria.get(PROJECT, CRITERION.name)
    chance = random.Random(5)
    labels = []
    for minute, sample in enumerate(small_samples()):
        right, at = label_level(sample), START + timedelta(minutes=minute)
        for name, wrong in ((HOSTILE, right and chance.random() < 0.5), ("cem", not right and chance.random() < 0.3)):
            level = 1 - right if wrong else right
            labels.append(Label(sample.id, CRITERION.name, level, name, at=at, rationale="<b>because</b> of the fee"))
    workspace.labels.add(run, criterion, labels)
    workspace.queues.plan(run, criterion, kind="stratified", dimension="kind", rules=QueueRules(overlap=4))
    scale = workspace.criteria.add(PROJECT, Criterion("helpfulness", ("poor", "fair", "good"), passing=1))
    workspace.labels.add(run, scale, [Label(s.id, "helpfulness", 2, "ann") for s in small_samples()[:20]])
    apart = workspace.criteria.add(PROJECT, Criterion("tone"))
    workspace.labels.add(
        run, apart, [Label(s.id, "tone", k % 2, "ann" if k < 9 else "cem") for k, s in enumerate(small_samples()[:18])]
    )


@pytest.fixture(scope="session")
def several_annotators(stores: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> None:
    add_store(stores, tmp_path_factory.mktemp("annotators") / "store", STATE, add_annotators, before="calibrated")


def at(app: AppTest, view: str) -> AppTest:
    app.button_group(key="agreement-view").set_value(view).run()
    assert_sound(app)
    return app


def test_without_labels_or_with_one_person_the_page_says_what_to_do(open_page: OpenPage) -> None:
    app = open_page("agreement", "unscored")
    assert_sound(app)
    assert "No person has labelled" in shown(app)


def test_one_person_is_told_to_plan_an_overlap(several_annotators: None, open_page: OpenPage) -> None:
    app = open_page("agreement", STATE, criterion="helpfulness")
    assert_sound(app)
    assert "Only one person" in shown(app) and "2 labels per item" in shown(app)
    app.selectbox(key="criterion").set_value("tone").run()
    assert_sound(app)
    assert "no sample was labelled by two of them" in shown(app)


def test_coefficients_pairs_and_annotators(several_annotators: None, open_page: OpenPage) -> None:
    app = open_page("agreement", STATE)
    assert_sound(app)
    assert "Of 3 people" in shown(app) and "over the 44 samples" in shown(app)
    whole = app.dataframe[0].value
    assert set(whole["Coefficient"]) == {
        *("raw agreement", "Cohen's κ", "Krippendorff's α", "Gwet's AC1"),
        *("share that passes", "agreement on pass", "agreement on fail"),
    }
    assert all("n = 44" in estimate for estimate in whole["Estimate"])
    levels = figure(app)
    assert len(levels["data"][0]["x"]) >= 2
    at(app, "Pairs")
    matrix = figure(app)
    assert sum(value is not None for row in matrix["data"][0]["z"] for value in row) == 6
    pairs = app.dataframe[0].value
    assert len(pairs) == 3 and list(pairs["Samples"]) == [44, 44, 44]
    at(app, "Annotators")
    assert "No sample has been shown" in shown(app)
    assert figure(app)["data"][0]["y"]
    assert list(app.dataframe[-1].value.columns[:3]) == ["Annotator", "Labels", "Verdict"]
    at(app, "Strict and lenient")
    assert len(figure(app, 1)["data"][1]["x"]) == 4
    assert "By the consensus" in shown(app)


def test_whoever_still_labels_is_warned_and_then_no_longer_blind(
    several_annotators: None, open_page: OpenPage, tmp_path: Path
) -> None:
    app = open_page("agreement", STATE, **{"agreement-view": "Disagreements"})
    app.text_input(key="annotator-name").set_value("dora")
    app.button(key="begin").click().run()
    assert_sound(app)
    assert "44 open items" in shown(app) and not app.radio
    app.button(key="unblind").click().run()
    assert_sound(app)
    assert app.radio and "not blind" not in " ".join(caption.value for caption in app.caption)
    workspace = Workspace.open(settings_of(tmp_path / "store"))
    run, criterion = workspace.runs.get(PROJECT, RUN), workspace.criteria.get(PROJECT, CRITERION.name)
    seen = workspace.annotators.unblinded(run, criterion, "dora")
    assert seen == {item.sample_id for item in workspace.disagreements.all(run, criterion)}
    workspace.labels.record(run, criterion, min(seen), 1, annotator="dora")
    assert workspace.labels.history(PROJECT)[-1].details.blind is False
    workspace.close()


def test_a_decision_takes_a_reason_and_wins(several_annotators: None, open_page: OpenPage, tmp_path: Path) -> None:
    app = open_page("agreement", STATE, **{"agreement-view": "Disagreements"})
    app.text_input(key="annotator-name").set_value("ann")
    app.button(key="begin").click().run()
    if any(button.key == "unblind" for button in app.button):
        app.button(key="unblind").click().run()
    assert_sound(app)
    sample_id = app.radio[0].key.removeprefix("decision-")
    app.radio[0].set_value(1)
    app.button(key=f"decide-{sample_id}").click().run()
    assert "needs a level and a reason" in " ".join(error.value for error in app.error)
    app.text_area(key=f"reason-{sample_id}").set_value("The amount is right.")
    app.button(key=f"decide-{sample_id}").click().run()
    assert_sound(app)
    workspace = Workspace.open(settings_of(tmp_path / "store"))
    run, criterion = workspace.runs.get(PROJECT, RUN), workspace.criteria.get(PROJECT, CRITERION.name)
    [made] = workspace.disagreements.adjudications(run, criterion)
    workspace.close()
    assert (made.sample_id, made.level, made.author, made.rationale) == (sample_id, 1, "ann", "The amount is right.")
