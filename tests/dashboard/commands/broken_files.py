"""Ways in which files of results break: what a hand, another program or a bad disk makes of them."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from hcat.core.types import JsonValue

ODD: tuple[JsonValue, ...] = (None, True, -1, 0, 1.5, 10**41, 10**400, -(10**400), "", "x", "a\x00b", [], {}, [[]])
Place = tuple[str | int, ...]


def broken(path: Path, rng: random.Random) -> bytes:
    """The content of a file with one thing wrong."""
    if path.suffix == ".json":
        return broken_json(path.read_bytes(), rng)
    if path.suffix == ".parquet":
        return broken_table(path, rng)
    lines = path.read_bytes().splitlines()
    number = rng.randrange(len(lines))
    line = lines[number]
    lines[number] = broken_json(line, rng) if path.suffix == ".jsonl" else torn(line, rng)
    return b"\n".join(lines)


def torn(content: bytes, rng: random.Random) -> bytes:
    """The content cut off, or with one other byte."""
    place = rng.randrange(len(content))
    return content[:place] + rng.choice((b"", bytes([rng.randrange(256)]) + content[place + 1 :]))


def broken_json(content: bytes, rng: random.Random) -> bytes:
    """JSON that is torn, is too deep, or lacks a value or has another one."""
    kind = rng.randrange(6)
    if kind == 0:
        return torn(content, rng)
    document: JsonValue = json.loads(content)
    place = rng.choice(list(_places(document)))
    if kind == 1:
        return json.dumps(_put(document, place, "@")).encode().replace(b'"@"', b"[" * 100_000)
    return json.dumps(_put(document, place, rng.choice(ODD))).encode()


def broken_table(path: Path, rng: random.Random) -> bytes:
    """A Parquet file that is torn, has other metadata, a row or column twice or not, or another cell."""
    table = pq.read_table(path)
    metadata = table.schema.metadata
    name = rng.choice(table.column_names)
    column = table[name].to_pylist()
    kind = rng.randrange(7)
    if kind == 0:
        return torn(path.read_bytes(), rng)
    if kind == 1:
        return parquet(table.replace_schema_metadata({"hcat": broken_json(metadata[b"hcat"], rng)}))
    if kind == 2:
        return parquet(table.drop_columns([name]))
    if kind == 3:
        return parquet(table.append_column(name, table[name]))
    if kind == 4:
        return parquet(pa.concat_tables([table, table.slice(0, 1)]))
    if kind == 5:
        return parquet(table.slice(0, rng.choice((0, 1))))
    column[rng.randrange(len(column))] = rng.choice((None, float("inf"), -float("inf"), 1e308, "strange"))
    if any(isinstance(cell, str) for cell in column):
        column = [None if cell is None else str(cell) for cell in column]
    return parquet(with_column(table, name, column))


def with_column(table: pa.Table, name: str, cells: list[object]) -> pa.Table:
    """The table with other cells, and the metadata that it had."""
    place = table.column_names.index(name)
    return table.set_column(place, name, pa.array(cells)).replace_schema_metadata(table.schema.metadata)


def parquet(table: pa.Table) -> bytes:
    """The table as the bytes of a file."""
    sink = io.BytesIO()
    pq.write_table(table, sink)
    return sink.getvalue()


def _places(value: JsonValue, at: Place = ()) -> Iterator[Place]:
    yield at
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _places(inner, (*at, name))
    elif isinstance(value, list):
        for number, inner in enumerate(value[:3]):
            yield from _places(inner, (*at, number))


def _put(document: JsonValue, at: Place, value: JsonValue) -> JsonValue:
    if not at:
        return value
    first, rest = at[0], at[1:]
    if isinstance(document, dict) and isinstance(first, str):
        return {**document, first: _put(document[first], rest, value)}
    if isinstance(document, list) and isinstance(first, int):
        return [*document[:first], _put(document[first], rest, value), *document[first + 1 :]]
    return document
