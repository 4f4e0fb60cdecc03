"""What a source format declares: the columns it has, which field of a sample each becomes, and how a row is read.

A column that tools or versions call differently is declared once, as its names with "|" between them, the preferred
one first: "input|query". Of several that are there, only the first counts; the others stay unknown columns.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from hcat.core.importers.reading.row_reader import RowReader
from hcat.core.types import JsonValue, Sample


def no_scores(row: RowReader) -> Mapping[str, JsonValue]:  # noqa: ARG001 - of a tool that keeps scores in columns alone
    """No scores within cells."""
    return {}


@dataclass(frozen=True, slots=True)
class Format:
    """A file layout that a tool writes.

    `required` columns must all be there for the format to be recognised; `fields` names, for each column that it knows,
    the sample's field that it becomes; a file with one of `excluded` is another tool's and only looks like this one.
    `read` gives the sample of a row, with an empty id where the row has none, and leaves problems with the reader.
    `scores` are the tool's own scores of a row that stand within a cell, by name; those in columns need none.
    """

    name: str
    title: str
    required: tuple[str, ...]
    fields: Mapping[str, str]
    read: Callable[[RowReader], Sample]
    excluded: frozenset[str] = frozenset()
    scores: Callable[[RowReader], Mapping[str, JsonValue]] = no_scores

    def missing(self, columns: Collection[str]) -> tuple[str, ...]:
        """The required columns that are there under none of their names."""
        return tuple(names for names in self.required if not any(name in columns for name in names.split("|")))

    def fits(self, columns: Collection[str]) -> bool:
        """Whether a file with these columns can be of this format."""
        return not self.missing(columns) and self.excluded.isdisjoint(columns)

    def known_fields(self, columns: Collection[str]) -> dict[str, str]:
        """Those of the columns that the format knows, in their order, with the field that each becomes."""
        chosen = {
            present[0]: field
            for names, field in self.fields.items()
            if (present := [name for name in names.split("|") if name in columns])
        }
        return {name: chosen[name] for name in columns if name in chosen}
