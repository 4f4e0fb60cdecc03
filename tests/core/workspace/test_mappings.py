"""Mappings of columns are remembered per project, for files with the same columns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import NotFoundError
from core.settings import Settings
from core.workspace import Workspace

COLUMNS = ("Frage", "Antwort")


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    opened = Workspace.open(Settings(database_url=f"sqlite:///{tmp_path / 'h.db'}", artifacts=str(tmp_path / "a")))
    yield opened
    opened.close()


def test_the_newest_mapping_of_the_same_columns_is_found_again(workspace: Workspace) -> None:
    project = workspace.create_project("p")
    assert workspace.remembered_mapping(project, COLUMNS) is None
    first = workspace.remember_mapping(project, COLUMNS, {"Frage": "query", "Antwort": "reference"})
    workspace.remember_mapping(project, ("Antwort", "Frage"), {"Frage": "query", "Antwort": "answer"})
    found = workspace.remembered_mapping("p", COLUMNS)
    assert found is not None
    assert found.mapping == {"Frage": "query", "Antwort": "answer"}
    assert found.at >= first.at


def test_other_columns_and_other_projects_have_their_own(workspace: Workspace) -> None:
    project, other = workspace.create_project("p"), workspace.create_project("q")
    workspace.remember_mapping(project, COLUMNS, {"Frage": "query"})
    assert workspace.remembered_mapping(project, (*COLUMNS, "Region")) is None
    assert workspace.remembered_mapping(other, COLUMNS) is None
    with pytest.raises(NotFoundError):
        workspace.remembered_mapping("nobody", COLUMNS)
