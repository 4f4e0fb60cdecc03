"""A stored corpus: its documents, the passages of one of them, its problems and versions."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from hcat.core.capabilities.corpus.wording import CONTEXTS_NOTE, cutting_text
from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.records.corpus import CorpusInfo
from hcat.core.records.documents import DocumentSummary
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.project import ProjectInfo
from hcat.dashboard.capabilities.corpus.tables import changes_table, documents_table, problems_table
from hcat.dashboard.capabilities.runs.housekeeping import corpus_menu
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.loaders.corpora import corpus_changes, corpus_documents, corpus_passages
from hcat.dashboard.loaders.workspace import workspace

SHOWN_PASSAGES = 20


def choose_corpus(project: ProjectInfo) -> CorpusInfo | None:
    """The corpus that the page is on; None before the first import."""
    corpora = {corpus.name: corpus for corpus in workspace().corpora.all(project)}
    if not corpora:
        st.info(
            "There is no corpus yet. Upload the documents that the system answers from: tests are made from their "
            "passages. Without them, take the passages of its index, or the contexts of a run."
        )
        return None
    if (created := st.session_state.pop("next-corpus", None)) in corpora:
        st.session_state["corpus"] = created
    if st.session_state.get("corpus") not in corpora:  # renamed, archived or of another project
        st.session_state.pop("corpus", None)
    if len(corpora) == 1:
        return next(iter(corpora.values()))
    return corpora[st.selectbox("Corpus", list(corpora), key="corpus")]


def stored_corpus(project: ProjectInfo, corpus: CorpusInfo) -> None:
    """All that is stored of the corpus."""
    try:
        documents = corpus_documents(corpus)
        passages = corpus_passages(corpus)
    except HcatError as error:
        st.error(sentence(error))
        return
    st.subheader(plain(corpus.name))
    with st.container(horizontal=True):
        st.metric("Documents", f"{len(documents):,}")
        st.metric("Passages", f"{corpus.n_passages:,}")
        st.metric("Words", f"{sum(document.words for document in documents):,}")
        st.metric("Version", f"{corpus.version}", help=f"Content hash {corpus.content_hash[:12]}")
    st.caption(
        f"{plain(cutting_text(corpus.settings))} From {plain(corpus.source)}, {corpus.created_at:%Y-%m-%d %H:%M} UTC."
    )
    if corpus.settings.get("from") == "contexts of a run":
        st.warning(CONTEXTS_NOTE)
    problems_table(workspace().corpora.problems(corpus), key=f"problems-{corpus.id}")
    with st.container(horizontal=True):
        link_to("test_sets", "Make a test set of it")
        link_to("coverage", "See what is tested")
    st.markdown("**Documents.** Select a row to read its passages.")
    chosen = documents_table(documents, key=f"documents-{corpus.id}", choose=True)
    if chosen is not None:
        _passages(next(document for document in documents if document.id == chosen), passages.get(chosen, []))
    _versions(project, corpus)
    corpus_menu(project, corpus)


def _passages(document: DocumentSummary, passages: Sequence[CorpusPassage]) -> None:
    """The passages of a document, twenty at a time."""
    st.markdown(f"**{counted(len(passages), 'passage')} of {plain(document.id)}**")
    first = 0
    if len(passages) > SHOWN_PASSAGES:
        number = st.number_input(
            "From passage", 1, len(passages), 1, step=SHOWN_PASSAGES, key=f"from-{document.content_hash}"
        )
        first = int(number) - 1
    for position, passage in enumerate(passages[first : first + SHOWN_PASSAGES], start=first + 1):
        with st.container(border=True):
            st.caption(_place(position, passage))
            for line in passage.text.split("\n"):
                if line.strip():
                    st.markdown(plain(line))


def _place(position: int, passage: CorpusPassage) -> str:
    path = " › ".join(plain(title) for title in passage.heading) or "no heading"
    page = "" if passage.page is None else f" · page {passage.page}"
    header = " · the first line is the table's header" if passage.header else ""
    offsets = f"characters {passage.start:,} to {passage.end:,}"
    return f"{position} · {path}{page} · {offsets}{header} · `{passage.id.replace('`', ' ')}`"


def _versions(project: ProjectInfo, corpus: CorpusInfo) -> None:
    versions = workspace().corpora.versions(project, corpus.name)
    if len(versions) < 2:
        return
    with st.expander(f"{len(versions)} versions", icon=":material/history:"):
        rows = pd.DataFrame(
            [
                (each.version, each.created_at, each.actor, each.source, each.n_documents, each.n_passages)
                for each in versions
            ],
            columns=["Version", "Imported", "By", "From", "Documents", "Passages"],
        )
        data_table(
            rows,
            hide_index=True,
            key=f"versions-{corpus.id}",
            column_config={"Imported": st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm")},
            alt="The versions of the corpus",
        )
        numbers = [each.version for each in versions[1:]]
        before = st.selectbox("Changes since version", numbers, key=f"since-{corpus.id}")
        earlier = next(each for each in versions if each.version == before)
        changes_table(corpus_changes(earlier, versions[0]), key=f"changes-{corpus.id}-{before}")
