"""The page Audit log: the newest changes by filter, the check of the chain, and checkpoints."""

from __future__ import annotations

import sqlite3

from hcat.core.settings import settings
from hcat.core.workspace import Workspace
from tests.pages.small_project import PROJECT
from tests.pages.test_pages import OpenPage, assert_sound, press, shown


def changes(app: object) -> list[str]:
    return list(app.dataframe[0].value["Action"])  # type: ignore[attr-defined]


def test_the_newest_changes_come_first_and_filters_leave_some(open_page: OpenPage) -> None:
    app = open_page("audit", "calibrated")
    table = app.dataframe[0].value
    assert list(table["Row"]) == list(range(len(table), 0, -1))
    assert table["Action"].iloc[-1].startswith("schema") or "schema" in table["Rows changed"].iloc[-1]
    app.selectbox(key="audit-project").select(PROJECT).run()
    assert_sound(app)
    assert set(app.dataframe[0].value["Project"]) == {PROJECT}
    assert 0 < len(app.dataframe[0].value) < len(table)
    action = app.dataframe[0].value["Action"].iloc[0]
    app.selectbox(key="audit-action").select(action).run()
    assert set(changes(app)) == {action}


def test_a_check_against_a_checkpoint_of_this_installation(open_page: OpenPage) -> None:
    app = press(open_page("audit", "calibrated"), "Sign a checkpoint now")
    assert_sound(app)
    assert "Signed by" in shown(app)
    app = press(app, "Check the log")
    assert_sound(app)
    assert "What it is about is as it was left." in shown(app)


def test_what_was_changed_past_hcat_is_named(open_page: OpenPage) -> None:
    app = open_page("audit", "calibrated")
    path = settings().database_url.removeprefix("sqlite:///")
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE project SET name = 'another'")
    connection.close()
    app = press(app, "Check the log")
    (said,) = [each.value for each in app.error]
    assert said.startswith("The log is not whole.")
    assert "project" in said
    with Workspace.open(settings(), actor="test") as workspace:
        assert workspace.audit.state().fault is None, "the chain itself is whole: the row it is about is not"
