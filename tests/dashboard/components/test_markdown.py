"""Users' text in Markdown elements stays text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from hcat.dashboard.components.markdown import plain

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
    shown = "".join(child.content for child in paragraph.children or [])
    assert shown.replace("\N{WORD JOINER}", "") == text
    assert inline_kinds(plain(text)) <= {"text", "text_special"}


@pytest.mark.parametrize(
    "text", ["see http://evil", "HTTPS://evil", "www.evil.example", "ftp://evil", "ask me@evil.example"]
)
def test_an_address_is_no_link(text: str) -> None:
    """Readers of GitHub's Markdown link what these patterns match, after escapes are gone (GFM 0.29, 6.9)."""
    unescaped = plain(text).replace("\\", "")
    assert not re.search(r"(?i)(https?|ftp)://|www\.|[-.\w+]+@[-\w]+\.", unescaped)


@given(st.text(max_size=60))
def test_no_text_makes_markup(text: str) -> None:
    assert inline_kinds(plain(text)) <= {"text", "text_special", "softbreak"}
