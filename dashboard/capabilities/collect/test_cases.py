"""Which test cases are asked: a test set of the project, the demo's, or an uploaded file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.records.project import ProjectInfo
from hcat.core.types import Sample
from hcat.dashboard.capabilities.test_sets.loaders.test_cases import (
    demo_test_cases,
    test_set_cases,
    uploaded_test_cases,
)
from hcat.dashboard.components.markdown import sentence
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.loaders.workspace import workspace

SHOWN = 100


@dataclass(frozen=True, slots=True)
class ChosenTests:
    """Test cases with their origin in words, and the hash of their set."""

    cases: tuple[Sample, ...]
    source: str
    hash: str


def choose_test_cases(project: ProjectInfo) -> ChosenTests | None:
    """The picker, and the first of the chosen cases. None until something is chosen."""
    st.subheader("Test cases")
    titles = [title for title in SOURCES if title != STORED or workspace().test_sets.all(project)]
    chosen = st.segmented_control(
        "Test cases from", titles, default=titles[0], required=True, key="collect-tests", label_visibility="collapsed"
    )
    try:
        tests = SOURCES[chosen](project)
    except HcatError as error:
        st.error(sentence(error))
        return None
    if tests is None:
        return None
    types = pd.Series([case.dimensions.get("query_type", "no type") for case in tests.cases]).value_counts()
    st.caption(
        f"{counted(len(tests.cases), 'test case')} ({', '.join(f'{n} {name}' for name, n in types.items())}), "
        f"SHA-256 {tests.hash[:12]}."
    )
    with st.expander("Look at the test cases"):
        rows = [(case.id, case.query, case.reference or "") for case in tests.cases[:SHOWN]]
        frame = pd.DataFrame(rows, columns=["Id", "Query", "Reference"])
        data_table(frame, hide_index=True, height=240, key="collect-cases", alt="The first test cases")
        if len(tests.cases) > SHOWN:
            st.caption(f"The first {SHOWN} are shown.")
    return tests


def _from_test_sets(project: ProjectInfo) -> ChosenTests:
    newest = {test_set.name: test_set for test_set in workspace().test_sets.all(project)}
    left, right = st.columns([3, 1])
    name = left.selectbox("Test set", list(newest), key="collect-test-set")
    versions = {version.version: version for version in workspace().test_sets.versions(project, name)}
    first = next((place for place, version in enumerate(versions.values()) if version.frozen), 0)
    number = right.selectbox(
        "Version",
        list(versions),
        index=first,
        format_func=lambda version: f"{version}, frozen" if versions[version].frozen else str(version),
        key=f"collect-version-{name}",
    )
    version = versions[number]
    if not version.frozen:
        st.caption("This version is not frozen: freeze it on the page Test sets, so that others can ask just the same.")
    return ChosenTests(test_set_cases(version), f"test set {name}, version {number}", version.content_hash)


def _from_demo(project: ProjectInfo) -> ChosenTests:  # noqa: ARG001
    cases, digest = demo_test_cases()
    return ChosenTests(cases, "the demo's test cases", digest)


def _from_upload(project: ProjectInfo) -> ChosenTests | None:
    sent = st.file_uploader(
        "Test file: JSON Lines with id and query, as `hcat generate` and `hcat grammar` write them",
        type=["jsonl", "json"],
        key=f"collect-upload-{project.id}",
    )
    if sent is None:
        return None
    cases, digest = uploaded_test_cases(sent)
    return ChosenTests(cases, sent.name, digest)


STORED = "A test set of the project"
SOURCES: Mapping[str, Callable[[ProjectInfo], ChosenTests | None]] = {
    STORED: _from_test_sets,
    "Test cases of the demo": _from_demo,
    "Upload a test file": _from_upload,
}
