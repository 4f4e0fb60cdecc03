"""Users' text in Markdown elements stays text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from dashboard.components.markdown import plain

MARKDOWN = MarkdownIt("gfm-like", {"linkify": False})


def inline_kinds(text: str) -> set[str]:
    return {child.type for token in MARKDOWN.parse(text) for child in token.children or []}


@pytest.mark.parametrize(
    "text",
    [
        "![x](http://evil/x.png)",
        "[a](http://evil)",
        "<img src=x>",
        "**b** _i_ `c`",
        "# h",
        "1. item",
        "~~s~~",
        "| a | b |",
    ],
)
def test_markup_is_shown_as_it_is(text: str) -> None:
    (paragraph,) = [token for token in MARKDOWN.parse(plain(text)) if token.type == "inline"]
    assert "".join(child.content for child in paragraph.children or []) == text
    assert inline_kinds(plain(text)) <= {"text", "text_special"}


@given(st.text(max_size=60))
def test_no_text_makes_markup(text: str) -> None:
    assert inline_kinds(plain(text)) <= {"text", "text_special", "softbreak"}
