"""Instructions for annotators: the criterion's guideline and its examples, one key away, and the forms to write
them."""

from __future__ import annotations

import re

import streamlit as st

from hcat.core.errors import HcatError
from hcat.core.records.project import ProjectInfo
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.labelling.actions import has_read, read_guideline
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.loaders.workspace import workspace

GUIDELINE_BUTTON = "guideline"
"""The key of the button that opens the guideline."""
EDITOR = 260
"""The height of the editor, in pixels: about a dozen lines."""


def guideline_popover(project: ProjectInfo, criterion: Criterion) -> None:
    """Guideline and examples behind one button, which is highlighted until it was opened; with an editor."""
    title = f"Guideline, version {criterion.guideline_version}" if criterion.guideline else "Write a guideline"
    unread = bool(criterion.guideline) and not has_read(criterion)
    with st.popover(
        title,
        icon=":material/menu_book:",
        type="primary" if unread else "secondary",
        help="G opens it.",
        key=GUIDELINE_BUTTON,
        on_change="rerun",
    ) as popover:
        if not popover.open:
            return
        show_guideline(project, criterion)
        with st.expander("Edit", expanded=not criterion.guideline, icon=":material/edit:"):
            guideline_form(project, criterion)


def show_guideline(project: ProjectInfo, criterion: Criterion) -> None:
    """Guideline and examples; from now on labels record that they were seen."""
    read_guideline(criterion)
    st.markdown(guideline_markdown(criterion.guideline))
    for example in workspace().criteria.examples(project, criterion.name):
        comment = f" {plain(example.comment)}" if example.comment else ""
        st.markdown(f"**{plain(criterion.levels[example.level])}:** “{plain(example.text)}”{comment}")


def guideline_form(project: ProjectInfo, criterion: Criterion) -> None:
    """The editor of the guideline; what is saved is a new version."""
    with st.form(f"guideline-{criterion.name}", border=False):
        text = st.text_area(
            f"Guideline, version {criterion.guideline_version}",
            criterion.guideline,
            height=EDITOR,
            help="Markdown; line breaks are kept. A change creates a new version; each label records the version "
            "that was in force.",
        )
        if not st.form_submit_button("Save guideline"):
            return
    try:
        read_guideline(workspace().criteria.edit_guideline(project, criterion, text))
    except HcatError as error:
        st.error(sentence(error))
        return
    st.rerun()


def guideline_markdown(text: str) -> str:
    """The guideline's Markdown with its line breaks, with small headings, and without images: nothing is ever loaded
    from elsewhere."""
    headings = re.sub(r"(?m)^#{1,6} ", "##### ", text).replace("![", "\\![")
    return re.sub(r"(?<=\S)[ \t]*\n(?=[^\n])", "  \n", headings) or "_This criterion has no guideline yet._"
