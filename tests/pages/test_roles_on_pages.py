"""What each role meets on the pages; the verbs beneath are held to the same roles in tests/core/project/roles."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from hcat.core.project.roles.access import local_account
from hcat.core.records.people import Identity, Role
from hcat.core.settings import settings
from hcat.core.workspace import Workspace
from hcat.dashboard.navigation import PAGES
from tests.pages.small_project import PROJECT
from tests.pages.test_pages import assert_sound, press, shown

OpenPage = Callable[..., AppTest]
Enter = Callable[..., AppTest]
LEE = Identity("https://login.example", "7", "lee", "lee@bank.example")
CHIEF = Identity("https://login.example", "1", "chief")


def at(app: AppTest, page: str) -> AppTest:
    return app.switch_page(f"../pages/{page}.py").run()


@pytest.fixture
def enter(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> Enter:
    """The app as somebody who signed in, in a store that an administrator called chief has."""

    def entered(page: str, role: Role | None, *, who: Identity = LEE, administrator: bool = True) -> AppTest:
        app = open_page("glossary", "calibrated")
        with Workspace.open(settings(), actor="tests") as workspace:
            if role is not None:
                workspace.people.set_role(PROJECT, workspace.people.register(who), role)
            if administrator:
                chief = workspace.people.register(CHIEF)
                workspace.people.set_administrator(chief, administrator=True)
        monkeypatch.setattr("hcat.dashboard.loaders.workspace.signed_in", lambda: who)
        return at(app, page)

    return entered


def administering() -> Workspace:
    opened = Workspace.open(settings(), actor="chief")
    return opened.acting_for(CHIEF, actor="chief")


def test_who_labels_sees_no_page_with_results(enter: Enter) -> None:
    app = enter("overview", "annotator")
    for entry in PAGES:
        if entry.reads == "results":
            assert_sound(at(app, entry.name))
            text = shown(app)
            assert "so that your labels are independent" in text, entry.name
            assert len(text) < 600, entry.name


def test_who_labels_does_so_under_their_own_name_and_sees_no_score(enter: Enter) -> None:
    app = enter("labelling", "annotator")
    validating = administering()
    run = validating.runs.all(PROJECT)[0]
    text = shown(app)
    assert "This takes the role" in "".join(error.value for error in app.error)
    assert all(word not in text for word in ("Plan a queue", "The team", "Reveal", "pass rate", "AUC", "52.3"))
    validating.queues.plan(run, validating.criteria.get(PROJECT, "correctness"))
    assert_sound(app.run())
    press(app, "pass")
    assert_sound(app)
    assert [label.level for label in validating.labels.current(PROJECT, annotator="lee")] == [1]
    for name in ("Undo", "pass"):
        press(app, name)
        assert_sound(app)
    assert all(word not in shown(app) for word in ("pass rate", "AUC", "Weakest"))


def test_a_viewer_reads_every_page(enter: Enter) -> None:
    app = enter("overview", "viewer")
    for entry in PAGES:
        if entry.name not in ("audit", "labelling"):
            assert_sound(at(app, entry.name))
            assert "so that your labels are independent" not in shown(app), entry.name
    assert "only an administrator of the installation does this\\: ask chief" in at(app, "audit").error[0].value.lower()


def test_a_button_that_a_role_does_not_allow_says_who_may(enter: Enter) -> None:
    app = enter("report", "viewer")
    press(app, "Build the report")
    assert "and yours is viewer\\: ask chief" in "".join(error.value for error in app.error)
    with Workspace.open(settings()) as workspace:
        assert workspace.store.report_table.versions(workspace.store.repository.project(PROJECT).id) == []


def test_who_has_no_role_is_told_whom_to_ask(enter: Enter) -> None:
    app = enter("overview", None)
    assert_sound(app)
    assert "Ask chief to give you one" in shown(app)
    assert "hcat members add lee --project PROJECT" in app.code[0].value
    assert PROJECT not in shown(app)


def test_before_the_first_administrator_the_page_says_how_there_will_be_one(enter: Enter) -> None:
    app = enter("overview", None, administrator=False)
    assert "hcat members add lee --administrator" in app.code[0].value


def test_a_role_that_is_taken_away_ends_with_the_next_action(enter: Enter) -> None:
    app = enter("weaknesses", "validator")
    assert "Click a cell" in shown(app)
    people = administering().people
    people.remove(PROJECT, people.find("lee"))
    assert "No role yet" in app.run().title[0].value
    assert "Click a cell" not in shown(app)


def test_an_administrator_gives_and_takes_roles_on_the_page(enter: Enter) -> None:
    app = enter("members", "viewer")
    assert "Your role in project" in shown(app)
    assert "Give role" not in [button.label for button in app.button]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hcat.dashboard.loaders.workspace.signed_in", lambda: CHIEF)
        app.run()
        next(box for box in app.selectbox if box.label == "Person" and box.key is None).select_index(1)
        next(box for box in app.selectbox if box.label == "Role").set_value("reviewer")
        press(app, "Give role")
        assert_sound(app)
        assert app.success[0].value == "lee is reviewer from now on."
        press(app, "Take away")
        assert app.success[0].value == "lee is no member any more."
        assert administering().people.members(PROJECT) == []
        press(app, "chief is no administrator any more")
        assert "the last administrator" in app.error[0].value


def test_this_machine_alone_needs_no_roles(open_page: OpenPage) -> None:
    app = open_page("members", "calibrated")
    assert_sound(app)
    assert "Roles are not in use" in shown(app)
    assert local_account().name
