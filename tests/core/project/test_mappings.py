"""Mappings of columns are remembered per project, for files with the same columns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hcat.core.errors import NotFoundError
from hcat.core.settings import Settings
from hcat.core.workspace import Workspace

COLUMNS = ("Frage", "Antwort")


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    opened = Workspace.open(Settings(database_url=f"sqlite:///{tmp_path / 'h.db'}", artifacts=str(tmp_path / "a")))
    yield opened
    opened.close()


def test_the_newest_mapping_of_the_same_columns_is_found_again(workspace: Workspace) -> None:
    project = workspace.projects.create("p")
    assert workspace.mappings.find(project, COLUMNS) is None
    first = workspace.mappings.save(project, COLUMNS, {"Frage": "query", "Antwort": "reference"})
    workspace.mappings.save(project, ("Antwort", "Frage"), {"Frage": "query", "Antwort": "answer"})
    found = workspace.mappings.find("p", COLUMNS)
    assert found is not None
    assert found.mapping == {"Frage": "query", "Antwort": "answer"}
    assert found.at >= first.at


def test_other_columns_and_other_projects_have_their_own(workspace: Workspace) -> None:
    project, other = workspace.projects.create("p"), workspace.projects.create("q")
    workspace.mappings.save(project, COLUMNS, {"Frage": "query"})
    assert workspace.mappings.find(project, (*COLUMNS, "Region")) is None
    assert workspace.mappings.find(other, COLUMNS) is None
    with pytest.raises(NotFoundError):
        workspace.mappings.find("nobody", COLUMNS)
