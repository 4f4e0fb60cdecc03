"""Choice of a test set, and of the corpus with which it is compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from hcat.core.capabilities.coverage.coverage import Coverage, attest
from hcat.core.capabilities.test_sets.case_file import read_cases
from hcat.core.errors import HcatError
from hcat.core.records.corpus import CorpusInfo
from hcat.core.records.project import ProjectInfo
from hcat.core.records.test_case import TestCase
from hcat.core.types import JsonValue
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import sentence
from hcat.dashboard.loaders.corpora import corpus_passages, corpus_topics
from hcat.dashboard.loaders.workspace import workspace

FILE = "A file of test cases"


@dataclass(frozen=True, slots=True)
class ChosenTests:
    """Test cases under their name, with the account of how they were made, where there is one."""

    name: str
    cases: tuple[TestCase, ...]
    account: Mapping[str, JsonValue]


def pick_tests(project: ProjectInfo) -> ChosenTests | None:
    """A stored test set or an uploaded file; None as long as there is neither."""
    stored = {
        f"{version.name}, version {version.version}": version
        for newest in workspace().test_sets.all(project)
        for version in workspace().test_sets.versions(project, newest.name)
    }
    chosen = st.selectbox("Test set", [*stored, FILE], key="covering-tests")
    if chosen in stored:
        test_set = stored[chosen]
        return ChosenTests(chosen, workspace().test_sets.cases(test_set), test_set.account)
    uploaded = st.file_uploader("Test cases (JSON Lines, as `hcat generate` writes them)", type=["jsonl"])
    if uploaded is None:
        st.info("Choose or upload the test cases whose coverage of this corpus is to be attested.")
        link_to("test_sets", "Make a test set of the corpus", icon=":material/quiz:")
        return None
    try:
        return ChosenTests(uploaded.name, read_cases(uploaded.getvalue(), filename=uploaded.name), {})
    except HcatError as error:
        st.error(sentence(error))
        return None


def pick_version(project: ProjectInfo, corpus: CorpusInfo) -> CorpusInfo:
    """A version of the corpus; the newest where there is no other."""
    versions = {version.version: version for version in workspace().corpora.versions(project, corpus.name)}
    if len(versions) == 1:
        return corpus
    return versions[st.selectbox("Version of the corpus", list(versions), key=f"covered-version-{corpus.corpus_id}")]


def attested(corpus: CorpusInfo, tests: ChosenTests) -> Coverage:
    """The coverage of the corpus by the tests, by topics if these were found."""
    passages = [passage for each in corpus_passages(corpus).values() for passage in each]
    topics = corpus_topics(corpus)
    return attest(tests.cases, passages, topics=None if topics is None else topics.levels, account=tests.account)
