"""Results to and from JSON, by the types of their fields: one codec for all documents that hcat writes.

A dataclass is an object, a tuple a list, an array nested lists, a date its ISO text, NaN null. Reading is strict: a
missing value or one of another type is named by its path, as "diagnostics.coverage.low: a number was expected". Unknown
keys are ignored, and an absent key means the field's default: so documents of earlier versions can be read."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, is_dataclass
from datetime import date
from typing import TypeVar, cast

from hcat.core.records.layout import (
    Also,
    Inline,
    JsonObject,
    Key,
    Layout,
    Layouts,
    Sentence,
    entries,
    layout_of,
    tag_of,
)
from hcat.core.records.reading import Reader
from hcat.core.types import JsonValue

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Codec:
    """Writes values as JSON and reads them back. `layouts` are those of dataclasses that are not one key per field.

    With a `tag`, every object has its dataclass under that key, and unions of dataclasses can be read."""

    layouts: Layouts = field(default_factory=dict)
    tag: str | None = None

    def write(self, value: object) -> JsonValue:
        """The value as JSON; null for a number that is not finite. Raises TypeError if JSON can't express it."""
        if value is None or isinstance(value, bool | int | str):
            return value
        if isinstance(value, float):
            return value if math.isfinite(value) else None
        if isinstance(value, date):  # a datetime is one, too
            return value.isoformat()
        if isinstance(value, Mapping):
            return {str(key): self.write(item) for key, item in value.items()}
        if isinstance(value, tuple | list):
            return [self.write(item) for item in value]
        if is_dataclass(value) and not isinstance(value, type):
            return self.write_object(value)
        if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
            return self.write(value.tolist())
        raise TypeError(f"a document can't hold a {type(value).__name__}")

    def write_object(self, value: object) -> JsonObject:
        """A dataclass or a mapping as a JSON object."""
        if isinstance(value, Mapping):
            return {str(key): self.write(item) for key, item in value.items()}
        tag: JsonObject = {} if self.tag is None else {self.tag: tag_of(type(value))}
        return tag | self._keys(value, layout_of(type(value), self.layouts))

    def read(
        self, kind: type[T], document: JsonValue, *, at: str = "", preset: Mapping[str, object] | None = None
    ) -> T:
        """The dataclass of this kind that `write_object` wrote. Raises FileFormatError on anything else.

        `preset` are the values of fields that the document lacks; `at` is its path in the whole document."""
        return cast(T, Reader(self.layouts, self.tag).read_object(kind, document, at, preset or {}))

    def _keys(self, value: object, layout: Layout) -> JsonObject:
        written: JsonObject = {}
        for entry in entries(layout):
            if isinstance(entry, Key):
                written[entry.name] = self.write(getattr(value, entry.field))
            elif isinstance(entry, Also):
                written[entry.name] = self.write(entry.value_of(value))
            elif isinstance(entry, Sentence):
                written[entry.name] = ""
            elif isinstance(entry, Inline):
                inner = getattr(value, entry.field)
                written |= self._keys(inner, layout_of(type(inner), self.layouts))
            else:
                written[entry.name] = self._keys(value, entry.keys)
        return written


JSON = Codec()
"""One key a field, no tags."""
