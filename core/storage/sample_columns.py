"""The columns of a stored run, each read from its file alone when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from hcat.core.records.samples.columns import LevelColumn, Levels, NumberColumn, Retrieved
from hcat.core.records.samples.likely_trials import LikelyTrials
from hcat.core.slices.sample_columns import MEASURES_VERSION
from hcat.core.storage.measured_files import MeasuredFile
from hcat.core.storage.sample_rows import CANDIDATES, DIMENSION, ESCAPE, LATER_DIMENSIONS, MEASURED, escaped, unescaped
from hcat.core.storage.sample_writer import read_likely_trials

ROWS = 8_192


@dataclass(frozen=True, eq=False)
class StoredColumns:
    """The columns of a file: `read` gives one of them alone, `samples` all that is in the file.

    Those in MEASURED are `measured` again where another version of hcat measured them otherwise: once.
    """

    stored: Callable[[str], pa.ChunkedArray]
    measured: MeasuredFile
    names: tuple[str, ...]
    measures: str
    likely: str

    def read(self, column: str) -> pa.ChunkedArray:
        """One column alone."""
        return self.measured.column(column) if column in MEASURED and self._is_outdated else self.stored(column)

    def ids(self) -> list[str]:
        column = self.read("id")
        ids = cast("list[str]", column.to_numpy().tolist())
        return [unescaped(name) for name in ids] if _has_escapes(column) else ids

    def levels(self, column: LevelColumn) -> Levels:
        return _levels(self.read(column))

    def numbers(self, column: NumberColumn) -> NDArray[np.float64]:
        stored = pc.cast(self.read(column), pa.float64())
        return np.asarray(pc.fill_null(stored, np.nan).to_numpy(), dtype=np.float64)

    def dimension_names(self) -> list[str]:
        own = [name.removeprefix(DIMENSION) for name in self.names if name.startswith(DIMENSION)]
        later = (pc.unique(_keys(chunk)).to_pylist() for chunk in self.read(LATER_DIMENSIONS).chunks)
        return [unescaped(name) for name in dict.fromkeys([*own, *chain.from_iterable(later)])]

    def dimension(self, name: str) -> Levels:
        column = DIMENSION + escaped(name)
        if column in self.names:
            return _levels(self.read(column))
        later = self.read(LATER_DIMENSIONS).chunks
        return _levels(pa.chunked_array([_of_name(chunk, escaped(name)) for chunk in later], pa.string()))

    def likely_trials(self) -> LikelyTrials | None:
        return read_likely_trials(self.measured.likely_trials if self._is_outdated else self.likely)

    def retrieved(self) -> Iterator[Retrieved]:
        columns = [self.read(name) for name in ("id", "context_ids", "relevant_ids", CANDIDATES)]
        for name, contexts, grades, candidates in _cells(columns):
            yield Retrieved(
                unescaped(name),
                tuple(map(unescaped, contexts)),
                {unescaped(passage): grade for passage, grade in grades},
                None if candidates is None else tuple(map(unescaped, candidates)),
            )

    @property
    def _is_outdated(self) -> bool:
        return self.measures != str(MEASURES_VERSION)


def _cells(columns: Sequence[pa.ChunkedArray]) -> Iterator[tuple[Any, ...]]:
    """The cells of each row, some thousand rows in memory at a time."""
    for start in range(0, len(columns[0]), ROWS):
        yield from zip(*(column.slice(start, ROWS).to_pylist() for column in columns), strict=True)


def _levels(column: pa.ChunkedArray) -> Levels:
    """A column of texts as codes and names; an escaped name is given back."""
    kept = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    if not kept.num_chunks:
        return Levels(np.zeros(0, dtype=np.int32), ())
    whole = kept.unify_dictionaries().combine_chunks() if kept.num_chunks > 1 else kept.chunk(0)
    codes = np.asarray(pc.fill_null(whole.indices, -1).to_numpy(zero_copy_only=False), dtype=np.int32)
    return Levels(codes, tuple(map(unescaped, whole.dictionary.to_pylist())))


def _of_name(maps: pa.MapArray, name: str) -> pa.Array:
    """The item of each map under this name; null where it has none."""
    offsets = maps.offsets.to_numpy()
    rows = np.repeat(np.arange(len(maps)), np.diff(offsets))
    chosen = np.asarray(pc.equal(_keys(maps), name).to_numpy(zero_copy_only=False), dtype=bool)
    places = np.full(len(maps), -1, dtype=np.int64)
    places[rows[chosen]] = offsets[0] + np.flatnonzero(chosen)
    return pc.take(maps.items, pa.array(places, mask=places < 0))


def _keys(maps: pa.MapArray) -> pa.Array:
    """The names in the maps, one after another."""
    first, last = maps.offsets[0].as_py(), maps.offsets[-1].as_py()
    return maps.keys.slice(first, last - first)


def _has_escapes(column: pa.ChunkedArray) -> bool:
    return bool(pc.any(pc.starts_with(column, ESCAPE)).as_py())
