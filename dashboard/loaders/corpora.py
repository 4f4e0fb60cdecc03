"""The corpora of a project: documents, passages and changes, each read once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from hcat.core.capabilities.corpus.corpus_changes import CorpusChanges
from hcat.core.records.corpus import CorpusInfo
from hcat.core.records.documents import DocumentSummary
from hcat.core.records.passages import CorpusPassage
from hcat.core.topics.passage_topics import PassageTopics
from hcat.core.workspace import Workspace
from hcat.dashboard.loaders.workspace import workspace


def corpus_documents(corpus: CorpusInfo) -> tuple[DocumentSummary, ...]:
    """The documents of a corpus as a list shows them."""
    return _documents(corpus.documents_artifact, corpus.artifact, corpus)


@st.cache_resource(max_entries=4, show_spinner="Reading the corpus …")
def _documents(documents: str, passages: str, _corpus: CorpusInfo) -> tuple[DocumentSummary, ...]:
    return workspace().corpora.summaries(_corpus)


def corpus_passages(corpus: CorpusInfo) -> Mapping[str, Sequence[CorpusPassage]]:
    """The passages of a corpus by their documents, in order."""
    return _passages(corpus.artifact, corpus)


@st.cache_resource(max_entries=4, show_spinner="Reading the corpus …")
def _passages(artifact: str, _corpus: CorpusInfo) -> Mapping[str, Sequence[CorpusPassage]]:
    by_document: dict[str, list[CorpusPassage]] = {}
    for passage in workspace().corpora.passages(_corpus):
        by_document.setdefault(passage.document, []).append(passage)
    return by_document


def corpus_changes(before: CorpusInfo, after: CorpusInfo) -> CorpusChanges:
    """The changes from one version to another."""
    keys = (before.documents_artifact, before.artifact, after.documents_artifact, after.artifact)
    return _changes(keys, before, after)


@st.cache_resource(max_entries=8, show_spinner="Comparing the versions …")
def _changes(artifacts: tuple[str, ...], _before: CorpusInfo, _after: CorpusInfo) -> CorpusChanges:
    return workspace().corpora.changes(_before, _after)


def passage_text(corpus: CorpusInfo) -> Callable[[str], str]:
    """Reads the text of a passage by its id, with or without a page. All are read at the first one."""
    acting = workspace()
    return lambda passage: _texts(corpus.artifact, acting, corpus)[passage]


@st.cache_resource(max_entries=2, show_spinner=False)
def _texts(artifact: str, _acting: Workspace, _corpus: CorpusInfo) -> Mapping[str, str]:
    return {passage.id: passage.text for passage in _acting.corpora.passages(_corpus)}


def corpus_topics(corpus: CorpusInfo) -> PassageTopics | None:
    """The topics of the corpus as they are called now; None before they were searched."""
    latest = workspace().corpus_topics.latest(corpus)
    return None if latest is None else _topics(latest.id, latest.last_name, corpus)


@st.cache_resource(max_entries=4, show_spinner="Reading topics …")
def _topics(search: int, last_name: int, _corpus: CorpusInfo) -> PassageTopics | None:
    return workspace().corpus_topics.read(_corpus)
