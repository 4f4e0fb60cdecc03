"""The layout of the JSON object of a dataclass, if it is not one key per field."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass

from hcat.core.types import JsonValue

JsonObject = dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Key:
    """A field under the key `name`. It may be absent if the field has a default, unless it is `required`."""

    name: str
    field: str
    required: bool = False


@dataclass(frozen=True, slots=True)
class Also:
    """A key for readers only, which is not read back.

    An attribute, one of its parts ("auc.value"), or the result of a method without arguments."""

    name: str
    attribute: str

    def value_of(self, owner: object) -> object:
        """The value of the key for this object."""
        for name in self.attribute.split("."):
            owner = getattr(owner, name)
        return owner() if callable(owner) else owner


@dataclass(frozen=True, slots=True)
class Sentence:
    """A key for a sentence about the object: "" here, filled in by the wording of results, and not read back."""

    name: str


@dataclass(frozen=True, slots=True)
class Inline:
    """The keys of the field's own object, without nesting."""

    field: str


@dataclass(frozen=True, slots=True)
class Group:
    """An object under `name` with some of the keys."""

    name: str
    keys: Layout


Entry = Key | Also | Sentence | Inline | Group
Layout = tuple[str | Entry, ...]
"""The keys of an object in their order; a plain name is both the key and the field."""

Layouts = Mapping[type, Layout]


def layout_of(kind: type, layouts: Layouts) -> Layout:
    """The layout of a dataclass: the one declared, or else one key a field."""
    if kind in layouts:
        return layouts[kind]
    if not is_dataclass(kind):
        raise TypeError(f"{kind.__name__} is no dataclass")
    return tuple(field.name for field in fields(kind) if field.init)


def entries(layout: Layout) -> Iterator[Entry]:
    """The entries of a layout, plain names as keys."""
    return (Key(entry, entry) if isinstance(entry, str) else entry for entry in layout)


def tag_of(kind: type) -> str:
    """The word for a class in documents: "key_values" for KeyValues."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()
