"""Documents, passages or contexts → what was read of them → stored. Nothing is stored before the user has seen it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.display.numbers import counted
from core.errors import HcatError
from core.importers.documents import read_files, uploaded_files
from core.records.corpus import CorpusInfo
from core.records.hashing import sha256_of_text
from core.records.project import ProjectInfo, RunInfo
from core.testgen.corpus_import import CorpusImport, corpus_of_contexts, corpus_of_documents, corpus_of_passages
from core.testgen.cutting import LONGEST, OVERLAP, SHORTEST, WORDS
from core.testgen.documents import Document, DocumentProblem
from core.testgen.passages import passages_in
from core.types import Progress
from core.wording.corpus import CONTEXTS_NOTE, nothing_read_text, read_text
from core.wording.progress import stage_text
from dashboard.components.markdown import plain, sentence
from dashboard.loaders.runs import samples
from dashboard.loaders.uploads import Upload
from dashboard.loaders.workspace import workspace
from dashboard.panels.corpus.tables import changes_table, documents_table, problems_table

FOLDER, FILES, PASSAGES, CONTEXTS = "A folder", "Files", "Passages", "Contexts of the run"
FORMATS = "Markdown, text, HTML, PDF, Word (.docx), CSV, JSON Lines, or a zip archive of these"
SHOWN_AMONG = 20
_READ = "corpus-read"


def import_panel(project: ProjectInfo, run: RunInfo | None) -> None:
    """What a corpus is imported from, what was read of it, and the button that stores it."""
    st.subheader("Import again, or another corpus" if workspace().corpora.all(project) else "Import")
    sources = [FOLDER, FILES, PASSAGES, *([CONTEXTS] if run is not None else [])]
    source = st.segmented_control("From", sources, default=FOLDER, key="corpus-source", required=True)
    try:
        imported = _imported(source, run)
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


def _imported(source: str | None, run: RunInfo | None) -> CorpusImport | None:
    """What is chosen, read and cut; None while nothing is."""
    if source == CONTEXTS and run is not None:
        return corpus_of_contexts(samples(run).values(), source=f"run {run.name}")
    key = f"corpus-upload-{source}-{st.session_state.get('corpus-uploads', 0)}"
    if source == PASSAGES:
        sent = st.file_uploader(
            "Passages: JSON Lines, one passage a line with id and text",
            key=key,
            help="Such as those in the index of the system under test, or those that `hcat corpus` wrote. They are "
            "taken as they are. Known besides: document, page, heading, start, end.",
        )
        if sent is None:
            return None
        return corpus_of_passages(passages_in(sent.getvalue(), name=sent.name), source=sent.name)
    uploads = st.file_uploader(
        "Folder with documents" if source == FOLDER else "Documents",
        accept_multiple_files="directory" if source == FOLDER else True,
        key=key,
        help=f"{FORMATS}. Each file is read in a process of its own with limits on memory and time.",
    )
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
    if not uploads:
        return None
    documents, problems = _read(uploads)
    if not documents:
        problems_table(problems, key="no-documents", nothing_read=True)
        raise HcatError(nothing_read_text(problems))
    return corpus_of_documents(documents, problems, words=int(words), overlap=int(overlap), source=_source(uploads))


def _source(uploads: Sequence[Upload]) -> str:
    """The file, or the folder that all stand in, or how many files there are."""
    folders = {upload.name.partition("/")[0] for upload in uploads if "/" in upload.name}
    if len(uploads) == 1:
        return uploads[0].name
    return folders.pop() if len(folders) == 1 else counted(len(uploads), "file")


def _read(uploads: Sequence[Upload]) -> tuple[tuple[Document, ...], tuple[DocumentProblem, ...]]:
    """What the files hold, read once for each choice of files."""
    chosen = tuple(upload.file_id for upload in uploads)
    earlier = st.session_state.get(_READ)
    if earlier is None or earlier[0] != chosen:
        bar = st.progress(0.0, "Reading documents")

        def show(progress: Progress) -> None:
            text = f"{stage_text(progress.stage)}: {progress.done:,} of {progress.total:,} files"
            bar.progress(progress.done / max(progress.total, 1), text)

        files = uploaded_files((upload.name, upload.getvalue()) for upload in uploads)
        earlier = (chosen, read_files(files, on_progress=show))
        st.session_state[_READ] = earlier
        bar.empty()
    return earlier[1]


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
        _store_version(corpora[target], imported)
        return
    with st.form("store-corpus", border=False):
        name = st.text_input("Name of the corpus", "corpus" if not corpora else "", max_chars=200, key="corpus-name")
        if not st.form_submit_button("Store the corpus", type="primary", icon=":material/save:"):
            return
    try:
        _stored(workspace().corpora.add(project, name, imported))
    except HcatError as error:
        st.error(f"Nothing was stored: {plain(error)}")


def _target_title(name: str | None) -> str:
    return "A new corpus" if name is None else f"The next version of “{name}”"


def _store_version(corpus: CorpusInfo, imported: CorpusImport) -> None:
    try:
        changes = workspace().corpora.changes(corpus, imported)
        changes_table(changes, key="import-changes")
        label = f"Store as version {corpus.version + 1}"
        if st.button(label, type="primary", icon=":material/save:", key="store-version"):
            _stored(workspace().corpora.add_version(corpus, imported))
    except HcatError as error:
        st.error(f"Nothing was stored: {plain(error)}")


def _stored(corpus: CorpusInfo) -> None:
    """Show it, with an empty uploader."""
    st.session_state["corpus-uploads"] = st.session_state.get("corpus-uploads", 0) + 1
    st.session_state.pop(_READ, None)
    st.session_state["next-corpus"] = corpus.name
    st.rerun()
