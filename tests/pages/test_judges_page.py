"""The Judges page: a rubric is edited and signed; a judge's agreement with people, its biases, its missing verdicts."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from hcat.core.capabilities.judges.funnel import FUNNEL
from hcat.core.capabilities.judges.services.judges import JudgeRequest
from hcat.core.capabilities.judges.services.pair_judgements import PairRequest
from hcat.core.capabilities.judges.services.rubric_gains import RubricRequest
from hcat.core.models.llm.language import Reply, Request, Usage
from hcat.core.types import JsonValue, Label
from hcat.core.workspace import Workspace
from tests.pages.conftest import add_store, settings_of
from tests.pages.small_project import CRITERION, PROJECT, RUN, label_level, small_samples
from tests.pages.test_pages import assert_sound, shown

OpenPage = Callable[..., AppTest]
STATE = "judged"


class Reader:
    """A judge that passes what the reference says, and gives no verdict on every tenth answer; of two it takes the
    first. The rubric that it writes is no better."""

    name, revision, parallel = "reader", "0", 1
    settings: Mapping[str, JsonValue] = {}

    def ask(self, request: Request) -> Reply:
        if request.prompt.name == "distil_rubric":
            return Reply(
                {"question": "Is the fee right?", "levels": {str(n): f"level {n}" for n in range(1, 6)}}, Usage()
            )
        item: Any = request.data["item"]
        if request.prompt.name == "judge_pair":
            return Reply({"reason": "it stands first", "better": "first"}, Usage(10, 5, 1.0, 1))
        if item["question"].startswith("What does the car loan"):
            return Reply(None, Usage(calls=1), "language model: no answer within 5 s")
        score = 5 if item["answer"].startswith(item["reference"]) else 2
        return Reply({"captured_rate": {"reason": "compared", "score": score}}, Usage(10, 5, 1.0, 1))


def judge_the_run(workspace: Workspace) -> None:
    project, run = workspace.projects.get(PROJECT), workspace.runs.get(PROJECT, RUN)
    request = JudgeRequest(run.id, FUNNEL.name, ("captured_rate",))
    check = JudgeRequest(run.id, FUNNEL.name, ("captured_rate",), work="bias", sample=12)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hcat.core.models.llm.loading.load_trials", lambda settings, trials, temperature: (Reader(),))
        workspace.judges.judge(project, run, request)
        workspace.judges.judge(project, run, check)
        workspace.judges.judge(project, run, replace(request, name="second", order="verdict first"))
        other = [replace(each, answer=f"{each.answer} Ask us.") for each in small_samples()]
        against = workspace.runs.add(project, "second-run", other, source="second.jsonl")
        workspace.labels.add(
            against, CRITERION, [Label(each.id, CRITERION.name, label_level(each), "lee") for each in small_samples()]
        )
        workspace.judges.judge(project, against, request)
        workspace.pair_judgements.judge(
            project, run, PairRequest(run.id, against.id, FUNNEL.name, "captured_rate", CRITERION.name, sample=20)
        )
        reasons = [
            Label(each.id, CRITERION.name, label_level(each), "lee", rationale="the fee counts")
            for each in small_samples()
        ]
        workspace.labels.add(run, CRITERION, reasons)
        workspace.rubric_gains.measure(
            project, run, RubricRequest(run.id, FUNNEL.name, "captured_rate", CRITERION.name)
        )


@pytest.fixture(scope="session")
def judged(stores: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> None:
    add_store(stores, tmp_path_factory.mktemp("judged") / "store", STATE, judge_the_run, before="calibrated")


def test_a_rubric_is_edited_signed_and_kept(open_page: OpenPage, tmp_path: Path) -> None:
    app = open_page("judges", "unscored")
    project = Workspace.open(settings_of(tmp_path / "store")).projects.get(PROJECT)
    key = f"{project.id}-0-hallucination"
    app.text_area(key=f"rubric-question-{key}").set_value("Is every number in the contexts?")
    app.button[0].click().run()
    assert "a rubric is signed" in shown(app)
    app.text_input(key=f"rubric-author-{key}").set_value("lee")
    app.text_input(key=f"rubric-note-{key}").set_value("numbers first")
    app.button[0].click().run()
    assert_sound(app)
    assert "Version 1 of the rubric is saved" in shown(app)
    workspace = Workspace.open(settings_of(tmp_path / "store"))
    rubric, version = workspace.rubrics.newest(project)
    assert (version, rubric.criterion("hallucination").question) == (1, "Is every number in the contexts?")
    assert workspace.rubrics.versions(project)[0].author == "lee"
    workspace.close()


def test_without_a_model_or_a_judgement_it_is_said_what_to_do(open_page: OpenPage) -> None:
    app = open_page("judges", "unscored", **{"judges-view": "Ask"})
    assert_sound(app)
    assert "HCAT_LLM_BASE_URL" in shown(app)
    for view, said in (("Beside people", "No judge has said anything"), ("Biases", "was checked for bias yet"),
                       ("Panel", "a panel has two at least"), ("Pairs", "The project has one run"),
                       ("Distil", "Nothing yet")):  # fmt: skip
        app.button_group(key="judges-view").set_value(view).run()
        assert_sound(app)
        assert said in shown(app)


def test_a_judge_stands_beside_people(judged: None, open_page: OpenPage) -> None:
    app = open_page("judges", STATE, **{"judges-view": "Beside people"})
    assert_sound(app)
    text = shown(app).replace("\\", "")
    beside, table = (shown_table.value for shown_table in app.dataframe[:2])
    [row] = beside.to_dict("records")
    assert (row["Verdicts"], row["Labels on"]) == ("captured_rate", "correctness")
    assert row["κ"].startswith("0.") and "[" in row["κ"] and "[" in row["Same verdict"]
    assert row["κ on all levels"] == "–"  # people pass or fail, and the judge has five scores
    assert "unscored: language model: no answer within 5 s" in text
    assert "labelled but not scored by the judge" in text
    assert "Disagreements" in text
    n = int(table.iloc[:, 1:].to_numpy().sum())
    assert row["κ"].endswith(f"n = {n}") and 20 < n < 44  # no verdict: the model's silence, answers that decline
    assert row["Both"] == n
    assert list(table["Labels"]) == ["fail", "pass"]


def test_biases_have_sizes_and_intervals(judged: None, open_page: OpenPage) -> None:
    app = open_page("judges", STATE, **{"judges-view": "Biases"})
    assert_sound(app)
    changes = app.dataframe[0].value
    assert len(changes) == 3 and "none shown" in set(changes["Bias"])
    assert all("[" in moved for moved in changes["Scores move by"] if moved != "–")
    assert "none larger than the interval" in shown(app)
    assert "Refusals" in shown(app)


def test_self_preference_compares_runs_on_peoples_levels(judged: None, open_page: OpenPage) -> None:
    app = open_page("judges", STATE, **{"judges-view": "Biases"})
    assert "Choose the runs" in shown(app)
    app.multiselect(key="self-own").set_value([RUN]).run()
    app.multiselect(key="self-others").set_value(["second-run"]).run()
    assert_sound(app)
    [row] = app.dataframe[-1].value.to_dict("records")
    assert row["Criterion"] == "captured_rate" and row["Scores higher by"].startswith("0")
    assert row["Comparisons"] > 0 and row["Verdict"] == "none shown"
    assert "none larger than the interval" in shown(app)


def test_a_distilled_rubric_is_a_proposal_with_its_gain_and_goes_into_the_editor(
    judged: None, open_page: OpenPage, tmp_path: Path
) -> None:
    app = open_page("judges", STATE, **{"judges-view": "Distil"})
    app.selectbox(key="distil-criterion").set_value("captured_rate").run()
    assert_sound(app)
    text = shown(app)
    assert "No gain shown" in text
    assert "It is a proposal" in text
    assert next(iter(app.table[0].value["Second"])) == "Is the fee right?"
    app.button(key="distil-take").click().run()
    assert_sound(app)
    assert (app.text_area[0].value, app.text_area[1].value) == ("Is the fee right?", "level 5")
    workspace = Workspace.open(settings_of(tmp_path / "store"))
    assert workspace.rubrics.versions(workspace.projects.get(PROJECT)) == []
    workspace.close()


def test_judges_are_a_panel_with_their_correlation(judged: None, open_page: OpenPage, tmp_path: Path) -> None:
    app = open_page("judges", STATE, **{"judges-view": "Panel"})
    assert_sound(app)
    assert "are worth 1.00 independent ones" in shown(app).replace("\\", "")
    beside = app.dataframe[1].value
    assert list(beside["Verdicts"]) == ["judge:captured_rate", "second:captured_rate", "mean of the panel"]
    assert len(set(beside.iloc[:, 1])) == 1  # they say the same, and so does their mean
    app.button(key="panel-keep").click().run()
    assert_sound(app)
    workspace = Workspace.open(settings_of(tmp_path / "store"))
    assert "panel:captured_rate" in workspace.scoring.required(workspace.runs.get(PROJECT, RUN)).metrics
    workspace.close()


def test_pairs_are_compared_in_both_orders(judged: None, open_page: OpenPage) -> None:
    app = open_page("judges", STATE, **{"judges-view": "Pairs"})
    assert_sound(app)
    text = shown(app).replace("\\", "")
    [preferred], [right], effects = (table.value.to_dict("records") for table in app.dataframe[:3])
    assert "first-run is preferred to second-run" in text
    assert preferred["Preferred"] == "first-run" and preferred["In both orders"].startswith("50.0%")
    assert preferred["When it stands first"].startswith("100% [")
    assert right["Pairs"] == 20
    assert [effect["Bias"] for effect in effects] == ["position", "verbosity", "self-preference"]
    assert len(app.dataframe[3].value) == 20
    assert "HCAT_LLM_BASE_URL" in text  # no model is set in this store


def test_a_wrong_file_of_verdicts_is_named(judged: None, open_page: OpenPage) -> None:
    app = open_page("judges", STATE, **{"judges-view": "Biases"})
    app.file_uploader[0].set_value(("wrong.jsonl", b"no json", "application/jsonl")).run()
    assert not app.exception
    assert "line 1 is no verdict on a pair" in app.error[0].value.replace("\\", "")
    rows = [
        {"judge": "j", "pair_id": n, "label": "A>B" if n % 2 else "B>A", "decisions": ["A>B", "A>B"]} for n in range(30)
    ]
    sent = "\n".join(map(json.dumps, rows)).encode()
    app.file_uploader[0].set_value(("verdicts.jsonl", sent, "application/jsonl")).run()
    assert_sound(app)
    right, effects = (table.value for table in app.dataframe[:2])
    assert list(right["Judge"]) == ["j"] and effects["Verdict"].iloc[0] == "flagged"


def test_the_verdicts_are_a_metric_of_the_run(judged: None, open_page: OpenPage, tmp_path: Path) -> None:
    open_page("judges", STATE)
    workspace = Workspace.open(settings_of(tmp_path / "store"))
    table = workspace.scoring.required(workspace.runs.get(PROJECT, RUN))
    assert table.facts("judge:captured_rate").source.startswith("judged by reader, version ")
    assert table.summary()["judge:captured_rate"].judged
    labels = workspace.labels.current(PROJECT, CRITERION.name)
    assert {label.source for label in labels} == {"person"}
    workspace.close()


def test_the_report_has_the_same_judge(judged: None, stores: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(stores[STATE], tmp_path / "store")
    workspace = Workspace.open(settings_of(tmp_path / "store"))
    item, second, _ = workspace.reports.evidence(workspace.projects.get(PROJECT)).judges
    workspace.close()
    assert (second.judge, second.checked) == ("second", None)
    assert (item.run, item.judge, item.checked is not None) == (RUN, "judge", True)
    [criterion] = item.criteria
    agreement = criterion.beside[CRITERION.name]
    assert agreement.enough and agreement.by_people == agreement.n
    assert "language model: no answer within 5 s" in criterion.unscored
