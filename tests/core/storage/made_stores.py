"""Stores in which something was done already: made once for each kind of database, and copied for each test."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import make_url

from hcat.core.settings import Settings
from hcat.core.workspace import Workspace
from tests.core.storage.conftest import database_of, server_database

Make = Callable[[Workspace], object]


@dataclass
class MadeStores:
    folder: Path
    made: dict[tuple[Make, str], tuple[str, Path]] = field(default_factory=dict)
    """The URL and the folder of each store by what was done in it and the kind of its database."""

    def copy(self, make: Make, database_url: str, folder: Path, *, actor: str) -> Settings:
        """A copy of a store in which this was done, with its files in this folder, on a database of the kind at this
        URL: on SQLite at the URL itself, on a server beside it."""
        kind = make_url(database_url).get_backend_name()
        if (make, kind) not in self.made:
            self.made[make, kind] = self._make(make, database_url, actor)
        url, files = self.made[make, kind]
        shutil.copytree(files, folder, dirs_exist_ok=True)
        if kind == "sqlite":
            assert database_url == f"sqlite:///{folder / 'hcat.db'}"
        else:
            database_url = database_of(database_url, like=url)
        return _settings(database_url, folder)

    @contextmanager
    def opened(self, make: Make | None, database_url: str, folder: Path, *, actor: str) -> Iterator[Workspace]:
        """Such a copy, opened; without anything that was done, an empty store at the URL."""
        chosen = _settings(database_url, folder)
        if make is not None:
            chosen = self.copy(make, database_url, folder, actor=actor)
        with Workspace.open(chosen, actor=actor) as workspace:
            yield workspace

    def _make(self, make: Make, database_url: str, actor: str) -> tuple[str, Path]:
        folder = self.folder / str(len(self.made))
        folder.mkdir()
        on_server = make_url(database_url).get_backend_name() != "sqlite"
        url = server_database(database_url) if on_server else f"sqlite:///{folder / 'hcat.db'}"
        with Workspace.open(_settings(url, folder), actor=actor) as workspace:
            make(workspace)
        return url, folder


def _settings(database_url: str, folder: Path) -> Settings:
    return Settings(database_url=database_url, artifacts=str(folder / "artifacts"))
