"""The GRAMMAR page: from a schema to groups, and from answers to the verdict."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from hcat.core.capabilities.collect.test_set import test_cases_in as cases_in
from hcat.core.capabilities.grammar.plan import GrammarPlan, plan_yaml
from hcat.core.capabilities.grammar.written_template import WrittenTemplate
from hcat.core.settings import settings
from hcat.core.types import Passage
from hcat.core.workspace import Workspace
from hcat.dashboard.capabilities.grammar.loader import company_file, filled_plan
from tests.pages.conftest import OpenPage
from tests.pages.small_project import PROJECT
from tests.pages.test_pages import assert_sound, press, shown

SALARY = WrittenTemplate(
    "SELECT salary FROM employee WHERE name = '[employee.name]' AND job_title = '[employee.job_title]'",
    texts={
        "short": ("What does '[employee.name]' earn as '[employee.job_title]'?",),
        "long": ("And '[employee.name]', '[employee.job_title]'?",),
    },
)


def upload_plan(app: AppTest, plan: GrammarPlan) -> AppTest:
    [uploader] = [each for each in app.file_uploader if "plan of your own" in each.label]
    return uploader.upload("plan.yaml", plan_yaml(plan).encode(), "application/yaml").run()


def test_groups_are_made_of_the_company_with_one_click(open_page: OpenPage) -> None:
    app = open_page("grammar", "no run")
    assert_sound(app)
    press(app, "Fill the templates")
    assert_sound(app)
    text = shown(app)
    assert "semantic groups" in text
    assert "What is the country of the client" in text
    assert "Several answers" in text


def test_an_own_template_with_two_placeholders_is_proved_and_filled(open_page: OpenPage) -> None:
    wrong = WrittenTemplate("DELETE FROM employee WHERE name = '[employee.name]'", name="gone")
    app = upload_plan(open_page("grammar", "no run"), GrammarPlan((SALARY, wrong), {"short": (), "long": ()}))
    text = shown(app).replace("\\", "")
    assert "gone is left out: only SELECT is allowed" in text
    press(app, "Fill the templates")
    assert_sound(app)
    assert "6 queries in 3 semantic groups" in shown(app)  # 3 groups of each template
    press(app, "Store as a test set")
    assert_sound(app)
    assert "grammar" in app.success[0].value
    app.switch_page("../pages/collect.py").run()
    assert_sound(app)
    assert "6 test cases" in shown(app)
    assert "is not frozen" in shown(app)


def test_what_is_no_database_is_said(open_page: OpenPage) -> None:
    app = open_page("grammar", "no run")
    app.segmented_control(key="grammar-database").set_value("Upload a SQLite file").run()
    [uploader] = [each for each in app.file_uploader if "SQLite" in each.label]
    uploader.upload("notes.sqlite", b"no database", "application/octet-stream").run()
    assert "is no SQLite database" in app.error[0].value.replace("\\", "")


@pytest.fixture
def grouped(open_page: OpenPage) -> AppTest:
    """A run over six groups of the company: right with its document, but wrong to the long text of every second."""
    app = open_page("grammar", "no run")
    filled = filled_plan(company_file(24, 7), plan_yaml(GrammarPlan((SALARY,), {"short": (), "long": ()})), 6, 1, 7)
    texts = {passage.id: passage.text for passage in filled.documents}
    groups = list(dict.fromkeys(case.group for case in filled.queries.cases))
    samples = []
    for case in cases_in(filled.test_file(), name="grammar.jsonl"):
        wrong = case.dimensions["criterion"] == "long" and groups.index(str(case.group)) % 2 == 0
        [needed] = case.relevant_ids
        answer = "I don't know." if wrong else case.reference
        samples.append(replace(case, answer=answer, contexts=(Passage(needed, texts[needed]),)))
    with Workspace.open(settings()) as workspace:
        workspace.runs.add(PROJECT, "groups", samples, source="grammar.jsonl")
    return app


def test_the_verdict_opens_the_groups_behind_each_number(grouped: AppTest) -> None:
    app = grouped
    app.run()
    app.segmented_control(key="grammar-view").set_value("Verdict").run()
    assert_sound(app)
    table = next(frame.value for frame in app.dataframe if "groups: short" in frame.value.columns)
    rows = {str(row.iloc[0]).strip(): row for _, row in table.iterrows()}
    assert (rows["groups"]["groups: short"], rows["groups"]["groups: long"]) == ("6", "6")
    assert rows["robust: all right"]["groups: long"] == "3"
    assert rows["gap: nothing right"]["groups: long"] == "3"
    said = "Accuracy, groups: short less groups: long, on 6 groups that both were asked: +0.5"
    assert said in shown(app).replace("\\", "")
    app.selectbox(key="grammar-part").set_value("groups: long")
    app.selectbox(key="grammar-kind").set_value("Gap: nothing right").run()
    assert_sound(app)
    assert "3 groups" in shown(app)
    assert "have no scores yet" in shown(app)


def test_runs_without_groups_are_told_what_to_do(open_page: OpenPage) -> None:
    app = open_page("grammar", "calibrated", **{"grammar-view": "Verdict"})
    app.segmented_control(key="grammar-view").set_value("Verdict").run()
    assert_sound(app)
    assert "No run of this project has semantic groups yet" in shown(app)


def test_the_test_file_is_what_collect_reads(open_page: OpenPage) -> None:
    open_page("grammar", "no run")
    filled = filled_plan(company_file(24, 7), plan_yaml(GrammarPlan((SALARY,), {"short": (), "long": ()})), 2, 1, 7)
    rows = [json.loads(line) for line in filled.test_file().decode().splitlines()]
    cases = cases_in(filled.test_file(), name="grammar.jsonl")
    assert [case.id for case in cases] == [row["id"] for row in rows]
    assert {case.group for case in cases} == {row["group"] for row in rows}
    assert filled.document_archive() == filled.document_archive()
