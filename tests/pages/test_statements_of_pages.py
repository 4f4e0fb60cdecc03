"""How often a view of a page asks the database, and that nothing it was told outlives the view or a change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine
from streamlit.testing.v1 import AppTest

from hcat.core.errors import NotAllowedError
from hcat.core.types import Criterion
from hcat.core.workspace import Workspace
from hcat.dashboard.loaders.view import once_a_view
from tests.pages.conftest import settings_of
from tests.pages.small_project import PROJECT
from tests.pages.test_pages import assert_sound, press
from tests.pages.test_roles_on_pages import CHIEF, LEE, administering, enter

OpenPage = Callable[..., AppTest]
__all__ = ["enter"]
MOST = {"overview": 27, "weaknesses": 19, "samples": 30, "labelling": 12}
"""Measured: 25, 17, 28 and 10; before answers were kept for a view 289, 282, 158 and 51."""
ASKED: list[int] = []


@contextmanager
def statements() -> Iterator[list[str]]:
    """What is asked of the database meanwhile, but for the beginning of transactions."""
    seen: list[str] = []

    def note(connection: object, cursor: object, statement: str, *_: object) -> None:
        if not statement.startswith("BEGIN"):
            seen.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(Engine, "before_cursor_execute", note)


@pytest.mark.parametrize("page", MOST)
def test_a_view_asks_for_roles_once_and_for_little_else(open_page: OpenPage, page: str) -> None:
    app = open_page(page, "calibrated").run()
    with statements() as seen:
        assert_sound(app.run())
    of_roles = [statement for statement in seen if "FROM person" in statement]
    assert len(of_roles) == 2  # who that is, and whether anybody is an administrator
    assert len(seen) <= MOST[page], "\n".join(seen)


def test_a_label_on_the_page_is_refused_once_the_role_is_taken_away(enter: Callable[..., AppTest]) -> None:
    app = enter("labelling", "annotator")
    validating = administering()
    run = validating.runs.all(PROJECT)[0]
    validating.queues.plan(run, validating.criteria.get(PROJECT, "correctness"))
    assert_sound(app.run())
    people = administering().people
    people.remove(PROJECT, people.find("lee"))
    press(app, "pass")
    assert "No role yet" in app.title[0].value or "no member" in "".join(error.value for error in app.error)
    assert validating.labels.current(PROJECT, annotator="lee") == []


def test_a_change_asks_the_database_though_the_view_was_told_before(tmp_path: Path) -> None:
    with Workspace.open(settings_of(tmp_path), actor="tests") as workspace:
        workspace.projects.create(PROJECT)
        people = workspace.people
        people.set_administrator(people.register(CHIEF), administrator=True)
        chiefs = workspace.acting_for(CHIEF, actor="chief")
        lee = people.register(LEE)
        chiefs.people.set_role(PROJECT, lee, "administrator")
        told = workspace.store.people.authorization(LEE)
        lees = workspace.acting_for(LEE, actor="lee").authorized_by(lambda _: told)
        lees.criteria.add(PROJECT, Criterion("before"))
        chiefs.people.remove(PROJECT, lee)
        assert [each.name for each in lees.criteria.all(PROJECT)] == ["before"]  # what the view was told
        with pytest.raises(NotAllowedError, match="no member"):
            lees.criteria.add(PROJECT, Criterion("after"))
        with pytest.raises(NotAllowedError, match="no member"):
            workspace.acting_for(LEE, actor="lee").criteria.all(PROJECT)


def test_an_answer_holds_for_one_view_and_until_a_change() -> None:
    ASKED.clear()
    app = AppTest.from_function(_script).run()
    assert not app.exception
    assert ASKED == [1, 2, 1]  # 1 and 2 once each, and 1 again after a change
    app.run()
    assert ASKED == [1, 2, 1] * 2
    assert count(7) == count(7) == 7  # outside of a view each call asks
    assert ASKED[-2:] == [7, 7]


@once_a_view
def count(number: int) -> int:
    ASKED.append(number)
    return number


def _script() -> None:
    from hcat.dashboard.loaders.view import forget_answers
    from tests.pages import test_statements_of_pages as own

    assert [own.count(number) for number in (1, 2, 1, 2, 1)] == [1, 2, 1, 2, 1]
    forget_answers()
    own.count(1)
