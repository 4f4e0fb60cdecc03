"""Retrieved contexts in the forms of tools: texts, or objects with different names for the text, its id and its score.

A document may be in a pair with its score (LangChain), or within an object that has the score (LlamaIndex's `node`,
Qdrant's `payload`, Elasticsearch's `_source`, Pinecone's `metadata`, Bedrock's `content`). Other fields of an object (a
source, a page) have no place in a passage and go to the sample's metadata, and so does an invalid id or score."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hcat.core.importers.problems import describe
from hcat.core.importers.reading.cells import CellError, as_identifier, as_number, as_text, number_in_text
from hcat.core.importers.reading.field_names import ID, SCORE, TEXT
from hcat.core.importers.reading.structures import passage_id, within
from hcat.core.types import JsonValue, Passage

CONTEXT_METADATA = "context_metadata"
"""The metadata field that lists, by rank, the fields of the objects in `contexts` that a passage does not have."""

Contexts = tuple[tuple[Passage, ...], dict[str, JsonValue]]
"""Passages in rank order, and additions to the sample's metadata."""

NO_CONTEXTS: Contexts = ((), {})

_SHOWN_STRUCTURE = re.compile(
    r"\[\s*(?:['\"\[{(<]|[A-Za-z_][\w.]*\()|\{\s*['\"]|\[?[A-Za-z_][\w.]*\(.*\)\]?\Z", re.DOTALL
)
"""The beginning of a list or an object; if it could not be parsed as one, it is not a context's text either."""
_AROUND = ("node", "document", "doc", "payload", "_source", "entity", "metadata", "properties", "content", "record")
"""The fields in which tools put a document next to its score."""
_DEEPEST = 3
LIST = 'a list, such as ["first", "second"]'


def as_document_or_documents(value: JsonValue) -> Contexts:
    """A list of texts or of documents as LangChain, RAGChecker and others write them, or a single one."""
    if isinstance(value, str) and _SHOWN_STRUCTURE.match(value.strip()):
        raise CellError(LIST, describe(value))
    return _documents(value if isinstance(value, list) else [value])


def first_named(fields: dict[str, JsonValue], names: Sequence[str]) -> str | None:
    """The first of the names under which the object has a value."""
    return next((name for name in names if fields.get(name) is not None), None)


def _documents(items: list[JsonValue]) -> Contexts:
    if len(items) == 1 and isinstance(items[0], list) and not _is_scored(items[0]):
        items = items[0]  # Chroma answers several queries at once, with a list for each
    there = [(index, item) for index, item in enumerate(items) if item is not None]
    read = [within(f"[{index}]", _document, item) for index, item in there]
    return tuple(passage for passage, _ in read), _metadata([rest for _, rest in read])


def _document(value: JsonValue, depth: int = 0) -> tuple[Passage, dict[str, JsonValue]]:
    if isinstance(value, str | int | float):
        text = as_text(value)
        return Passage(passage_id(text), text), {}
    if isinstance(value, list) and _is_scored(value):
        passage, rest = _document(value[0], depth + 1)
        return Passage(passage.id, passage.text, as_number(value[1])), rest
    if not isinstance(value, dict):
        raise CellError('a text, or an object with "text"', describe(value))
    text_key = next((name for name in TEXT if isinstance(value.get(name), str | int | float)), None)
    around = next((name for name in _AROUND if _holds_text(value.get(name))), None)
    if text_key is None and around is not None and depth < _DEEPEST:
        inner, rest = within(f".{around}", lambda part: _document(part, depth + 1), value[around])
        own_id, score, further = _named_parts(value, {around})
        passage = Passage(own_id or inner.id, inner.text, inner.score if score is None else score)
        return passage, {**rest, **further}
    text = within(f".{text_key or 'text'}", as_text, value.get(text_key or "text"))
    own_id, score, rest = _named_parts(value, {text_key})
    return Passage(own_id or passage_id(text), text, score), rest


def _holds_text(value: JsonValue) -> bool:
    return isinstance(value, dict) and first_named(value, (*TEXT, *_AROUND)) is not None


def _is_scored(value: list[JsonValue]) -> bool:
    """Whether it is a document with its score."""
    return len(value) == 2 and isinstance(value[0], str | dict) and _number(value[1]) is not None


def _named_parts(
    value: dict[str, JsonValue], used: set[str | None]
) -> tuple[str | None, float | None, dict[str, JsonValue]]:
    """The id and the score of an object, if it has any that can be read, and its other fields."""
    id_key = next((name for name in ID if _identifier(value.get(name)) is not None), None)
    score_key = next((name for name in SCORE if _number(value.get(name)) is not None), None)
    found_id = None if id_key is None else _identifier(value[id_key])
    score = None if score_key is None else _number(value[score_key])
    return found_id, score, _without(value, {*used, id_key, score_key})


def _identifier(value: JsonValue) -> str | None:
    try:
        return as_identifier(value)
    except CellError:
        return None


def _number(value: JsonValue) -> float | None:
    try:
        return as_number(number_in_text(value))
    except CellError:
        return None


def _without(item: dict[str, JsonValue], used: set[str | None]) -> dict[str, JsonValue]:
    return {name: value for name, value in item.items() if name not in used and value not in (None, {}, [])}


def _metadata(rests: list[dict[str, JsonValue]]) -> dict[str, JsonValue]:
    return {CONTEXT_METADATA: list[JsonValue](rests)} if any(rests) else {}
