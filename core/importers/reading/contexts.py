"""Retrieved contexts as tools hand them on: texts, or objects that call the text, its id and its score differently.

Other fields of an object (a source, a page) have no place in a passage and go to the sample's metadata.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.importers.problems import describe
from core.importers.reading.cells import CellError, as_identifier, as_number, as_text
from core.importers.reading.field_names import ID, SCORE, TEXT
from core.importers.reading.structures import as_list, as_passages, passage_id, within
from core.types import JsonValue, Passage

CONTEXT_METADATA = "context_metadata"
"""The metadata field that lists, by rank, the fields of the objects in `contexts` that a passage does not have."""

Contexts = tuple[tuple[Passage, ...], dict[str, JsonValue]]
"""Passages in rank order, and what goes to the sample's metadata."""

NO_CONTEXTS: Contexts = ((), {})

_SHOWN_OBJECT = re.compile(r"\[?[A-Za-z_]\w*\(.*\)\]?\Z", re.DOTALL)
"""How Python shows objects; where their fields could not be read, they are no text of a context either."""
_NATIVE_KEYS = frozenset({"id", "text", "score"})


def as_native_contexts(value: JsonValue) -> Contexts:
    """Contexts of a native run file: texts, or objects with `text` and, where known, `id` and `score`."""
    passages = as_passages(value)
    rests = [_without(item, _NATIVE_KEYS) for item in as_list(value)]
    return passages, _metadata(rests)


def as_documents(value: JsonValue) -> Contexts:
    """A list of texts or of documents as LangChain, RAGChecker and others write them."""
    return _documents(as_list(value))


def as_document_or_documents(value: JsonValue) -> Contexts:
    """As `as_documents`, or a single text or document, which is then the only context."""
    if isinstance(value, str) and _SHOWN_OBJECT.match(value):
        raise CellError('a list, such as ["first", "second"]', describe(value))
    return _documents(value if isinstance(value, list) else [value])


def first_named(fields: dict[str, JsonValue], names: Sequence[str]) -> str | None:
    """The first of the names under which the object holds something."""
    return next((name for name in names if fields.get(name) is not None), None)


def _documents(items: list[JsonValue]) -> Contexts:
    read = [within(f"[{index}]", _document, item) for index, item in enumerate(items)]
    return tuple(passage for passage, _ in read), _metadata([rest for _, rest in read])


def _document(value: JsonValue) -> tuple[Passage, dict[str, JsonValue]]:
    if isinstance(value, str | int | float):
        text = as_text(value)
        return Passage(passage_id(text), text), {}
    if not isinstance(value, dict):
        raise CellError('a text, or an object with "text"', describe(value))
    text_key = first_named(value, TEXT) or "text"
    id_key, score_key = first_named(value, ID), first_named(value, SCORE)
    text = within(f".{text_key}", as_text, value.get(text_key))
    passage = Passage(
        id=passage_id(text) if id_key is None else within(f".{id_key}", as_identifier, value[id_key]),
        text=text,
        score=None if score_key is None else within(f".{score_key}", as_number, value[score_key]),
    )
    return passage, _without(value, {text_key, id_key, score_key})


def _without(item: JsonValue, used: frozenset[str] | set[str | None]) -> dict[str, JsonValue]:
    if not isinstance(item, dict):
        return {}
    return {name: value for name, value in item.items() if name not in used and value not in (None, {}, [])}


def _metadata(rests: list[dict[str, JsonValue]]) -> dict[str, JsonValue]:
    return {CONTEXT_METADATA: list[JsonValue](rests)} if any(rests) else {}
