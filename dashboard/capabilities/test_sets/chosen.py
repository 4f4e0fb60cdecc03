"""The test set and version of the page, and the chosen view of it."""

from __future__ import annotations

import streamlit as st

from hcat.core.errors import HcatError
from hcat.core.records.project import ProjectInfo
from hcat.core.records.test_set import TestSetInfo
from hcat.dashboard.capabilities.test_sets.account import account_panel
from hcat.dashboard.capabilities.test_sets.cases import cases_panel
from hcat.dashboard.capabilities.test_sets.loaders.test_sets import stored_cases
from hcat.dashboard.capabilities.test_sets.next_shown import NEXT, NEXT_VIEW
from hcat.dashboard.capabilities.test_sets.review import review_panel
from hcat.dashboard.capabilities.test_sets.variants import variants_panel
from hcat.dashboard.capabilities.test_sets.versions import versions_panel
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.loaders.workspace import workspace

REVIEW, CASES, COUNTS, VERSIONS, VARIANTS = "Review", "Cases", "Asked and made", "Versions", "Variants"


def choose_test_set(project: ProjectInfo) -> TestSetInfo | None:
    """The pickers; None before the first test set, with the next step explained."""
    test_sets = {test_set.name: test_set for test_set in workspace().test_sets.all(project)}
    if not test_sets:
        _first_steps(project)
        return None
    if (following := st.session_state.pop(NEXT, None)) in test_sets:
        st.session_state["test-set"] = following
        st.session_state.pop("test-set-version", None)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox("Test set", list(test_sets), key="test-set")
        versions = workspace().test_sets.versions(project, name)
        numbers = {version.version: version for version in versions}
        if st.session_state.get("test-set-version") not in numbers:
            st.session_state["test-set-version"] = versions[0].version  # else the browser goes back to the earlier one
        number = st.selectbox(
            "Version", list(numbers), key="test-set-version", format_func=lambda each: _title(numbers[each])
        )
    return numbers[number]


def test_set_views(project: ProjectInfo, test_set: TestSetInfo) -> None:
    """The chosen version: its facts, and one of its views."""
    kind = "frozen" if test_set.frozen else "open for review"
    # Its origin is shown with the versions: reviewers are blind to who wrote the cases.
    origin = f"{plain(test_set.source[:1].upper() + test_set.source[1:])}, " if test_set.frozen else "Made "
    st.caption(
        f"{test_set.n_cases:,} test cases, {kind}. {origin}{test_set.created_at:%Y-%m-%d %H:%M} UTC, by "
        f"{plain(test_set.actor)}. SHA-256 {test_set.content_hash[:12]}."
    )
    views = [*([] if test_set.frozen else [REVIEW]), CASES, COUNTS, VERSIONS, VARIANTS]
    if (following := st.session_state.pop(NEXT_VIEW, None)) in views:
        st.session_state["test-set-view"] = following
    if st.session_state.get("test-set-view") not in views:
        st.session_state["test-set-view"] = views[0]
    view = st.segmented_control("View", views, key="test-set-view", label_visibility="collapsed", required=True)
    try:
        stored_cases(test_set)
    except HcatError as error:
        st.error(sentence(error))
        return
    if view == REVIEW:
        review_panel(project, test_set)
    elif view == CASES:
        cases_panel(test_set)
    elif view == COUNTS:
        account_panel(test_set)
    elif view == VERSIONS:
        versions_panel(project, test_set)
    else:
        variants_panel(project, test_set)


def _first_steps(project: ProjectInfo) -> None:
    if workspace().corpora.all(project):
        st.info("There is no test set yet. Generate one from the corpus below, or upload test cases that you have.")
        return
    with st.container(border=True):
        st.markdown(
            "There is no test set yet. Test cases are generated from a corpus, and this project has none: import the "
            "documents first. Test cases that you have already can be uploaded below."
        )
        link_to("corpus", "Import a corpus", icon=":material/library_books:")


def _title(version: TestSetInfo) -> str:
    return f"{version.version}{', frozen' if version.frozen else ''}"
