"""Which test cases are asked: a test set of the project, the demo's, or an uploaded file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from core.display.numbers import counted
from core.errors import HcatError
from core.records.project import ProjectInfo
from core.types import Sample
from dashboard.components.markdown import sentence
from dashboard.loaders.test_cases import demo_test_cases, uploaded_test_cases

SHOWN = 100


@dataclass(frozen=True, slots=True)
class ChosenTests:
    """Test cases with where they come from, in words, and the hash of their set."""

    cases: tuple[Sample, ...]
    source: str
    hash: str


def choose_test_cases(project: ProjectInfo) -> ChosenTests | None:
    """The picker, and the first of the chosen cases. None until something is chosen."""
    st.subheader("Test cases")
    titles = list(SOURCES)
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
        st.dataframe(frame, hide_index=True, height=240, key="collect-cases", alt="The first test cases")
        if len(tests.cases) > SHOWN:
            st.caption(f"The first {SHOWN} are shown.")
    return tests


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


SOURCES: Mapping[str, Callable[[ProjectInfo], ChosenTests | None]] = {
    "Test cases of the demo": _from_demo,
    "Upload a test file": _from_upload,
}
