"""What topics are of is in the address, by a short name or by its title."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from hcat.dashboard.capabilities.topics.topic_map import SOURCE_TITLES
from tests.pages.test_pages import assert_sound

OpenPage = Callable[..., AppTest]


@pytest.mark.parametrize("source", list(SOURCE_TITLES))
@pytest.mark.parametrize("as_title", [False, True])
def test_an_address_names_what_topics_are_of(open_page: OpenPage, source: str, as_title: bool) -> None:
    app = open_page("topics", "calibrated", source=SOURCE_TITLES[source] if as_title else source)
    assert_sound(app)
    assert app.get("button_group")[0].value == source


def test_an_address_that_names_nothing_shows_the_topics_of_queries(open_page: OpenPage) -> None:
    app = open_page("topics", "calibrated", source="no such texts")
    assert_sound(app)
    assert app.get("button_group")[0].value == "query"
