"""The test sets of a project: cases, and the passages that they were made from, each read once."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from hcat.core.capabilities.robustness.variants.perturb import PerturbedCorpus, perturbed_corpora
from hcat.core.capabilities.test_sets.case_changes import TestSetChanges
from hcat.core.records.corpus import CorpusInfo
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.project import ProjectInfo
from hcat.core.records.test_case import TestCase
from hcat.core.records.test_set import TestSetInfo
from hcat.dashboard.loaders.corpora import corpus_passages
from hcat.dashboard.loaders.workspace import workspace


def stored_cases(test_set: TestSetInfo) -> tuple[TestCase, ...]:
    """The cases of a version, verified against its hash."""
    return _cases(test_set.artifact, test_set.content_hash, test_set)


@st.cache_resource(max_entries=4, show_spinner="Reading the test cases …")
def _cases(artifact: str, content_hash: str, _test_set: TestSetInfo) -> tuple[TestCase, ...]:
    return workspace().test_sets.cases(_test_set)


def passages_behind(project: ProjectInfo, test_set: TestSetInfo) -> Mapping[str, CorpusPassage]:
    """The passages of the corpus version that the set was made from, by id; none where it is not in the project."""
    corpus = workspace().corpora.behind(project, test_set)
    return {} if corpus is None else _by_id(corpus.artifact, corpus)


@st.cache_resource(max_entries=2, show_spinner="Reading the corpus …")
def _by_id(artifact: str, _corpus: CorpusInfo) -> Mapping[str, CorpusPassage]:
    return {passage.id: passage for some in corpus_passages(_corpus).values() for passage in some}


def changed_corpora(project: ProjectInfo, test_set: TestSetInfo) -> Mapping[str, PerturbedCorpus]:
    """By family and strength the corpus as these variants of the set need it; none where it is not in the project."""
    passages = tuple(passages_behind(project, test_set).values())
    return {copy.name: copy for copy in perturbed_corpora(passages, stored_cases(test_set)) if passages}


def version_changes(before: TestSetInfo, after: TestSetInfo) -> TestSetChanges:
    """The changes from one version to another."""
    return _changes(before.artifact, after.artifact, before, after)


@st.cache_resource(max_entries=8, show_spinner="Comparing the versions …")
def _changes(earlier: str, later: str, _before: TestSetInfo, _after: TestSetInfo) -> TestSetChanges:
    return workspace().test_sets.changes(_before, _after)
