"""The Glossary page: all entries, the one that a link asks for, and those that a search matches."""

from __future__ import annotations

from tests.pages.test_pages import OpenPage, assert_sound, shown


def test_a_link_puts_its_entry_first(open_page: OpenPage) -> None:
    app = open_page("glossary", "empty", term="q-hat")
    assert_sound(app)
    entries = [element.value for element in app.markdown]
    assert entries[0].startswith("**q̂**: The threshold of the prediction sets")
    assert len(entries) > 6  # and all the others below


def test_a_link_to_no_entry_says_so(open_page: OpenPage) -> None:
    app = open_page("glossary", "empty", term="none-such")
    assert [warning.value for warning in app.warning] == ["The glossary has no entry “none\\-such”. Search below."]


def test_a_search_shows_the_entries_that_have_the_text(open_page: OpenPage) -> None:
    app = open_page("glossary", "empty")
    app.text_input(key="glossary-search").input("hedges").run()
    assert_sound(app)
    text = shown(app)
    assert "Hedges" in text and "1 term with “hedges”" in text and "Krippendorff" not in text
    app.text_input(key="glossary-search").input("no such word").run()
    assert "0 terms with" in shown(app)
