"""The report as JSON: the same tree, every number in full precision, absent numbers as null."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from math import isfinite

from core.records.hashing import sha256_of_bytes
from core.report.tree import Report
from core.types import JsonValue


def report_document(report: Report) -> dict[str, JsonValue]:
    """The report as JSON values. Blocks and figures carry their `type`: "table", "key_values", "forest_plot" …"""
    document = _plain(report)
    if not isinstance(document, dict):
        raise TypeError("a report is an object")
    return {"hcat": report.version, **document}


def render_json(report: Report) -> bytes:
    """One JSON document in UTF-8."""
    return (json.dumps(report_document(report), ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode(
        "utf-8", "replace"
    )


def report_hash(report: Report) -> str:
    """SHA-256 over the JSON document: 64 hexadecimal digits that every rendering of this report can show."""
    return sha256_of_bytes([render_json(report)])


def _plain(value: object) -> JsonValue:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        found: dict[str, JsonValue] = {"type": _snake(type(value).__name__)}
        return found | {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    raise TypeError(f"a report can't hold a {type(value).__name__}")


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
