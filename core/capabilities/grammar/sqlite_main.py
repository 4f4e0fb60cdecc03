"""The program that queries an SQLite file, one statement after another: see `sqlite_process`.

Each question is a line of JSON with the SQL, its values and its timeout in seconds; each answer is one line of JSON."""

from __future__ import annotations

import json
import sqlite3
import sys
import time

MEMORY = 1_000_000_000
"""Limit on the address space of this process in bytes, including Python."""
LONGEST_VALUE = 10_000_000
MOST_BYTES = 50_000_000
"""Limit on the values of one answer, written as JSON."""
STEPS = 1_000
"""Number of SQLite steps between two checks of the time."""


def main() -> None:
    """Answer questions until the input ends."""
    _cap_memory()
    answers, sys.stdout = sys.stdout.buffer, sys.stderr
    connection: sqlite3.Connection | None = None
    for line in sys.stdin.buffer:
        try:
            if connection is None:
                connection = _opened(sys.argv[1])
            answer = _answer(connection, json.loads(line))
        except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError) as error:
            answer = json.dumps({"error": str(error)})
        except MemoryError:
            answer = json.dumps({"error": "it takes more memory than hcat gives to one file"})
        answers.write(answer.encode("ascii") + b"\n")
        answers.flush()


def _opened(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path}?mode=ro", uri=True)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _answer(connection: sqlite3.Connection, question: dict[str, object]) -> str:
    until = time.monotonic() + float(str(question["seconds"]))
    connection.set_progress_handler(lambda: int(time.monotonic() > until), STEPS)
    given = question["values"]
    cursor = connection.execute(str(question["sql"]), given if isinstance(given, list | dict) else ())
    rows, size = [], 0
    for row in cursor:
        written = json.dumps([[value.hex()] if isinstance(value, bytes) else value for value in row])
        size += len(written)
        if size > MOST_BYTES:
            return json.dumps({"error": f"an answer has more than {MOST_BYTES // 10**6} MB"})
        rows.append(written)
    columns = json.dumps([each[0] for each in cursor.description or ()])
    return f'{{"columns": {columns}, "rows": [{", ".join(rows)}]}}'


def _cap_memory() -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


if __name__ == "__main__":
    main()
