"""Looking into a running app's store from outside, without changing it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any


def rows(database: Path, query: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
    """What a query gives on the database, opened read-only."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return connection.execute(query, parameters).fetchall()


def contents(database: Path, artifacts: Path) -> tuple[dict[str, int], list[str]]:
    """The number of rows in each table, and every artifact file."""
    tables = [name for (name,) in rows(database, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    counts = {name: int(rows(database, f'SELECT count(*) FROM "{name}"')[0][0]) for name in tables}
    return counts, sorted(str(path.relative_to(artifacts)) for path in artifacts.rglob("*") if path.is_file())
