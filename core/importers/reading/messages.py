"""The text in what tools log as input and output of a system: plain text, an object that names it, or chat messages."""

from __future__ import annotations

import json
from collections.abc import Sequence

from core.importers.problems import describe
from core.importers.reading.cells import CellError, as_filled_text, as_text
from core.importers.reading.contexts import NO_CONTEXTS, Contexts, as_document_or_documents, first_named
from core.importers.reading.field_names import ANSWER, CONTEXTS, QUERY
from core.importers.reading.json_records import parse_json
from core.importers.reading.structures import within
from core.types import JsonValue

ASKING = ("user", "human", "HumanMessage")
ANSWERING = ("assistant", "ai", "model", "AIMessage")
_SHOWN_NAMES = 4


def as_question(value: JsonValue) -> str:
    """The question: a text, the last message of the user, or the field of an object that is named like a query."""
    return as_filled_text(None if value is None else _message_text(value, QUERY, ASKING))


def as_answer(value: JsonValue) -> str:
    """The answer: a text, the last message of the assistant, or the field that is named like an answer."""
    return _message_text(value, ANSWER, ANSWERING)


def contexts_within(value: JsonValue) -> Contexts:
    """The contexts among the fields of an object, under the first usual name; none in anything else."""
    if not isinstance(value, dict) or (name := first_named(value, CONTEXTS)) is None:
        return NO_CONTEXTS
    return within(f".{name}", as_document_or_documents, value[name])


def unpacked(value: JsonValue) -> JsonValue:
    """The object or list that a text spells out as JSON; any other value unchanged."""
    if not isinstance(value, str) or value.lstrip()[:1] not in {"{", "["}:
        return value
    try:
        return parse_json(value)
    except (json.JSONDecodeError, ValueError, RecursionError):
        return value


def _message_text(value: JsonValue, names: Sequence[str], roles: Sequence[str]) -> str:
    if isinstance(value, str | int | float):
        return as_text(value)
    if isinstance(value, list):
        return _last_message(value, roles)
    if isinstance(value, dict):
        if (name := first_named(value, names)) is not None:
            return within(f".{name}", lambda content: _message_text(content, names, roles), value[name])
        if isinstance(messages := value.get("messages"), list):
            return within(".messages", lambda _: _last_message(messages, roles), messages)
        if "content" in value:
            return within(".content", _content, value["content"])
    shown = ", ".join(names[:_SHOWN_NAMES])
    raise CellError(f"text, chat messages, or an object with one of {shown} …", describe(value))


def _last_message(messages: list[JsonValue], roles: Sequence[str]) -> str:
    of_role = [item for item in messages if isinstance(item, dict) and _role(item) in roles]
    if not of_role:
        raise CellError(f"chat messages, one of them with the role {roles[0]}", describe(messages))
    return within(".content", _content, of_role[-1].get("content"))


def _role(message: dict[str, JsonValue]) -> JsonValue:
    return message.get("role") or message.get("type")


def _content(value: JsonValue) -> str:
    """The text of a message, whose content may consist of parts."""
    if isinstance(value, list):
        parts = [block.get("text") if isinstance(block, dict) else block for block in value]
        return "\n".join(as_text(block) for block in parts if block is not None)
    return as_text(value)
