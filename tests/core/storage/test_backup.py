"""The store as one file and back, while annotators label; a damaged file or store changes nothing."""

from __future__ import annotations

import os
import sqlite3
import threading
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from hcat.core.errors import FileFormatError, HcatError, StorageError
from hcat.core.project.backups import back_up, restore
from hcat.core.settings import Settings
from hcat.core.storage.sqlite_copies import copy_database, is_no_database
from hcat.core.types import Sample
from hcat.core.workspace import Workspace


def place(folder: Path) -> Settings:
    return Settings(database_url=f"sqlite:///{folder / 'store' / 'hcat.db'}", artifacts=str(folder / "store" / "files"))


def filled(folder: Path, projects: int = 1) -> Settings:
    chosen = place(folder)
    with Workspace.open(chosen) as workspace:
        for number in range(projects):
            workspace.projects.create(f"p{number}")
        workspace.runs.add("p0", "r", [Sample("s", "q", "a")], source="f.jsonl")
    return chosen


def projects(chosen: Settings) -> list[str]:
    with Workspace.open(chosen) as workspace:
        return [project.name for project in workspace.projects.all()]


def test_a_store_comes_back_elsewhere_with_its_files(tmp_path: Path) -> None:
    chosen = filled(tmp_path / "a")
    written = back_up(tmp_path / "b.zip", chosen)
    other = place(tmp_path / "b")
    assert restore(tmp_path / "b.zip", other) == written
    with Workspace.open(other) as workspace:
        run = workspace.runs.get("p0", "r")
        assert [sample.query for sample in workspace.runs.samples(run)] == ["q"]
    assert (tmp_path / "b.zip").stat().st_mode & 0o077 == 0


def test_a_backup_while_two_write_holds_a_whole_state(tmp_path: Path) -> None:
    chosen = filled(tmp_path / "a")
    done = threading.Event()

    def write(name: str) -> None:
        with Workspace.open(chosen) as workspace:
            number = 0
            while not done.is_set():
                workspace.projects.create(f"{name}{number}")
                number += 1

    writers = [threading.Thread(target=write, args=(name,)) for name in ("x", "y")]
    for writer in writers:
        writer.start()
    try:
        for number in range(3):
            back_up(tmp_path / f"{number}.zip", chosen)
    finally:
        done.set()
        for writer in writers:
            writer.join()
    for number in range(3):
        other = place(tmp_path / f"other{number}")
        restore(tmp_path / f"{number}.zip", other)
        names = projects(other)
        for name in ("x", "y"):
            own = sorted(int(each[1:]) for each in names if each.startswith(name))
            assert own == list(range(len(own))), "a later project without an earlier one"


def test_a_store_that_is_there_is_kept_unless_asked_and_copied_then(tmp_path: Path) -> None:
    chosen = filled(tmp_path / "a")
    back_up(tmp_path / "b.zip", chosen)
    with Workspace.open(chosen) as open_all_the_time:
        open_all_the_time.projects.create("later")
        with pytest.raises(StorageError, match="--replace"):
            restore(tmp_path / "b.zip", chosen)
        restore(tmp_path / "b.zip", chosen, replace=True)
        assert [project.name for project in open_all_the_time.projects.all()] == ["p0"]
    (copy,) = (tmp_path / "a" / "store").glob("hcat.db.before-restore-*")
    with closing(sqlite3.connect(copy)) as connection:
        assert ("later",) in connection.execute("SELECT name FROM project").fetchall()


@pytest.mark.parametrize("damage", ["cut", "other", "byte", "name", "text"])
def test_a_damaged_backup_changes_nothing(tmp_path: Path, damage: str) -> None:
    chosen = filled(tmp_path / "a")
    file = tmp_path / "b.zip"
    back_up(file, chosen)
    damaged(file, damage)
    with pytest.raises(HcatError) as refused:
        restore(file, chosen, replace=True)
    assert "\n" not in str(refused.value)
    assert projects(chosen) == ["p0"]
    assert sorted(path.name for path in (tmp_path / "a" / "store").iterdir()) == ["files", "hcat.db"]


