"""The JSON Schema (2020-12) of a report as JSON, made from the types of its tree."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from types import NoneType, UnionType
from typing import Literal, Union, get_args, get_origin, get_type_hints

from hcat.core.records.layout import JsonObject, tag_of
from hcat.core.types import JsonValue
from hcat.core.view.tree import Report

SCHEMA_VERSION = 3
"""Raised with each change of the tree that a reader could notice; `tests/core/view/test_schema.py` asks for it."""

_SIMPLE: dict[object, JsonObject] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": ["number", "null"], "description": "null where it is not finite"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    datetime: {"type": "string", "format": "date-time"},
}


def report_schema() -> JsonObject:
    """The schema of `render_json`. Every object says by "type" what it is; keys are those of the tree's fields."""
    definitions: dict[str, JsonValue] = {}
    whole = _object(Report, definitions)
    properties = whole["properties"]
    assert isinstance(properties, dict)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:hcat:report:{SCHEMA_VERSION}",
        "title": "Validation report of hcat",
        **whole,
        "properties": {"hcat": {"type": "string", "description": "the version of hcat that built it"}, **properties},
        "$defs": dict(sorted(definitions.items())),
    }


def schema_text() -> str:
    """The schema as a file."""
    return json.dumps(report_schema(), indent=2, ensure_ascii=False) + "\n"


def _object(kind: type, definitions: dict[str, JsonValue]) -> JsonObject:
    hints, tag = get_type_hints(kind), tag_of(kind)
    described: dict[str, JsonValue] = {"type": {"const": tag}}
    required: list[JsonValue] = ["type"]
    assert is_dataclass(kind)
    for each in fields(kind):
        described[each.name] = _value(hints[each.name], definitions)
        if each.default is MISSING and each.default_factory is MISSING:
            required.append(each.name)
    return {"type": "object", "properties": described, "required": required, "additionalProperties": False}


def _value(hint: object, definitions: dict[str, JsonValue]) -> JsonObject:
    if (simple := _SIMPLE.get(hint)) is not None:
        return dict(simple)
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in (Union, UnionType) and {dict, list} <= {get_origin(each) for each in inner}:
        return {"description": "any JSON value"}  # JsonValue, whose alias the hints have taken apart
    if origin in (Union, UnionType):
        return {"anyOf": [_value(each, definitions) for each in inner]}
    if origin is tuple and inner[-1] is Ellipsis:
        return {"type": "array", "items": _value(inner[0], definitions)}
    if origin is tuple:
        items: list[JsonValue] = [_value(each, definitions) for each in inner]
        return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _value(inner[1], definitions)}
    if isinstance(hint, type) and is_dataclass(hint):
        tag = tag_of(hint)
        if tag not in definitions:
            definitions[tag] = {}  # before its own fields, which may name it
            definitions[tag] = _object(hint, definitions)
        return {"$ref": f"#/$defs/{tag}"}
    raise TypeError(f"the schema has no word for {hint}")
