"""What an annotator goes by: the criterion's guideline and its examples, in view above the card."""

from __future__ import annotations

import re

import streamlit as st

from core.records.project import ProjectInfo
from core.types import Criterion
from dashboard.components.markdown import plain
from dashboard.loaders import workspace

LONG = 400
"""Characters beyond which the guideline scrolls in a box of its own, so that the sample stays in view."""


def guideline_panel(project: ProjectInfo, criterion: Criterion) -> None:
    """Guideline and examples, open at first."""
    examples = workspace().criteria.examples(project, criterion.name)
    counted = f", {len(examples)} example{'s' if len(examples) > 1 else ''}" if examples else ""
    length = len(criterion.guideline) + sum(len(example.text) + len(example.comment) for example in examples)
    title = f"Guideline, version {criterion.guideline_version}{counted}"
    with (
        st.expander(title, expanded=True, icon=":material/menu_book:"),
        st.container(height=130 if length > LONG else "content", border=False),
    ):
        st.markdown(guideline_markdown(criterion.guideline))
        for example in examples:
            comment = f" {plain(example.comment)}" if example.comment else ""
            st.markdown(f"**{plain(criterion.levels[example.level])}:** “{plain(example.text)}”{comment}")


def guideline_markdown(text: str) -> str:
    """The guideline's Markdown with small headings, and without images: nothing is ever loaded from elsewhere."""
    return re.sub(r"(?m)^#{1,6} ", "##### ", text).replace("![", "\\![") or "_This criterion has no guideline yet._"