def damaged(file: Path, damage: str) -> None:
    content = file.read_bytes()
    if damage == "cut":
        file.write_bytes(content[: len(content) // 2])
    elif damage == "text":
        file.write_text("not a backup")
    elif damage == "byte":
        middle = content.index(b"hcat.db") + 200
        file.write_bytes(content[:middle] + bytes([content[middle] ^ 0xFF]) + content[middle + 1 :])
    else:
        with zipfile.ZipFile(file, "w") as archive:
            name = "../evil" if damage == "name" else "artifacts/x"
            archive.writestr(name, "x")
            archive.writestr("manifest.json", f'{{"files": {{"{name}": "0"}}}}')


def test_stores_on_servers_are_told_how(tmp_path: Path) -> None:
    elsewhere = Settings(database_url="postgresql://u@127.0.0.1/x", artifacts=str(tmp_path))
    with pytest.raises(StorageError, match="pg_dump"):
        back_up(tmp_path / "b.zip", elsewhere)


def test_a_database_closed_needs_no_log_beside_it(tmp_path: Path) -> None:
    filled(tmp_path / "a")
    store = tmp_path / "a" / "store"
    assert sorted(path.name for path in store.iterdir()) == ["files", "hcat.db"]
    with closing(sqlite3.connect(store / "hcat.db")) as connection:
        assert connection.execute("SELECT name FROM project").fetchall() == [("p0",)]


def test_only_the_owner_reads_the_store(tmp_path: Path) -> None:
    filled(tmp_path / "a")
    store = tmp_path / "a" / "store"
    assert store.stat().st_mode & 0o777 == 0o700
    for path in store.rglob("*"):
        assert path.stat().st_mode & 0o077 == 0 or path.is_dir(), path
    assert (store / "files").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("content", [b"\0" * 8192, b"text that is no database" * 100])
def test_a_file_that_is_no_database_is_refused_and_stays(tmp_path: Path, content: bytes) -> None:
    chosen = filled(tmp_path / "a")
    database = tmp_path / "a" / "store" / "hcat.db"
    database.write_bytes(content)
    assert is_no_database(database)
    with pytest.raises(StorageError, match="hcat restore"):
        Workspace.open(chosen)
    assert database.read_bytes() == content


def test_an_emptied_database_beside_its_files_is_refused(tmp_path: Path) -> None:
    chosen = filled(tmp_path / "a")
    (tmp_path / "a" / "store" / "hcat.db").write_bytes(b"")
    with pytest.raises(StorageError, match="hcat restore"):
        Workspace.open(chosen)
    with pytest.raises(StorageError):
        copy_database(tmp_path / "none.db", tmp_path / "copy.db")


def test_a_database_with_torn_pages_is_refused(tmp_path: Path) -> None:
    chosen = filled(tmp_path / "a", projects=200)
    database = tmp_path / "a" / "store" / "hcat.db"
    content = bytearray(database.read_bytes())
    for page in range(3, len(content) // 4096):
        content[page * 4096 : page * 4096 + 100] = os.urandom(100)
    database.write_bytes(content)
    with pytest.raises((StorageError, FileFormatError), match="hcat restore"):
        Workspace.open(chosen)


def test_a_copy_is_made_before_a_migration(tmp_path: Path, make_later_schema: Callable[[], None]) -> None:
    chosen = filled(tmp_path / "a")
    store = tmp_path / "a" / "store"
    with closing(sqlite3.connect(store / "hcat.db")) as connection:
        (newest,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    assert not list(store.glob("hcat.db.schema-*"))
    make_later_schema()
    Workspace.open(chosen).close()
    with closing(sqlite3.connect(store / f"hcat.db.schema-{newest}")) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == (newest,)
