"""Every page, in every state of a project: no exception, and what the user needs to go on."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

from hcat.core.jobs.processes import this_worker
from hcat.core.records.hashing import sha256_of_text
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.settings import Settings, settings
from hcat.core.types import JsonValue
from hcat.core.worker import run_job
from hcat.core.workspace import Workspace
from hcat.dashboard.capabilities.topics.topic_map import topic_samples
from hcat.dashboard.navigation import PAGES
from hcat.dashboard.selection import MapArea
from tests.pages.small_project import CRITERION, PROJECT, small_samples

OpenPage = Callable[..., AppTest]
STATES = ("empty", "no run", "unscored", "calibrated")
NAMES = tuple(entry.name for entry in PAGES)

NO_PROJECT = (r"no project yet", "runs")
NO_RUN = (r"has no run yet", "runs")
NO_SCORES = (r"no scores yet", "runs")
NEEDS_NO_RUN = (
    "members",
    "runs",
    "metrics",
    "findings",
    "risks",
    "glossary",
    "corpus",
    "test_sets",
    "coverage",
    "grammar",
    "collect",
    "attacks",
    "audit",
)
WAYS_FORWARD: dict[tuple[str, str], tuple[str, str]] = {
    **{(name, "empty"): NO_PROJECT for name in NAMES if name not in ("runs", "metrics", "glossary", "audit")},
    **{(name, "no run"): NO_RUN for name in NAMES if name not in NEEDS_NO_RUN},
    **{("findings", state): (r"No finding yet", "weaknesses") for state in ("no run", "unscored", "calibrated")},
    **{("coverage", state): (r"no corpus yet", "corpus") for state in ("no run", "unscored", "calibrated")},
    **{(name, "unscored"): NO_SCORES for name in ("weaknesses", "samples")},
    ("estimates", "unscored"): NO_SCORES,
    ("trials", "unscored"): (r"has one trial", "runs"),
    ("attacks", "no run"): (r"no corpus yet", "corpus"),
    ("attacks", "unscored"): (r"No sample of this run is an attack", "collect"),
    ("attacks", "calibrated"): (r"No sample of this run is an attack", "collect"),
    ("robustness", "unscored"): (r"No sample of this run is a variant", "collect"),
    ("robustness", "calibrated"): (r"No sample of this run is a variant", "collect"),
    ("policy", "unscored"): (r"A policy decides by the prediction sets", "calibration"),
    ("fairness", "unscored"): (r"No question of this run was asked for people", "test_sets"),
    ("fairness", "calibrated"): (r"No question of this run was asked for people", "test_sets"),
    ("trials", "calibrated"): (r"has one trial", "runs"),
    ("agreement", "unscored"): (r"No person has labelled", "labelling"),
    ("agreement", "calibrated"): (r"one (annotator|person)|overlap", "labelling"),
    ("overview", "unscored"): (r"not(hing is)? .*scored", "runs"),
    ("calibration", "unscored"): (r"no labels on this criterion", "labelling"),
}
"""What an empty page says, and the page that it leads to."""

CONTENT: dict[tuple[str, str], tuple[str, ...]] = {
    **{("risks", state): (r"Nobody has signed a register yet",) for state in STATES[1:]},
    ("policy", "calibrated"): (r"Error let through", r"No threshold is shown", r"Switch on"),
    ("overview", "no run"): (PROJECT, "a bank that does not exist"),
    ("overview", "unscored"): (PROJECT, r"Samples in this run.*44", "Score the run"),
    ("overview", "calibrated"): (
        r"Labels by people.*44",
        r"Pass rate on correctness",
        r"52\.3% \[",  # 23 of 44 pass by the rule of the labels
        r"Weakest slices",
        r"Corrected pass rate.*No slice is shown to be worse than the rest",
        r"Label 30 answers",
    ),
    ("runs", "empty"): ("Begin with a project", "Name of the system", "Create project"),
    ("runs", "no run"): ("Import a run", "correctness", "Rename, archive"),
    ("runs", "unscored"): ("first-run", "metrics not scored yet", "Score the run", "Import a run"),
    ("runs", "calibrated"): ("first-run", "Groundedness", r"0\.\d+ \[0\.\d+, \d\.\d+\], n = 44"),
    **{("test_sets", state): ("no test set yet", "import the documents first") for state in STATES[1:]},
    **{("corpus", state): ("no corpus yet", "Upload the documents", "Folder with documents") for state in STATES[1:]},
    **{
        ("grammar", state): ("Schema", "Employees", r"29 SQL templates proved", "Fill the templates")
        for state in STATES[1:]
    },
    **{
        ("judges", state): (
            "Rubric “five criteria”, as it comes with hcat",
            "Save as a new version",
            "No version of your own",
        )
        for state in STATES[2:]
    },
    **{("collect", state): ("Test cases", "System", r"Collect 30\d answers") for state in STATES[1:]},
    ("topics", "unscored"): ("not been computed yet", "Find topics"),
    ("topics", "calibrated"): ("Colour by", "Key terms", "key terms", "loan|account|card", "Select a row to open"),
    ("weaknesses", "calibrated"): ("kind", "customer", r"Whole run: .*n = 44", "Benjamini–Hochberg", "Click a cell"),
    ("samples", "calibrated"): ("44 samples", "all samples", r"Answer precision: [−\d]", r"1 of 44", "What does the"),
    ("labelling", "unscored"): ("Annotator", "Enter your name"),
    ("labelling", "calibrated"): ("Annotator", "correctness", "Plan a queue"),
    ("calibration", "calibrated"): (
        r"44 labels.*44 by people, 0 by the reference rule",
        r"Prediction sets at α = 0\.1",
        r"Fit for use|Fitness for use not shown|Not fit for use",
        "Coverage",
        "Save this calibration",
    ),
    ("estimates", "calibrated"): (
        "What the labels add",
        r"Of these 44 answers, 52\.3% pass: all are labelled",  # 23 of 44
        r"44 of 44 samples labelled, 0 unscored",
        "Planning",
    ),
    ("report", "no run"): ("there is nothing to report", "Import a run"),
    ("report", "unscored"): ("Build the report",),
    ("report", "calibrated"): ("Build the report", "what is stored now"),
    **{("audit", state): ("The log is whole", r"Each row follows", "Sign a checkpoint", "schema") for state in STATES},
    **{("glossary", state): ("Search the glossary", "People pass fewer answers of the slice") for state in STATES},
    **{("members", state): ("Roles are not in use", "What each role may do", "Annotator") for state in STATES[1:]},
    ("metrics", "empty"): ("Groundedness", "HCAT 3"),
    ("metrics", "no run"): ("Context relevancy", "HCAT 3"),
    ("metrics", "unscored"): ("Context relevancy", "range -1 to 1", "is not scored on the chosen run"),
    ("metrics", "calibrated"): (
        "Context relevancy",
        r"On this run: 0\.\d+",
        "All samples are scored \\(n = 44\\)",
        "Open the ten worst",
        "Spearman's ρ: \\*\\*",
    ),
    **{
        ("safety", state): ("No answer tells personal data", r"changes 0 answers of 44", "Score 5 metrics of safety")
        for state in ("unscored", "calibrated")
    },
    ("retrieval", "unscored"): ("Add `relevant_ids`",),
    ("retrieval", "calibrated"): ("Add `relevant_ids`",),
}
"""What a page with something to show must say."""


def elements(block: Block) -> Iterator[object]:
    for child in block.children.values():
        yield child
        if isinstance(child, Block):
            yield from elements(child)


def shown(app: AppTest) -> str:
    """All that the page says, a line an element: labels, values, tables, options."""
    lines = []
    for element in elements(app.main):
        parts = [getattr(element, name, None) for name in ("label", "value", "options")]
        proto = getattr(element, "proto", None)
        parts += [getattr(proto, "label", None), getattr(proto, "text", None)]
        lines.append(" ".join(str(part) for part in parts if isinstance(part, str | list) and part))
        value = getattr(element, "value", None)
        if isinstance(value, pd.DataFrame):
            lines.append(value.to_string(max_colwidth=200))
    return "\n".join(lines)


def links(app: AppTest) -> set[str]:
    return {element.proto.page for element in app.get("page_link")}


def assert_sound(app: AppTest) -> None:
    assert [error.value for error in app.exception] == []
    assert [error.value for error in app.error] == []


def begin_as(app: AppTest, annotator: str) -> None:
    """Give a name on the Labelling page."""
    next(field for field in app.text_input if field.label == "Annotator").input(annotator)
    next(button for button in app.button if button.label == "Begin").click().run()


def press(app: AppTest, name: str) -> AppTest:
    return next(button for button in app.button if button.label == name).click().run()


def figure(app: AppTest, position: int = 0) -> dict[str, JsonValue]:
    return json.loads(app.get("plotly_chart")[position].proto.spec)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("name", NAMES)
def test_a_page_says_what_there_is_and_what_to_do(open_page: OpenPage, name: str, state: str) -> None:
    app = open_page(name, state)
    assert_sound(app)
    text = shown(app).replace("\\", "")
    way = WAYS_FORWARD.get((name, state))
    wanted = CONTENT.get((name, state), ())
    assert way or wanted, "say here what the page must show in this state"
    for pattern in (*wanted, *((way[0],) if way else ())):
        assert re.search(pattern, text, re.IGNORECASE), f"{pattern!r} is not in\n{text}"
    if way:
        assert way[1] in links(app)


@pytest.mark.parametrize(
    ("view", "wanted"),
    [
        ("Heatmap", "Click a cell"),
        ("Marginal", "Click a diamond"),
        ("All metrics", "Click a cell to see the samples of its level"),
        ("Ranked list", "kind = amount"),
    ],
)
def test_each_view_of_weaknesses(open_page: OpenPage, view: str, wanted: str) -> None:
    app = open_page("weaknesses", "calibrated", view=view)
    assert_sound(app)
    assert wanted in shown(app)


def test_the_heatmap_holds_the_mean_and_n_of_each_cell(open_page: OpenPage) -> None:
    spec = json.dumps(figure(open_page("weaknesses", "calibrated", metric="answer_f1")), ensure_ascii=False)
    assert spec.count("n=11") == 4  # 11 products in each of two kinds × two customers
    assert "business" in spec
    assert "private" in spec


def test_weaknesses_of_the_calibrated_probability(open_page: OpenPage) -> None:
    app = open_page("weaknesses", "calibrated", metric="pass_probability")
    assert_sound(app)
    assert "Corrected pass rate" in shown(app)


@pytest.mark.parametrize("page", ["overview", "weaknesses"])
def test_labels_that_a_kept_calibration_does_not_know_are_said(open_page: OpenPage, page: str) -> None:
    changed = "Labels have changed since the calibration was saved"
    app = open_page(page, "calibrated", metric="pass_probability")
    assert changed not in shown(app)
    workspace = Workspace.open(settings())
    run = workspace.runs.all(PROJECT)[0]
    workspace.labels.record(run, CRITERION, workspace.runs.samples(run)[0].id, 0, annotator="bea")
    for metric in (one for one in app.selectbox if one.key == "metric"):
        metric.set_value("pass_probability")
    app.run()
    assert_sound(app)
    assert changed in shown(app)


@pytest.mark.parametrize(
    ("view", "wanted"),
    [
        ("Groundedness", r"Groundedness: [−\d]"),
        ("Completeness", r"Completeness: [−\d]"),
        ("Context relevancy", r"Context relevancy: [−\d]"),
        ("Answer relevancy", r"Answer relevancy: [−\d]"),
        ("Answer recall", r"recall: [−\d]"),
        ("Answer precision", r"precision: [−\d]"),
        ("Transport plan", r"Cost W = \d\.\d+"),
        ("Any metric", r"Answer F1: [−\d]"),
        ("All scores", r"decision: \*\*"),
        ("Labels", r"ann .*(pass|fail)"),
    ],
)
def test_each_view_of_a_sample(open_page: OpenPage, view: str, wanted: str) -> None:
    app = open_page("samples", "calibrated", sample="s01")
    app.button_group(key="explain").set_value(view).run()
    assert_sound(app)
    assert re.search(wanted, shown(app)), shown(app)


def test_a_selection_that_fits_nothing_says_so(open_page: OpenPage) -> None:
    app = open_page("samples", "calibrated", slice='["kind", "no such level"]')
    assert_sound(app)
    assert "No sample is in this selection" in shown(app)
    app.button(key="show-all").click().run()
    assert "44 samples" in shown(app)


def test_a_slice_in_the_url_selects_its_samples_worst_first(open_page: OpenPage) -> None:
    app = open_page("samples", "calibrated", slice='["kind", "amount", "customer", "business"]', metric="answer_f1")
    assert "11 samples" in shown(app)
    scores = app.dataframe[0].value.iloc[:, 1].tolist()
    assert scores == sorted(scores)


def test_labels_skips_and_withdrawals_are_stored_at_once(open_page: OpenPage) -> None:
    app = open_page("labelling", "calibrated")
    app.text_input(key="annotator-name").input("bea")
    app.button(key="begin").click().run()
    assert_sound(app)
    assert "0 labelled, 0 skipped, 44 to go" in shown(app)
    press(app, "pass")
    assert_sound(app)
    [label] = _workspace().labels.current(PROJECT, annotator="bea")
    assert (label.level, label.guideline_version, label.probability) == (1, 1, 1.0)
    for name in ("Skip", "needs an expert", "Undo", "Undo"):
        press(app, name)
        assert_sound(app)
    assert _workspace().labels.current(PROJECT, annotator="bea") == []
    history = [record for record in _workspace().labels.history(PROJECT) if record.annotator == "bea"]
    assert [record.kind for record in history] == ["label", "skip", "withdrawn", "withdrawn"]
    assert history[1].rationale == "needs an expert"


def test_the_blind_card_holds_no_id_no_score_and_no_run(open_page: OpenPage) -> None:
    app = open_page("labelling", "calibrated")
    app.text_input(key="annotator-name").input("bea")
    app.button(key="begin").click().run()
    card = "".join(str(view.proto) for view in app.get("bidi_component"))
    sample = next(sample for sample in small_samples() if sample.query in card)
    for hidden in ("first-run", "retrieval score", f'"{sample.id}"', '"score"', '"color"'):
        assert hidden not in card


def test_another_alpha_moves_the_sets(open_page: OpenPage) -> None:
    app = open_page("calibration", "calibrated")
    before = re.search(r"Prediction sets at α = 0\.\d", shown(app))
    app.slider(key="alpha").set_value(0.4).run()
    assert_sound(app)
    after = re.search(r"Prediction sets at α = 0\.\d", shown(app))
    assert before
    assert after
    assert before.group() != after.group()


def test_keeping_a_calibration_stores_it(open_page: OpenPage) -> None:
    app = open_page("calibration", "calibrated")
    app.text_input(key="calibration-author").input("R. Keller")
    app.button(key="keep-calibration").click().run()
    assert "give a reason for using it all the same" in shown(app)
    app.text_area(key="calibration-reason").input("the best there is")
    app.button(key="keep-calibration").click().run()
    assert_sound(app)
    workspace = _workspace()
    newest, _ = workspace.calibrations.all(workspace.runs.all(PROJECT)[0])
    use = workspace.calibrations.read(newest).use
    assert use is not None and use.at is not None
    assert (use.author, use.reason) == ("R. Keller", "the best there is")
    said = shown(app).replace("\\", "")
    assert "saved by R. Keller" in said and "because: “the best there is”" in said


def build_report(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Press the button, see the job under way, and let it work to its end."""
    monkeypatch.setattr("hcat.core.project.jobs.launch", lambda settings, job_id: this_worker())
    app.button(key="build-report").click().run()
    assert app.exception == []
    assert any("Building the report is running" in str(each.proto) for each in app.get("progress"))
    assert app.button(key="build-report").disabled and "Download HTML" not in shown(app)
    opened = _workspace()
    job = opened.jobs.all(PROJECT)[0]
    assert run_job(opened, job.id)
    assert opened.jobs.get(job.id).error is None
    app.run()


