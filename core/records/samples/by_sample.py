"""Properties of a run's samples by id, stored as columns: no dictionary of a run is built to look some up."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import repeat
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from hcat.core.arrays import Codes, Floats, Ints
from hcat.core.records.samples.columns import Levels

T = TypeVar("T")

FEW = 20
"""The ratio of a run's samples to the requested ones above which it is large."""


@dataclass(frozen=True, eq=False)
class SampleOrder:
    """The ids of n different samples in the order of a run, which the run's columns share."""

    ids: Sequence[str]
    _last: list[tuple[tuple[str, ...], Ints]] = field(default_factory=list, init=False, repr=False)

    @cached_property
    def row_of(self) -> Mapping[str, int]:
        """The row of each sample."""
        return dict(zip(self.ids, range(len(self.ids)), strict=True))

    def is_of(self, ids: Sequence[str]) -> bool:
        """Whether these are the same samples in the same order."""
        if ids is self.ids:
            return True
        return len(ids) == len(self.ids) and (len(ids) == 0 or ids[0] == self.ids[0]) and list(ids) == list(self.ids)

    def rows(self, ids: Sequence[str]) -> Ints:
        """The row of each of these samples (m,), which callers must not modify; −1 for one that is not in the run.

        The columns of a run are read for the same samples one after another, and by a live calibration for one more
        after each label: the last result is reused if it is the beginning."""
        if self.is_of(ids):
            return np.arange(len(ids), dtype=np.intp)
        nothing = (), np.zeros(0, dtype=np.intp)
        known, rows = self._last[0] if self._last else nothing
        if tuple(ids[: len(known)]) != known:
            known, rows = nothing
        if len(known) < len(ids):
            rows = np.append(rows, self._found(ids[len(known) :]))
            self._last[:] = [(tuple(ids), rows)]
        return rows

    def _found(self, ids: Sequence[str]) -> Ints:
        """The rows of a few among many, found by a pass over the run, in less time and memory than with a
        dictionary."""
        if "row_of" in self.__dict__ or FEW * len(ids) > len(self.ids):
            return np.fromiter(map(self.row_of.get, ids, repeat(-1)), dtype=np.intp, count=len(ids))
        place = {name: number for number, name in enumerate(dict.fromkeys(ids))}
        among = np.fromiter(map(place.get, self.ids, repeat(-1)), dtype=np.intp, count=len(self.ids))
        rows = np.full(len(place), -1, dtype=np.intp)
        inside = np.flatnonzero(among >= 0)
        rows[among[inside]] = inside
        return rows[[place[name] for name in ids]] if ids else np.zeros(0, dtype=np.intp)


@dataclass(frozen=True, eq=False)
class LevelBySample(Mapping[str, T]):
    """A text of each sample, such as its cluster or the level of a dimension: `levels` (n,) in the order of the run.

    T is `str` if every sample has one, else `str | None`."""

    order: SampleOrder
    levels: Levels

    @cached_property
    def _texts(self) -> tuple[T, ...]:
        return (*self.levels.names, None)  # type: ignore[arg-type]  # −1 points to the last

    def __getitem__(self, sample_id: str) -> T:
        text: T = self._texts[self.levels.codes[self.order.row_of[sample_id]]]
        return text

    def __iter__(self) -> Iterator[str]:
        return iter(self.order.ids)

    def __len__(self) -> int:
        return len(self.order.ids)

    def at(self, ids: Sequence[str]) -> Levels:
        """The levels of these samples (m,); none for one that is not in the run."""
        if self.order.is_of(ids):
            return self.levels
        codes = np.append(self.levels.codes, np.int32(-1))
        return Levels(codes[self.order.rows(ids)], self.levels.names)


@dataclass(frozen=True, eq=False)
class NumberBySample(Mapping[str, T]):
    """A number of each sample: `numbers` (n,) in the order of the run, NaN for a missing one, which is read as None.

    T is `float` if every sample has one, else `float | None`."""

    order: SampleOrder
    numbers: Floats

    def __getitem__(self, sample_id: str) -> T:
        value = float(self.numbers[self.order.row_of[sample_id]])
        return None if math.isnan(value) else value  # type: ignore[return-value]

    def __iter__(self) -> Iterator[str]:
        return iter(self.order.ids)

    def __len__(self) -> int:
        return len(self.order.ids)

    def at(self, ids: Sequence[str]) -> Floats:
        """The numbers of these samples (m,); NaN for one that is not in the run."""
        return self.numbers if self.order.is_of(ids) else np.append(self.numbers, np.nan)[self.order.rows(ids)]


def levels_at(known: Mapping[str, str] | Mapping[str, str | None], ids: Sequence[str]) -> Levels:
    """The text of each of these samples (m,), by a column or by a dictionary; none for an unknown one."""
    return known.at(ids) if isinstance(known, LevelBySample) else Levels.of(map(known.get, ids))


def numbers_at(known: Mapping[str, float] | Mapping[str, float | None], ids: Sequence[str]) -> Floats:
    """The number of each of these samples (m,), by a column or by a dictionary; NaN for an unknown one."""
    if isinstance(known, NumberBySample):
        return known.at(ids)
    return np.array(list(map(known.get, ids)), dtype=np.float64)  # of None NumPy makes NaN


def distinct_levels(known: Mapping[str, str] | Mapping[str, str | None]) -> int:
    """The number of distinct texts of the samples."""
    if not isinstance(known, LevelBySample):
        return len(set(known.values()) - {None})
    return int(np.count_nonzero(used_names(known.levels)))


def used_names(levels: Levels) -> NDArray[np.bool_]:
    """Whether each of the names is used by a sample (names,)."""
    return np.bincount(levels.codes[levels.codes >= 0], minlength=len(levels.names)) > 0


def codes_by_name(levels: Levels) -> Codes:
    """The number of each sample's text (n,) among those that occur, from 0 in alphabetical order, as in `numpy.unique`.

    Every sample has one."""
    used = np.flatnonzero(used_names(levels)).tolist()
    rank = np.zeros(len(levels.names), dtype=np.intp)
    rank[sorted(used, key=levels.names.__getitem__)] = np.arange(len(used))
    return rank[levels.codes]
