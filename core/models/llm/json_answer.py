"""A language model's text as JSON of the requested schema."""

from __future__ import annotations

import json
from collections.abc import Mapping

from hcat.core.legible import without_thoughts
from hcat.core.models.llm.language import JsonObject
from hcat.core.types import JsonValue

LONGEST_ANSWER = 200_000
"""The most characters of an answer that are parsed."""


def parsed_answer(text: str, schema: Mapping[str, JsonValue]) -> JsonObject | str:
    """The object in the text if it matches the schema; else what is wrong with it."""
    from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

    if len(text) > LONGEST_ANSWER:
        return "an answer too long to be read"
    try:
        document = json.loads(_bare(text), object_pairs_hook=_unique, parse_constant=_refuse)
    except _TwiceError:
        return "an answer that gives one name twice"
    except (ValueError, RecursionError):
        return "an answer that is not JSON"
    if not isinstance(document, dict) or not Draft202012Validator(schema).is_valid(document):
        return "an answer that does not match the schema"
    return document


class _TwiceError(ValueError):
    """A name occurs twice in one object: a parser would use its last value."""


def _bare(text: str) -> str:
    """The JSON object in a model's text.

    Unless the server prevents it, it comes after reasoning, between other words, in a code fence."""
    said = text if text.lstrip().startswith("{") else without_thoughts(text)
    if said.lstrip().startswith("["):
        return said  # a list is another answer than an object in it
    start, end = said.find("{"), said.rfind("}")
    return said[start : end + 1] if 0 <= start < end else said


def _unique(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    """Raise _TwiceError for a name that occurs twice."""
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise _TwiceError("a name occurs twice in one object")
    return fields


def _refuse(constant: str) -> JsonValue:
    raise ValueError(f"{constant} is not JSON")
