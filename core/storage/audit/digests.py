"""Digests of rows as they are in the database: the audit log has these instead of their texts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime

from sqlalchemy import Connection, Table, select, tuple_

Key = tuple[object, ...]
"""The values of a row's primary key."""
Values = Mapping[str, object]
"""A row: the value of each column."""
AT_ONCE = 500


def read_rows(connection: Connection, table: Table, keys: Sequence[Key]) -> dict[Key, Values]:
    """The rows that exist, by their keys."""
    rows: dict[Key, Values] = {}
    for start in range(0, len(keys), AT_ONCE):
        some = keys[start : start + AT_ONCE]
        columns = list(table.primary_key)
        chosen = columns[0].in_([key[0] for key in some]) if len(columns) == 1 else tuple_(*columns).in_(some)
        for row in connection.execute(select(table).where(chosen)).mappings():
            values = {str(name): value for name, value in row.items()}
            rows[_key(table, values)] = values
    return rows


def all_rows(connection: Connection, table: Table) -> Iterator[tuple[Key, Values]]:
    """Every row of the table; not all are in memory at once."""
    with connection.execute(select(table).execution_options(yield_per=1000)) as result:
        for row in result.mappings():
            values = {str(name): value for name, value in row.items()}
            yield _key(table, values), values


def key_text(key: Key) -> object:
    """A key for the log: the number or text itself, or the parts of a key of several columns."""
    return key[0] if len(key) == 1 else "/".join(str(part) for part in key)


def row_digest(table: str, values: Values) -> bytes:
    """SHA-256 of a table's name and a row as JSON in ASCII with sorted keys; times in UTC."""
    line = json.dumps([table, values], sort_keys=True, default=_plain)
    return hashlib.sha256(line.encode()).digest()


def digest_of(digests: Iterable[bytes]) -> str:
    """The digest of rows in any order, from those of each; empty for no rows."""
    joined = b"".join(sorted(digests))
    return hashlib.sha256(joined).hexdigest() if joined else ""


def _key(table: Table, values: Values) -> Key:
    return tuple(values[column.name] for column in table.primary_key)


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.hex()
    raise TypeError(f"a column holds {type(value).__name__}, of which no digest is defined")
