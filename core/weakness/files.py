"""Weakness tables as Parquet files, with the settings that they were made with in the file's metadata."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import cast

from core.errors import FileFormatError
from core.records.atomic import new_file
from core.records.parquet import read_table
from core.types import Direction, Estimate, JsonValue
from core.weakness.table import COLUMNS, WeaknessSettings, WeaknessTable


def write_weaknesses(table: WeaknessTable, path: Path, *, about: Mapping[str, JsonValue]) -> None:
    """Write the table; `about` goes into the metadata `hcat` beside its settings. No half of it is ever found."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    metadata = json.dumps({**about, "table": _without_nan(asdict(table.settings))}, ensure_ascii=False)
    content = pa.Table.from_pandas(table.frame, preserve_index=False).replace_schema_metadata({"hcat": metadata})
    with new_file(path) as file:
        pq.write_table(content, file)


def read_weaknesses(path: Path) -> WeaknessTable:
    """The inverse of `write_weaknesses`. FileFormatError on anything else."""
    import pyarrow as pa

    try:
        table = read_table(path)
        settings = _settings(json.loads((table.schema.metadata or {})[b"hcat"])["table"])
        frame = table.to_pandas(use_threads=False)[list(COLUMNS)].astype(COLUMNS)
    except (pa.ArrowException, OSError, KeyError, TypeError, ValueError) as error:
        raise FileFormatError(
            f"{path} is no weakness table of hcat; make one with `hcat weakness … -o FILE`"
        ) from error
    return WeaknessTable(frame, settings)


def _settings(document: dict[str, JsonValue]) -> WeaknessSettings:
    mappings = {name: _mapping(document[name]) for name in ("directions", "overall", "spread", "unscored")}
    by = document["by"]
    if not isinstance(by, list):
        raise TypeError("by must be a list")
    return WeaknessSettings(
        directions={name: cast(Direction, str(value)) for name, value in mappings["directions"].items()},
        overall={name: _estimate(_mapping(value)) for name, value in mappings["overall"].items()},
        spread={name: _number(value) for name, value in mappings["spread"].items()},
        unscored={name: int(_number(value)) for name, value in mappings["unscored"].items()},
        by=tuple(str(name) for name in by),
        pairs=bool(document["pairs"]),
        minimum_n=int(_number(document["minimum_n"])),
        q=_number(document["q"]),
        n_tests=int(_number(document["n_tests"])),
        refits=int(_number(document.get("refits", 0))),
    )


def _estimate(fields: dict[str, JsonValue]) -> Estimate:
    value, low, high = (_number(fields[name]) for name in ("value", "low", "high"))
    return Estimate(value, low, high, int(_number(fields["n"])), _number(fields["level"]), str(fields["method"]))


def _mapping(value: JsonValue) -> dict[str, JsonValue]:
    if not isinstance(value, dict):
        raise TypeError("expected an object")
    return value


def _number(value: JsonValue) -> float:
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError("expected a number")
    return float(value)


def _without_nan(value: object) -> JsonValue:
    if isinstance(value, dict):
        return {str(key): _without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return cast(JsonValue, value)
