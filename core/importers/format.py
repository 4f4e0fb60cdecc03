"""What a source format declares: the columns it has, which field of a sample each becomes, and how a row is read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from core.importers.row_reader import RowReader
from core.types import Sample


@dataclass(frozen=True, slots=True)
class Format:
    """A layout that other tools write.

    `required` columns must all be there for the format to be recognised; `fields` names, for each column that it knows,
    the sample's field that it becomes; a file with one of `excluded` is another tool's and only looks like this one.
    `read` gives the sample of a row, with an empty id where the row has none, and leaves problems with the reader.
    """

    name: str
    title: str
    required: tuple[str, ...]
    fields: Mapping[str, str]
    read: Callable[[RowReader], Sample]
    excluded: frozenset[str] = frozenset()

    def fits(self, columns: Collection[str]) -> bool:
        """Whether a file with these columns can be of this format."""
        return all(name in columns for name in self.required) and self.excluded.isdisjoint(columns)

    def recognised(self, columns: Collection[str]) -> tuple[str, ...]:
        """Those of the columns that the format knows, in their order."""
        return tuple(name for name in columns if name in self.fields)