def test_the_report_is_built_on_the_page(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_page("report", "calibrated")
    app.text_input(key="report-author").input("Bea")
    build_report(app, monkeypatch)
    assert_sound(app)
    text = shown(app)
    for wanted in ("Version 1, built", "Download HTML", "Download JSON", "Select a version"):
        assert wanted in text
    assert "Bea" in app.dataframe[-1].value["Prepared by"].tolist()


def test_building_a_report_is_cancelled_on_the_page_and_leaves_nothing(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hcat.core.project.jobs.launch", lambda settings, job_id: this_worker())
    app = open_page("report", "calibrated")
    app.button(key="build-report").click().run()
    job = _workspace().jobs.all(PROJECT)[0]
    app.button(key=f"cancel-{job.id}").click().run()
    assert any("Building the report was cancelled. Nothing was stored." in each.value for each in app.run().info)
    assert not app.button(key="build-report").disabled
    assert _workspace().reports.versions(_workspace().projects.get(PROJECT)) == []


def test_the_preview_follows_template_frameworks_and_chapters(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_page("report", "calibrated")
    app.button(key="preview-report").click().run()
    assert_sound(app)
    assert "Preview, not kept as a version" in shown(app)
    framed = [element.proto.srcdoc for element in app.get("iframe")]
    assert "Executive summary" in framed[0] and "not legal advice" not in framed[0]
    app.selectbox(key="report-language-en").set_value("de").run()
    app.button(key="preview-report").click().run()
    assert_sound(app)
    [german] = [element.proto.srcdoc for element in app.get("iframe")]
    assert "Zusammenfassung" in german and "Executive summary" not in german
    app.selectbox(key="report-language-en").set_value("en").run()
    app.button(key="preview-report").click().run()
    template = "title: Of the bank\nframeworks: [nist-ai-rmf]\nchapters: [limitations, frameworks]\n"
    app.get("file_uploader")[0].upload("bank.yaml", template.encode()).run()
    assert_sound(app)
    [document] = [element.proto.srcdoc for element in app.get("iframe")]
    assert "Of the bank" in document and "not legal advice" in document and "Executive summary</h2>" not in document
    assert _workspace().reports.versions(_workspace().projects.get(PROJECT)) == []
    build_report(app, monkeypatch)
    assert_sound(app)
    [version] = _workspace().reports.versions(_workspace().projects.get(PROJECT))
    report = _workspace().reports.read(version)
    assert (report.title, [section.id for section in report.sections]) == ("Of the bank", ["limitations", "frameworks"])
    app.get("file_uploader")[0].upload("bad.yaml", b"chapters:\n  - weather\n").run()
    assert ["bad.yaml, line 2" in error.value.replace("\\", "") for error in app.error] == [True]


def test_chapters_are_chosen_and_an_opinion_is_signed_on_the_page(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_page("report", "calibrated")
    app.multiselect(key="report-chapters").set_value(["summary", "limitations"])
    build_report(app, monkeypatch)
    assert_sound(app)
    versions = _workspace().reports.versions(_workspace().projects.get(PROJECT))
    assert [section.id for section in _workspace().reports.read(versions[-1]).sections] == ["summary", "limitations"]
    next(box for box in app.selectbox if box.label == "Rating").set_value("fit with conditions")
    app.text_input(key="opinion-author").input("Bea")
    sign = next(button for button in app.button if button.label == "Sign this opinion")
    sign.click().run()
    assert ["needs its reasons" in error.value for error in app.error] == [True]
    next(area for area in app.text_area if area.label == "Reasons").input("Right where people looked.")
    next(area for area in app.text_area if area.label.startswith("Conditions")).input("Check fees.\n\nAsk again.")
    next(button for button in app.button if button.label == "Sign this opinion").click().run()
    assert_sound(app)
    opinion = _workspace().opinions.current(_workspace().projects.get(PROJECT))
    assert opinion is not None
    assert (opinion.rating, opinion.author) == ("fit with conditions", "Bea")
    assert opinion.conditions == ("Check fees.", "Ask again.")


def test_a_first_project_is_made_on_the_runs_page(open_page: OpenPage) -> None:
    app = open_page("runs", "empty")
    app.text_input[0].input("Night desk")
    app.button[0].click().run()
    assert_sound(app)
    assert [project.name for project in _workspace().projects.all()] == ["Night desk"]
    assert [criterion.name for criterion in _workspace().criteria.all("Night desk")] == ["correctness"]
    assert "Import a run" in shown(app)


def test_a_taken_name_is_one_clear_message(open_page: OpenPage) -> None:
    app = open_page("runs", "no run")
    next(field for field in app.text_input if "system under validation" in field.label).input(PROJECT)
    next(button for button in app.button if button.label == "Create project").click().run()
    assert [error.value for error in app.exception] == []
    [message] = [error.value for error in app.error]
    assert "already a project" in message


def _workspace() -> Workspace:
    return Workspace.open(settings())


def test_settings_are_those_of_the_test(open_page: OpenPage, tmp_path: object) -> None:
    """No test of pages may touch the developer's store."""
    open_page("overview", "empty")
    assert isinstance(settings(), Settings)
    assert str(tmp_path) in settings().database_url


def test_the_overview_computes_the_intervals_of_the_metrics_once(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary, calls = ScoreTable.summary, []

    def counted(table: ScoreTable, *given: object, **named: object) -> object:
        calls.append(table)
        return summary(table, *given, **named)

    monkeypatch.setattr(ScoreTable, "summary", counted)
    assert not open_page("overview", "calibrated").exception
    assert len(calls) == 1  # the app opens on the overview, which `open_page` then opens again, from the cache


def test_a_topic_of_the_table_has_its_samples(open_page: OpenPage) -> None:
    app = open_page("topics", "calibrated")
    workspace = Workspace.open(settings())
    run_topics = workspace.topics.read(workspace.runs.all(PROJECT)[0])
    assert run_topics is not None
    sizes = {topic.title: topic.size for topic in run_topics.model.topics}
    assert {title: len(topic_samples(run_topics, title)) for title in sizes} == sizes
    app.session_state["topic-list-0"] = {"selection": {"rows": [1], "columns": [], "cells": []}}
    app.run()
    assert_sound(app)
    second = run_topics.model.topics[1]
    [button] = [button for button in app.button if button.key == "open-topic"]
    assert button.label.replace("\\", "") == f"Open the {second.size} samples of “{second.title}”"


def test_an_address_with_an_area_of_the_map_shows_its_samples(open_page: OpenPage) -> None:
    app = open_page("topics", "calibrated")
    workspace = Workspace.open(settings())
    run = workspace.runs.all(PROJECT)[0]
    run_topics, found = workspace.topics.read(run), workspace.topics.latest(run)
    assert run_topics is not None
    assert found is not None
    x, y = run_topics.model.coordinates.T
    left, low = float(np.median(x)), float(np.median(y))
    inside = int(((x >= left) & (y >= low)).sum())
    corners = ((left, low), (1e6, low), (1e6, 1e6), (left, 1e6))
    mark = sha256_of_text(found.artifact)[:8]
    for topics, shown in ((mark, f"**{inside} samples**"), ("00000000", "**0 samples**")):
        app.query_params["area"] = MapArea("query", topics, corners).to_text()
        app.switch_page("../pages/samples.py").run()
        assert not app.exception
        assert shown in [block.value for block in app.markdown]
