"""What colours the map of samples is in the address, by the name of a metric or by its title."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from hcat.dashboard.components.pickers import metric_title
from tests.pages.test_pages import assert_sound

OpenPage = Callable[..., AppTest]


@pytest.mark.parametrize("asked", ["token_f1", metric_title("token_f1")])
def test_an_address_that_names_a_metric_colours_by_it(open_page: OpenPage, asked: str) -> None:
    app = open_page("topics", "calibrated", colour=asked)
    assert_sound(app)
    assert app.selectbox(key="colour").value == "token_f1"
    assert app.selectbox(key="colour").set_value("label").run().selectbox(key="colour").value == "label"


def test_an_address_that_names_no_metric_of_the_run_colours_by_topic(open_page: OpenPage) -> None:
    app = open_page("topics", "calibrated", colour="no_such_metric")
    assert_sound(app)
    assert app.selectbox(key="colour").value == "topic"
