"""Documents of all kinds in one table: each series counts for itself, and none is changed or taken by two."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from hcat.core.errors import ConflictError, StorageError
from hcat.core.records.hashing import sha256_of_json
from hcat.core.records.project import ProjectInfo
from hcat.core.settings import Settings
from hcat.core.storage.stores.documents import Before, Document, Documents
from hcat.core.types import Criterion, Sample
from hcat.core.workspace import Workspace
from tests.core.storage.conftest import database_url

__all__ = ["database_url"]


@pytest.fixture
def workspace(database_url: str, tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.open(Settings(database_url=database_url, artifacts=str(tmp_path / "files"))) as opened:
        yield opened


@pytest.fixture
def project(workspace: Workspace) -> ProjectInfo:
    project = workspace.projects.create("bank")
    for name in ("correctness", "tone"):
        workspace.criteria.add(project, Criterion(name))
    return project


def versions(documents: Documents, project: ProjectInfo) -> list[tuple[str, int]]:
    return [(each.criterion or each.series, each.version) for each in documents.all(project.id, "policy")]


def test_numbers_count_in_each_series_of_each_kind(workspace: Workspace, project: ProjectInfo) -> None:
    documents = workspace.store.documents
    with workspace.store.write("lee", "opinion.state", project.id) as write:
        for criterion in ("correctness", "tone", "correctness"):
            documents.add(write, project.id, "policy", {"of": criterion}, author="lee", criterion=criterion)
        first = documents.add(write, project.id, "risks", {"a": [1, None]}, author="lee", note="first", hash="ab")
        documents.add(write, project.id, "rubric", {}, author="lee", series="one")
        documents.add(write, project.id, "rubric", {}, author="lee", series="two")
    assert versions(documents, project) == [("correctness", 2), ("tone", 1), ("correctness", 1)]
    assert documents.all(project.id, "risks") == [first]
    assert (first.version, first.document, first.note, first.hash) == (1, {"a": [1, None]}, "first", "ab")
    assert [(each.series, each.version) for each in documents.all(project.id, "rubric")] == [("two", 1), ("one", 1)]
    assert documents.all(workspace.projects.create("other").id, "risks") == []


def test_a_number_is_taken_once(workspace: Workspace, project: ProjectInfo) -> None:
    documents = workspace.store.documents
    with workspace.store.write("lee", "risks.state", project.id) as write:
        documents.add(write, project.id, "risks", {"a": 1}, author="lee", version=1)
        with pytest.raises(ConflictError, match="somebody else has changed the register meanwhile"):
            documents.add(write, project.id, "risks", {"a": 2}, author="kim", version=1)
    assert [each.author for each in documents.all(project.id, "risks")] == ["lee"]


def test_a_document_that_says_what_was_before_is_stored_with_its_hash(
    workspace: Workspace, project: ProjectInfo
) -> None:
    documents, run = workspace.store.documents, workspace.runs.add(project, "v1", [Sample("s", "?", "!")], source="x")
    workspace.labels.record(run, workspace.criteria.get(project, "tone"), "s", 1, annotator="ann")

    def document(before: Before) -> Document:
        return {"version": before.version, "before": before.hash, "labels": before.labels}

    with workspace.store.write("lee", "plan.register", project.id) as write:
        first, second = (
            documents.add(write, project.id, "plan", document, author="lee", criterion="tone") for _ in range(2)
        )
    assert first.document == {"version": 1, "before": "", "labels": 1}
    assert second.document == {"version": 2, "before": first.hash, "labels": 1}
    assert second.hash == sha256_of_json(second.document)


@pytest.mark.parametrize("change", ["UPDATE document SET author = 'kim'", "DELETE FROM document"])
def test_the_database_refuses_a_change(workspace: Workspace, project: ProjectInfo, change: str) -> None:
    with workspace.store.write("lee", "risks.state", project.id) as write:
        workspace.store.documents.add(write, project.id, "risks", {}, author="lee")
    refused = pytest.raises((DBAPIError, StorageError), match="documents are append-only")
    with refused, workspace.store.write("lee", "risks.state", project.id) as write, write.transaction() as session:
        session.connection().execute(text(change))


@pytest.mark.parametrize("kind", ["run", "criterion", "project"])
def test_documents_go_with_what_they_are_on(workspace: Workspace, project: ProjectInfo, kind: str) -> None:
    run = workspace.runs.add(project, "v1", [Sample("s", "?", "!")], source="x")
    documents = workspace.store.documents
    with workspace.store.write("lee", "policy.switch_on", project.id) as write:
        documents.add(write, project.id, "policy", {}, author="lee", criterion="tone", run_id=run.id)
        documents.add(write, project.id, "risks", {}, author="lee")
    item = workspace.housekeeping.get(
        kind, {"run": "v1", "criterion": "tone"}.get(kind, "bank"), project=None if kind == "project" else project
    )
    contents = workspace.housekeeping.contents(item)
    assert contents.gone["policies"] == 1
    assert contents.gone.get("versions of the risk register") == (1 if kind == "project" else None)
    workspace.housekeeping.delete(item, contents, confirmed=item.name, author="lee")
    assert documents.all(project.id, "policy") == []
    assert len(documents.all(project.id, "risks")) == (0 if kind == "project" else 1)
    assert workspace.store.audit_log.changed_past_the_log() is None
