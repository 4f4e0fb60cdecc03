"""Copies of an embedded database, made while others write to it: each holds one state, and is checked."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from hcat.core.errors import ConflictError, StorageError
from hcat.core.records.atomic import new_path

MAGIC = b"SQLite format 3\x00"
BUSY_SECONDS = 30


def copy_database(source: Path, target: Path) -> None:
    """Copy the database to one file without a log, which replaces the target once it is complete. StorageError where it
    can't be copied."""
    try:
        with (
            new_path(target, private=True) as unfinished,
            closing(opened_to_read(source)) as old,
            closing(sqlite3.connect(unfinished)) as new,
        ):
            old.backup(new)
            new.execute("PRAGMA journal_mode = DELETE")
            _check(new, source)
    except sqlite3.DatabaseError as error:
        raise StorageError(f"{source} can't be copied: {error}") from error
    except OSError as error:
        raise StorageError(f"{target} can't be written: {error.strerror or error}") from error


def replace_content(source: Path, target: Path) -> None:
    """Put the content of one database into another, at once, also while others have it open."""
    try:
        with closing(opened_to_read(source)) as new, closing(sqlite3.connect(target, timeout=BUSY_SECONDS)) as old:
            _check(new, source)
            new.backup(old)
    except sqlite3.DatabaseError as error:
        raise StorageError(f"{target} can't be written: {error}") from error


def empty_log(path: Path) -> None:
    """Write what is in the log into the database, and empty the log, which may contain old pages. ConflictError where
    somebody reads from an old state for longer than BUSY_SECONDS."""
    try:
        with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as connection:
            busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.DatabaseError as error:
        raise StorageError(f"the log of {path} can't be emptied: {error}") from error
    if busy:
        raise ConflictError(
            f"old pages stay in the log of {path}, since somebody reads from it: run `hcat erase --finish` later"
        )


def revision_of(path: Path) -> str | None:
    """The schema that a database says it has; None where it is none of hcat's."""
    try:
        with closing(opened_to_read(path)) as connection:
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.DatabaseError:
        return None
    return None if row is None else str(row[0])


def faults(path: Path) -> list[str]:
    """Faults of pages, indexes and references of a database, each of which is read; empty where there are none."""
    try:
        with closing(opened_to_read(path)) as connection:
            pages = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(10)") if row[0] != "ok"]
            broken = {str(row[0]) for row in connection.execute("PRAGMA foreign_key_check")}
    except sqlite3.DatabaseError as error:
        raise StorageError(f"{path} can't be read: {error}") from error
    return [*pages, *(f"rows of {table} refer to rows that are not there" for table in sorted(broken))]


def is_no_database(path: Path) -> bool:
    """Whether there is a file that is not a database, such as one of zeros."""
    if not path.is_file() or path.stat().st_size == 0:
        return False
    with path.open("rb") as file:
        return file.read(len(MAGIC)) != MAGIC


def opened_to_read(path: Path, seconds: float = BUSY_SECONDS) -> sqlite3.Connection:
    """A connection that can't change the database, and waits so many seconds for those who write to it."""
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=seconds)


def _check(connection: sqlite3.Connection, source: Path) -> None:
    (result,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if result != "ok":
        raise StorageError(f"{source} is damaged: {result}")
