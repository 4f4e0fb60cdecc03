"""Documents, passages or contexts → what was read of them → stored. Nothing is stored before the user has seen it."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.corpus.corpus_import import (
    CorpusImport,
    corpus_of_contexts,
    corpus_of_documents,
    corpus_of_passages,
)
from hcat.core.capabilities.corpus.wording import CONTEXTS_NOTE, nothing_read_text, read_text
from hcat.core.errors import HcatError
from hcat.core.records.corpus import CorpusInfo
from hcat.core.records.cutting import LONGEST, OVERLAP, SHORTEST, WORDS
from hcat.core.records.hashing import sha256_of_text
from hcat.core.records.passages import passages_in
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.dashboard.capabilities.corpus.reading import documents_read, forget_reading, uploader_key
from hcat.dashboard.capabilities.corpus.tables import changes_table, documents_table, problems_table
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.loaders.runs import samples
from hcat.dashboard.loaders.workspace import workspace

FOLDER, FILES, PASSAGES, CONTEXTS = "A folder", "Files", "Passages", "Contexts of the run"
SHOWN_AMONG = 20


def import_panel(project: ProjectInfo, run: RunInfo | None) -> None:
    """Show the choice of a source, what was read from it, and the button that stores it as a corpus."""
    st.subheader("Import again, or another corpus" if workspace().corpora.all(project) else "Import")
    sources = [FOLDER, FILES, PASSAGES, *([CONTEXTS] if run is not None else [])]
    source = st.segmented_control("From", sources, default=FOLDER, key="corpus-source", required=True)
    try:
        imported = _imported(project, source, run)
    except HcatError as error:
        st.error(sentence(error))
        return
    if imported is None:
        return
    st.markdown(f"**Read:** {plain(read_text(imported))}.")
    if source == CONTEXTS:
        st.warning(CONTEXTS_NOTE)
    problems_table(imported.problems, key="import-problems")
    documents_table(imported.summaries, key="import-documents")
    _longest_passage(imported)
    _store_form(project, imported)


def _imported(project: ProjectInfo, source: str | None, run: RunInfo | None) -> CorpusImport | None:
    """The corpus read from the chosen source and cut into passages; None while there is none."""
    if source == CONTEXTS and run is not None:
        return corpus_of_contexts(samples(run).values(), source=f"run {run.name}")
    if source == PASSAGES:
        return _uploaded_passages()
    reading = documents_read(project, folder=source == FOLDER)
    if reading is None:
        return None
    words, overlap = _cutting()
    if st.button("Discard what was read", icon=":material/delete:", key="discard-reading"):
        forget_reading(project)
        st.rerun()
    if not reading.documents:
        problems_table(reading.problems, key="no-documents", nothing_read=True)
        raise HcatError(nothing_read_text(reading.problems))
    return corpus_of_documents(
        reading.documents, reading.problems, words=words, overlap=overlap, source=reading.request.source
    )


def _uploaded_passages() -> CorpusImport | None:
    sent = st.file_uploader(
        "Passages: JSON Lines, one passage a line with id and text",
        key=uploader_key("passages"),
        help="Such as those in the index of the system under test, or those that `hcat corpus` wrote. They are "
        "taken as they are. Known besides: document, page, heading, start, end.",
    )
    if sent is None:
        return None
    return corpus_of_passages(passages_in(sent.getvalue(), name=sent.name), source=sent.name)


def _cutting() -> tuple[int, int]:
    """The length of passages in words, and the number of words that each shares with the one before."""
    left, right = st.columns(2)
    words = left.number_input(
        "Most words in a passage",
        SHORTEST,
        LONGEST,
        WORDS,
        step=10,
        key="corpus-words",
        help="Take about the length of the passages that the system under test retrieves.",
    )
    overlap = right.number_input(
        "Words shared with the passage before",
        0,
        LONGEST // 2,
        OVERLAP,
        step=5,
        key="corpus-overlap",
        help="Whole sentences, up to so many words; at most half of a passage.",
    )
    return int(words), int(overlap)


def _longest_passage(imported: CorpusImport) -> None:
    """Among the first passages, since a heading's few words show little of how documents are cut."""
    passage = max(imported.passages[:SHOWN_AMONG], key=lambda passage: len(passage.text))
    path = " › ".join(plain(title) for title in passage.heading)
    with st.container(border=True):
        st.caption(f"A passage of {plain(passage.document)}" + (f", under {path}" if path else ""))
        for line in passage.text.split("\n"):
            if line.strip():
                st.markdown(plain(line))


def _store_form(project: ProjectInfo, imported: CorpusImport) -> None:
    """As a new corpus, or as the next version of one, with what would change in it."""
    corpora = {corpus.name: corpus for corpus in workspace().corpora.all(project)}
    target = None
    if corpora:
        names = [*corpora, None]
        shown = st.session_state.get("corpus")
        position = names.index(shown) if shown in corpora else 0
        key = f"corpus-target-{sha256_of_text(' '.join(corpora))[:8]}-{position}"  # another one where the list is
        target = st.selectbox("Store as", names, position, key=key, format_func=_target_title)
    if target is not None:
        _store_version(project, corpora[target], imported)
        return
    with st.form("store-corpus", border=False):
        name = st.text_input("Name of the corpus", "corpus" if not corpora else "", max_chars=200, key="corpus-name")
        if not st.form_submit_button("Store the corpus", type="primary", icon=":material/save:"):
            return
    try:
        _stored(project, workspace().corpora.add(project, name, imported))
    except HcatError as error:
        st.error(f"Nothing was stored: {plain(error)}")


def _target_title(name: str | None) -> str:
    return "A new corpus" if name is None else f"The next version of “{name}”"


def _store_version(project: ProjectInfo, corpus: CorpusInfo, imported: CorpusImport) -> None:
    try:
        changes = workspace().corpora.changes(corpus, imported)
        changes_table(changes, key="import-changes")
        label = f"Store as version {corpus.version + 1}"
        if st.button(label, type="primary", icon=":material/save:", key="store-version"):
            _stored(project, workspace().corpora.add_version(corpus, imported))
    except HcatError as error:
        st.error(f"Nothing was stored: {plain(error)}")


def _stored(project: ProjectInfo, corpus: CorpusInfo) -> None:
    """Show it, with an empty uploader."""
    forget_reading(project)
    st.session_state["next-corpus"] = corpus.name
    st.rerun()
