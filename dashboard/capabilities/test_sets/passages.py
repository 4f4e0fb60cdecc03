"""Passages next to a test case, with the answer marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import streamlit as st

from hcat.core.capabilities.test_sets.answer_spans import answer_spans
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.test_case import TestCase
from hcat.core.text import Span
from hcat.dashboard.components.markdown import plain


def show_passage(passage: CorpusPassage, case: TestCase | None) -> None:
    """The passage under its headings; where a case is given, with the parts marked that hold its answer."""
    spans = () if case is None else answer_spans(case, passage)
    with st.container(border=True):
        path = " › ".join(plain(title) for title in passage.heading)
        page = "" if passage.page is None else f", page {passage.page}"
        st.caption(f"{plain(passage.document)}{page}" + (f" · {path}" if path else ""))
        for line in _marked_lines(passage.text, spans):
            st.markdown(line)


def _marked_lines(text: str, spans: Sequence[Span]) -> Iterator[str]:
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        inside = [(max(a, start) - start, min(b, end) - start) for a, b in spans if a < end and b > start]
        if line.strip():
            yield _marked(line, inside)
        start += len(line) + 1


def _marked(line: str, spans: Sequence[Span]) -> str:
    written, place = "", 0
    for start, end in spans:
        if start < place:
            continue
        written += f"{_spaced(line[place:start])}:green-background[**{plain(line[start:end])}**]"
        place = end
    return (written + _spaced(line[place:])).strip()


def _spaced(text: str) -> str:
    """The text made safe, with the blanks at its ends, which `plain` would drop."""
    if not text.strip():
        return " " if text else ""
    return f"{' ' if text[0].isspace() else ''}{plain(text)}{' ' if text[-1].isspace() else ''}"
