"""SQL templates as people and language models write them: SQL with placeholders such as [employee.name].

A placeholder names the column that its values come from (the source's own notation); [employee.name:2] is a second
value of the same column. The texts of a template use the same placeholders.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hcat.core.records.hashing import sha256_of_text

_PLACE = re.compile(r"\[([^\[\].:]+)\.([^\[\].:]+)(?::(\d+))?\]")


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A placeholder: the column that its values come from, and which of several of the same column. As in SQL, names
    that differ in case alone are the same."""

    table: str
    column: str
    number: int = 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[str, str, int]:
        return self.table.casefold(), self.column.casefold(), self.number

    def __str__(self) -> str:
        return f"[{self.table}.{self.column}{'' if self.number == 1 else f':{self.number}'}]"


@dataclass(frozen=True, slots=True)
class WrittenTemplate:
    """A template with its phrases for the text templates of a criterion: `question` for the requested value, `subject`
    for the named thing. `texts` are text templates of its own, by criterion. `origin` is its author: a rule, a person
    or a model."""

    sql: str
    question: str = ""
    subject: str = ""
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    origin: str = "own"
    name: str = ""

    @property
    def id(self) -> str:
        """Its name, else the beginning of the hash of its SQL."""
        return self.name or f"sql-{sha256_of_text(' '.join(self.sql.split()))[:8]}"

    @property
    def kind(self) -> str:
        return self.origin

    @property
    def places(self) -> tuple[Place, ...]:
        """The placeholders of the SQL, each once, in order."""
        return places_in(self.sql)


def places_in(text: str) -> tuple[Place, ...]:
    """The placeholders of a text, each once, in order."""
    found = (Place(match[1], match[2], int(match[3] or 1)) for match in _PLACE.finditer(text))
    return tuple(dict.fromkeys(found))


def with_values(text: str, values: Mapping[Place, str]) -> str:
    """The text with each placeholder replaced; values that look like placeholders are not replaced in turn."""
    return _PLACE.sub(lambda match: values[Place(match[1], match[2], int(match[3] or 1))], text)


def missing_places(text: str, places: Sequence[Place]) -> tuple[str, ...]:
    """The placeholders that a text template lacks, and those that the SQL doesn't have."""
    own = places_in(text)
    lacking = [f"lacks {place}" for place in places if place not in own]
    return (*lacking, *(f"names {place}, which the SQL does not" for place in own if place not in places))
