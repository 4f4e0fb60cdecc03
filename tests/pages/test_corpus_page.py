"""The Corpus page: upload, what was read, stored, its passages, and a second import with what changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from hcat.core.capabilities.corpus.corpus_import import corpus_of_documents
from hcat.core.importers.documents import read_documents
from hcat.core.jobs.processes import this_worker
from hcat.core.settings import settings
from hcat.core.worker import run_job
from hcat.core.workspace import Workspace
from tests.pages.conftest import OpenPage
from tests.pages.small_project import PROJECT
from tests.pages.test_pages import assert_sound, press, shown

Files = list[tuple[str, bytes, str]]

FIRST: Files = [
    ("handbook/cards.md", b"# Cards\n\nA lost card is blocked.\n\n## Fees\n\nGold costs EUR 90.", "text/markdown"),
    ("handbook/sub/loans.txt", b"Loans are given by the branch.", "text/plain"),
    ("handbook/old.pdf", b"no pdf", "application/pdf"),
]
SECOND: Files = [(FIRST[0][0], FIRST[0][1].replace(b"90", b"95"), FIRST[0][2]), FIRST[1]]


def upload(app: AppTest, files: Files) -> AppTest:
    """Choose files, and do the job that reads them."""
    app = app.file_uploader[0].set_value(files).run()
    with Workspace.open(settings()) as workspace:
        [job] = [job for job in workspace.jobs.all() if job.is_active]
        assert run_job(workspace, job.id)
    return app.run()


@pytest.fixture
def page(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """Jobs wait until the test does them."""
    monkeypatch.setattr("hcat.core.project.jobs.launch", lambda settings, job_id: this_worker())
    return open_page("corpus", "unscored")


@pytest.fixture
def workspace(page: AppTest) -> Iterator[Workspace]:
    with Workspace.open(settings()) as opened:
        yield opened


def test_a_folder_is_read_shown_and_only_then_stored(page: AppTest, workspace: Workspace) -> None:
    app = upload(page, FIRST)
    assert_sound(app)
    text = shown(app)
    assert "2 documents, 3 passages; 1 file left out" in text.replace("\\", "")
    assert "old.pdf" in text and "it is not a PDF" in text
    assert "Loans are given by the branch" in text
    assert workspace.corpora.all(PROJECT) == []
    app.text_input(key="corpus-name").set_value("handbook")
    press(app, "Store the corpus")
    assert_sound(app)
    [corpus] = workspace.corpora.all(PROJECT)
    assert [row.id for row in workspace.corpora.summaries(corpus)] == ["cards.md", "sub/loans.txt"]
    assert corpus.source == "handbook"
    text = shown(app).replace("\\", "")
    assert "at most 120 words" in text and "Select a row to read its passages" in text
    assert "1 file left out" in text


def test_page_and_command_make_the_same_corpus(page: AppTest, workspace: Workspace, tmp_path: Path) -> None:
    press(upload(page, FIRST[::-1]), "Store the corpus")
    [corpus] = workspace.corpora.all(PROJECT)
    for name, content, _ in FIRST:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    documents, problems = read_documents([tmp_path / "handbook"])
    imported = corpus_of_documents(documents, problems, source="handbook")
    assert imported.content_hash == corpus.content_hash
    assert workspace.corpora.add_version(corpus, imported) == corpus


def test_a_second_import_says_what_changed(page: AppTest, workspace: Workspace) -> None:
    app = upload(page, FIRST)
    press(app, "Store the corpus")
    app = upload(app, SECOND)
    assert "Documents: 0 new, 1 changed, 0 gone, 1 as before. Passages: 0 new, 1 changed, 0 gone, 2 as before" in (
        shown(app).replace("\\", "")
    )
    press(app, "Store as version 2")
    assert_sound(app)
    [corpus] = workspace.corpora.all(PROJECT)
    assert corpus.version == 2
    next(field for field in app.text_input if field.label == "Name").set_value("guide")
    press(app, "Rename")
    assert_sound(app)
    assert [each.name for each in workspace.corpora.all(PROJECT)] == ["guide"]
    assert "2 versions" in shown(app) or any("2 versions" in each.label for each in app.expander)


def test_passages_and_contexts(page: AppTest, workspace: Workspace) -> None:
    app = page.segmented_control(key="corpus-source").set_value("Passages").run()
    app = app.file_uploader[0].set_value(("p.jsonl", b'{"id": "a"}', "application/jsonl")).run()
    assert "expected an object with id and text" in app.error[0].value.replace("\\", "")
    app = app.file_uploader[0].set_value(("p.jsonl", b'{"id": "a", "text": "Gold."}', "application/jsonl")).run()
    assert "1 document, 1 passage" in shown(app).replace("\\", "")
    app = app.segmented_control(key="corpus-source").set_value("Contexts of the run").run()
    assert_sound(app)
    assert "what it never retrieved is missing" in app.warning[0].value


def test_files_of_which_none_can_be_read(page: AppTest) -> None:
    app = upload(page, [FIRST[2]])
    assert not app.exception
    assert "No file could be read" in app.error[0].value.replace("\\", "")
    assert not [button for button in app.button if button.label == "Store the corpus"]


def test_reading_goes_on_without_the_page_and_can_be_cancelled(page: AppTest, workspace: Workspace) -> None:
    app = page.file_uploader[0].set_value(FIRST).run()
    assert_sound(app)
    assert "This page can be left meanwhile" in shown(app)
    assert not [button for button in app.button if button.label == "Store the corpus"]
    press(app, "Cancel")
    [job] = workspace.jobs.all()
    assert (job.status, job.kind) == ("cancelled", "read documents") or job.cancel_requested
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("hcat.core.importers.documents.process.DocumentProcess.parse", None)  # it stops before any file
        run_job(workspace, job.id)
    assert workspace.jobs.get(job.id).status == "cancelled"
    assert workspace.readings.latest(workspace.projects.get(PROJECT)) is None
    press(app.run(), "Continue")
    assert run_job(workspace, job.id)
    app = app.file_uploader[0].set_value([]).run()  # as on coming back: no file is chosen
    assert "2 documents, 3 passages; 1 file left out" in shown(app).replace("\\", "")
    press(app, "Discard what was read")
    assert "2 documents, 3 passages" not in shown(app)
    assert workspace.corpora.all(PROJECT) == []


def test_a_damaged_file_is_said(page: AppTest, workspace: Workspace) -> None:
    app = upload(page, FIRST)
    press(app, "Store the corpus")
    [corpus] = workspace.corpora.all(PROJECT)
    workspace.store.artifacts.remove("passages", corpus.artifact)
    st.cache_resource.clear()
    assert "is missing: restore it" in app.run().error[0].value.replace("\\", "")
