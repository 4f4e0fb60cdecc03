"""Test cases that can be asked of a system."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.collect.test_set import test_cases_in
from hcat.core.capabilities.demo.bank import FOLDER, read_test_cases
from hcat.core.records.hashing import sha256_of_bytes, sha256_of_files
from hcat.core.records.test_case import as_sample
from hcat.core.records.test_set import TestSetInfo
from hcat.core.types import Sample
from hcat.dashboard.loaders.uploads import Upload
from hcat.dashboard.loaders.workspace import workspace


@st.cache_resource(max_entries=1, show_spinner=False)
def demo_test_cases() -> tuple[tuple[Sample, ...], str]:
    """The demo's test cases, and the hash of their file."""
    path = FOLDER / "tests.jsonl"
    return read_test_cases(path), sha256_of_files([path])


def uploaded_test_cases(uploaded: Upload) -> tuple[tuple[Sample, ...], str]:
    """The test cases in an uploaded file, and its hash. Raises HcatError where it can't be read."""
    return _uploaded_test_cases(uploaded.file_id, uploaded)


@st.cache_resource(max_entries=4, scope="session", show_spinner="Reading the test cases …")
def _uploaded_test_cases(file_id: str, _uploaded: Upload) -> tuple[tuple[Sample, ...], str]:
    content = _uploaded.getvalue()
    return test_cases_in(content, name=_uploaded.name), sha256_of_bytes([content])


def test_set_cases(test_set: TestSetInfo) -> tuple[Sample, ...]:
    """The cases of a version of a test set, as samples that nobody has answered yet."""
    return _test_set_cases(test_set.artifact, test_set)


@st.cache_resource(max_entries=8, show_spinner="Reading the test set …")
def _test_set_cases(artifact: str, _test_set: TestSetInfo) -> tuple[Sample, ...]:
    return tuple(as_sample(case) for case in workspace().test_sets.cases(_test_set))
