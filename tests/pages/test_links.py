"""An address that names what is not there: the app says so, instead of showing something else in silence."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from hcat.core.settings import ROOT
from tests.pages.small_project import PROJECT, RUN

OpenPage = Callable[..., AppTest]


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ({"project": "Nope"}, f"There is no project “Nope” here. “{PROJECT}” is shown."),
        ({"project": PROJECT, "run": "nope"}, f"There is no run “nope” here. “{RUN}” is shown."),
        ({"project": "<b>Nope"}, "There is no project “<b>Nope” here."),
        ({"project": PROJECT, "run": RUN}, None),
        ({}, None),
    ],
)
def test_a_link_to_what_is_not_there_says_so_once(open_page: OpenPage, link: dict[str, str], said: str | None) -> None:
    open_page("overview", "calibrated")  # its store is the one that the app below opens
    app = AppTest.from_file(str(ROOT / "dashboard" / "app.py"), default_timeout=120)
    app.query_params.update(link)
    app.run()
    shown = [warning.value.replace("\\", "") for warning in app.sidebar.warning]
    assert [text.startswith(said or "") for text in shown] == ([True] if said else [])
    app.run()
    assert not app.sidebar.warning
