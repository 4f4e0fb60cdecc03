"""SQLite queries in a separate process with limited memory and time, which views and computed columns of even a small
file could exhaust.

The process replaces a connection of `sqlite3`, as far as SQLAlchemy needs one for reading."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Timer

from hcat.core.settings import IMPORTED_FROM, plain_environment

PROGRAM = "hcat.core.capabilities.grammar.sqlite_main"
GRACE = 10.0
"""Seconds after a statement's own timeout after which the process is killed, because it did not end the statement."""
Row = tuple[object, ...]


class SqliteProcess:
    """A read-only connection. `seconds` returns the timeout of the next statement."""

    isolation_level: str | None = None

    def __init__(self, path: Path, seconds: Callable[[], float]) -> None:
        self._seconds = seconds
        self._process = subprocess.Popen(  # noqa: S603  our own module, without a shell
            [sys.executable, "-m", PROGRAM, path.resolve().as_uri()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=IMPORTED_FROM,
            env=plain_environment(),
        )

    def ask(self, sql: str, values: Sequence[object] | Mapping[str, object]) -> tuple[list[str], list[Row]]:
        """The names of the columns, and the rows. Raises sqlite3.OperationalError if it is refused or exceeds the
        limits."""
        seconds = self._seconds()
        given = dict(values) if isinstance(values, Mapping) else list(values)
        question = json.dumps({"sql": sql, "values": given, "seconds": seconds})
        watch = Timer(max(0.0, seconds) + GRACE, self._process.kill)
        watch.start()
        try:
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.stdin.write(question.encode("ascii") + b"\n")
            self._process.stdin.flush()
            answer = json.loads(self._process.stdout.readline() or b"{}")
        except (OSError, ValueError):
            answer = {}
        finally:
            watch.cancel()
        if "rows" not in answer:
            raise sqlite3.OperationalError(answer.get("error", "interrupted: it took too much memory or time"))
        return answer["columns"], [tuple(map(_value, row)) for row in answer["rows"]]

    def cursor(self) -> _Cursor:
        return _Cursor(self)

    def create_function(self, *_given: object, **_named: object) -> None:
        """Do nothing: the other process can't call functions of this one."""

    def commit(self) -> None:
        """Do nothing: the connection is read-only."""

    def rollback(self) -> None:
        """Do nothing: the connection is read-only."""

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


class _Cursor:
    """The rows of one statement."""

    arraysize, rowcount, lastrowid = 1, -1, None

    def __init__(self, process: SqliteProcess) -> None:
        self._process = process
        self._rows: list[Row] = []
        self.description: tuple[tuple[object, ...], ...] | None = None

    def execute(self, sql: str, values: Sequence[object] | Mapping[str, object] = ()) -> _Cursor:
        columns, self._rows = self._process.ask(sql, values)
        self.description = tuple((name, *[None] * 6) for name in columns) or None
        return self

    def fetchone(self) -> Row | None:
        return self._rows.pop(0) if self._rows else None

    def fetchmany(self, size: int = 1) -> list[Row]:
        some, self._rows = self._rows[:size], self._rows[size:]
        return some

    def fetchall(self) -> list[Row]:
        return self.fetchmany(len(self._rows))

    def close(self) -> None:
        self._rows = []


def _value(value: object) -> object:
    """A value of a row; bytes are transferred as a list of integers."""
    return bytes.fromhex(value[0]) if isinstance(value, list) else value
