"""The same project on SQLite and on a real PostgreSQL: the same rows and the same files, so the same numbers."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from hashlib import shake_256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Table, select

from hcat.core.capabilities.report.services.reports import KIND as REPORTS
from hcat.core.capabilities.report.services.reports import report_text
from hcat.core.settings import Settings
from hcat.core.storage.tables.row import Row
from hcat.core.workspace import Workspace
from tests.core.project.walk import walk
from tests.core.storage.conftest import server_database
from tests.pages.conftest import word_models

CLOSE = 1e-12
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
BY_THE_SERVER = {"job": {"queued_at", "heartbeat", "arguments"}}
"""Times that a database server gives itself, and the arguments, which name a folder by chance."""

CLOCKS = (
    *("storage.tables.row", "capabilities.policy.services.policies", "capabilities.calibration.service"),
    "capabilities.report.build_time",
)
"""Modules that ask the time themselves."""


class Noon:
    """A clock that stands still."""

    def __call__(self) -> datetime:
        return NOON

    def now(self, zone: tzinfo) -> datetime:
        return NOON.astimezone(zone)


class Keys:
    """Keys of texts, and their names, that are the same in each walk, and none twice."""

    def __init__(self) -> None:
        self.given = 0

    def __call__(self, size: int) -> bytes:
        self.given += 1
        return shake_256(str(self.given).encode()).digest(size)


@dataclass(frozen=True)
class Store:
    """What a database and its files hold after everything was done to a project once."""

    rows: Mapping[str, list[dict[str, Any]]]
    files: Mapping[str, bytes]
    report: Any


def walked(url: str, folder: Path) -> Store:
    settings, clock = Settings(database_url=url, artifacts=str(folder)), Noon()
    with pytest.MonkeyPatch.context() as patch, word_models():
        for module in CLOCKS:
            patch.setattr(f"hcat.core.{module}.datetime", clock)
        patch.setattr("secrets.token_hex", lambda size: "ab" * size)
        given = Keys()
        patch.setattr("hcat.core.storage.texts.sealing.os", SimpleNamespace(urandom=given))
        patch.setattr(
            "hcat.core.storage.texts.sealed_form.uuid",
            SimpleNamespace(uuid4=lambda: SimpleNamespace(hex=given(16).hex())),
        )
        with Workspace.open(settings, clock=clock, actor="tests") as workspace:
            walk(workspace, patch)
            tables = [table for table in Row.metadata.sorted_tables if table.name != "audit"]
            rows = {table.name: _rows(workspace, table) for table in tables} | {"audit": _logged(workspace)}
            [version] = rows["report_version"]
            report = json.loads(report_text(workspace.store.sealed_files.get(REPORTS, version["artifact"])))
    files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return Store(rows, files, report)


def _rows(workspace: Workspace, table: Table) -> list[dict[str, Any]]:
    with workspace.store.database.read() as session:
        found = [dict(row) for row in session.execute(select(table).order_by(table.c.id)).mappings()]
        references = {key.parent.name: _places(session, key.column.table) for key in table.foreign_keys}
    for place, row in enumerate(found):
        row["id"] = place
        row |= {name: places.get(row[name]) for name, places in references.items()}
        row |= dict.fromkeys(BY_THE_SERVER.get(table.name, ()))
    return found


def _logged(workspace: Workspace) -> list[dict[str, Any]]:
    """Who did what in which order: ids of rows, and with them the digests, are a server's own."""
    parts = ("sequence", "actor", "role", "action", "project")
    return [{part: getattr(entry, part) for part in parts} for entry in workspace.audit.entries()]


def _places(session: Any, table: Table) -> dict[int, int]:
    """The place of each row by its id: a server leaves numbers out where a write was taken back."""
    return {number: place for place, number in enumerate(session.scalars(select(table.c.id).order_by(table.c.id)))}


@pytest.fixture(scope="module")
def stores(postgresql: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, Store]:
    folder = tmp_path_factory.mktemp("stores")
    return (
        walked(f"sqlite:///{folder / 'hcat.db'}", folder / "files"),
        walked(server_database(postgresql), folder / "server-files"),
    )


def differences(one: Any, other: Any, at: str = "") -> Iterator[str]:
    """Where two values differ: numbers by more than `CLOSE`, anything else at all."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for name in one:
            yield from differences(one[name], other[name], f"{at}/{name}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, (mine, theirs) in enumerate(zip(one, other, strict=True)):
            yield from differences(mine, theirs, f"{at}/{place}")
    elif isinstance(one, float) and isinstance(other, float):
        if not math.isclose(one, other, rel_tol=CLOSE, abs_tol=CLOSE):
            yield f"{at}: {one!r}, {other!r}"
    elif one != other:
        yield f"{at}: {one!r}, {other!r}"


def numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from numbers(item)
    elif isinstance(value, float):
        yield value


def test_every_row_of_every_table_is_the_same(stores: tuple[Store, Store]) -> None:
    one, other = stores
    assert list(differences(dict(one.rows), dict(other.rows))) == []
    assert [name for name, rows in one.rows.items() if not rows] == ["erased_file"]  # emptied when an erasure is done
    assert len(list(numbers(dict(one.rows)))) > 300


def test_every_file_has_the_same_bytes(stores: tuple[Store, Store]) -> None:
    one, other = stores
    assert one.files == other.files


def test_every_number_of_the_report_is_the_same(stores: tuple[Store, Store]) -> None:
    one, other = stores
    assert list(differences(one.report, other.report)) == []
    assert len(list(numbers(one.report))) > 10


def test_a_difference_would_be_seen() -> None:
    assert list(differences({"a": [1.0, 2.0]}, {"a": [1.0, 2.0 + 1e-11]})) == ["/a/1: 2.0, 2.00000000001"]
    assert list(differences({"a": [1.0]}, {"a": [1.0, 2.0]})) and list(differences([1], [True, 2]))
    assert not list(differences([1.0], [1.0 + 1e-13]))
