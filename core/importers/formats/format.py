"""The declaration of a source format: its columns, the sample field of each, and a reader of rows.

A column that tools or versions call differently is declared once, as its names with "|" between them, the preferred one
first: "input|query". If several exist, only the first counts; the others are unknown columns."""

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
    """The layout of a tool's files.

    The format is recognised if all `required` columns exist; `fields` maps each known column to the sample's field; a
    file with one of `excluded` is another tool's and only similar. `read` returns the sample of a row, with an empty id
    if the row has none, and reports problems to the reader. `scores` are the tool's own scores of a row within a cell,
    by name; it is not needed for those in columns."""

    name: str
    title: str
    required: tuple[str, ...]
    fields: Mapping[str, str]
    read: Callable[[RowReader], Sample]
    excluded: frozenset[str] = frozenset()
    scores: Callable[[RowReader], Mapping[str, JsonValue]] = no_scores

    def missing(self, columns: Collection[str]) -> tuple[str, ...]:
        """The required columns that exist under none of their names."""
        return tuple(names for names in self.required if not any(name in columns for name in names.split("|")))

    def fits(self, columns: Collection[str]) -> bool:
        """Whether a file with these columns can be of this format."""
        return not self.missing(columns) and self.excluded.isdisjoint(columns)

    def known_fields(self, columns: Collection[str]) -> dict[str, str]:
        """The columns that the format knows, in their order, with their sample field."""
        chosen = {
            present[0]: field
            for names, field in self.fields.items()
            if (present := [name for name in names.split("|") if name in columns])
        }
        return {name: chosen[name] for name in columns if name in chosen}
