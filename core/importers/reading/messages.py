"""The text in tools' logs of a system's input and output: plain text, an object that names it, or chat messages."""

from __future__ import annotations

from collections.abc import Sequence

from hcat.core.importers.problems import describe
from hcat.core.importers.reading.cells import CellError, as_filled_text, as_text
from hcat.core.importers.reading.contexts import NO_CONTEXTS, Contexts, as_document_or_documents, first_named
from hcat.core.importers.reading.field_names import ANSWER, CONTEXTS, QUERY, REFERENCE
from hcat.core.importers.reading.literals import read_literal
from hcat.core.importers.reading.structures import within
from hcat.core.types import JsonValue

ASKING = ("user", "human", "HumanMessage")
ANSWERING = ("assistant", "ai", "model", "bot", "AIMessage")
_AROUND = ("message", "choices", "generations", "kwargs", "output", "data")
"""The fields in which providers put messages: OpenAI's choices, LangChain's generations and serialised objects."""
_PARTS = ("content", "parts", "text")
_SHOWN_NAMES = 4


def as_question(value: JsonValue) -> str:
    """The question: a text, the last message of the user, or the field of an object with a name for a query."""
    return as_filled_text(None if value is None else _message_text(value, QUERY, ASKING))


def as_answer(value: JsonValue) -> str | None:
    """The answer: a text, the last message of the assistant, or the field with a name for an answer.

    None if its messages have no text, as calls of tools do."""
    return _message_text(value, ANSWER, ANSWERING)


def as_references(value: JsonValue) -> tuple[str, ...]:
    """The right answers: a text, a list of them, or the field of an object with such a name."""
    if isinstance(value, list) and not any(_role(item) for item in value):
        texts = [within(f"[{index}]", as_references, item) for index, item in enumerate(value) if item is not None]
        return tuple(dict.fromkeys(text for some in texts for text in some))
    if isinstance(value, dict) and (name := first_named(value, (*REFERENCE, *ANSWER))) is not None:
        return within(f".{name}", as_references, value[name])
    text = _message_text(value, (*REFERENCE, *ANSWER), ANSWERING)
    return () if text is None else (text,)


def contexts_within(value: JsonValue) -> Contexts:
    """The contexts among the fields of an object, under the first usual name; none in anything else."""
    if not isinstance(value, dict) or (name := first_named(value, CONTEXTS)) is None:
        return NO_CONTEXTS
    if isinstance(value[name], bool | int | float):
        return NO_CONTEXTS  # how many there were
    return within(f".{name}", as_document_or_documents, value[name])


def references_within(value: JsonValue) -> tuple[str, ...]:
    """The right answers among the fields of an object, under the first usual name; none in anything else."""
    if not isinstance(value, dict) or (name := first_named(value, REFERENCE)) is None:
        return ()
    return within(f".{name}", as_references, value[name])


def unpacked(value: JsonValue) -> JsonValue:
    """The object or list in a text, as JSON or as Python shows it; any other value unchanged."""
    if not isinstance(value, str) or value.lstrip()[:1] not in {"{", "["}:
        return value
    try:
        return read_literal(value)
    except (ValueError, RecursionError):
        return value


def as_logged(value: JsonValue) -> JsonValue:
    """The same as `unpacked`, if the object or list is messages or names its text; else the text unchanged."""
    found = unpacked(value)
    if isinstance(found, dict):
        is_log = first_named(found, (*QUERY, *ANSWER, "messages")) is not None or bool(_role(found))
    else:
        is_log = isinstance(found, list) and bool(found) and all(_role(item) for item in found)
    return found if is_log else value


def _message_text(value: JsonValue, names: Sequence[str], roles: Sequence[str]) -> str | None:
    if isinstance(value, str | int | float):
        return as_text(value)
    if isinstance(value, list):
        return _last_message(value, names, roles)
    if isinstance(value, dict):
        if (name := first_named(value, names)) is not None:
            return within(f".{name}", lambda content: _message_text(content, names, roles), value[name])
        if isinstance(messages := value.get("messages"), list):
            return within(".messages", lambda _: _last_message(messages, names, roles), messages)
        if any(part in value for part in _PARTS):
            return _said(value)
        if (name := first_named(value, _AROUND)) is not None:
            return within(f".{name}", lambda content: _message_text(content, names, roles), value[name])
    shown = ", ".join(names[:_SHOWN_NAMES])
    raise CellError(f"text, chat messages, or an object with one of {shown} …", describe(value))


def _last_message(messages: list[JsonValue], names: Sequence[str], roles: Sequence[str]) -> str | None:
    """The last message of a role with a text; a list without roles is one message in parts, or a choice."""
    of_role = [item for item in messages if _role(item) in roles]
    if of_role:
        said = [text for item in of_role if (text := _said(item))]
        return said[-1] if said else None
    if messages and not any(_role(item) for item in messages):
        if (text := _parts(messages)) is not None:
            return text
        return within("[0]", lambda first: _message_text(first, names, roles), messages[0])
    raise CellError(f"chat messages, one of them with the role {roles[0]}", describe(messages))


def _role(message: JsonValue) -> str:
    """The author of a message: its role, or its class; "" for a part of one."""
    if not isinstance(message, dict):
        return ""
    role = message.get("role") or (message.get("type") if message.get("type") in (*ASKING, *ANSWERING) else "")
    return role if isinstance(role, str) else ""


def _said(message: JsonValue) -> str | None:
    """The text of a message, whose content may consist of parts; None if it has none."""
    fields = message if isinstance(message, dict) else {}
    part = first_named(fields, _PARTS)
    if part is None:
        return None
    content = fields[part]
    return within(f".{part}", _content, content)


def _content(value: JsonValue) -> str | None:
    if isinstance(value, list):
        return _parts(value)
    return _said(value) if isinstance(value, dict) else as_text(value)


def _parts(parts: list[JsonValue]) -> str | None:
    """The texts of parts, without images, calls of tools and reasoning; None if none is a text."""
    texts = [
        part if isinstance(part, str) else part["text"]
        for part in parts
        if isinstance(part, str) or (isinstance(part, dict) and isinstance(part.get("text"), str))
    ]
    return "\n".join(text for text in texts if isinstance(text, str)) if texts else None
