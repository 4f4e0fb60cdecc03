"""The slice of each value, in an order of rows that their content alone decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, slots=True, eq=False)
class Partition:
    """Slices that share no sample: `codes` (N,) name that of each value, from 0; `tested` (k,) which are tested."""

    codes: Codes
    tested: Bools


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """Contiguous clusters of values: the cluster of each row (N,), where each begins, its size."""

    of_row: Codes
    starts: Codes
    sizes: Codes


@dataclass(frozen=True, slots=True, eq=False)
class Membership:
    """The rows of each of k slices, as pairs of a slice and a row (pairs,), sorted by slice; `rows` is N."""

    slices: Codes
    members: Codes
    count: int
    rows: int

    @property
    def n(self) -> Floats:
        """Rows of each slice (k, 1)."""
        return np.bincount(self.slices, minlength=self.count).astype(np.float64)[:, None]

    def only(self, chosen: Codes) -> Membership:
        """The chosen slices (rising), numbered from 0 again."""
        number = np.full(self.count, -1, dtype=np.intp)
        number[chosen] = np.arange(len(chosen))
        inside = number[self.slices] >= 0
        return Membership(number[self.slices[inside]], self.members[inside], len(chosen), self.rows)

    def matrix(self, weights: Floats | None = None) -> csr_array:
        """(k, N): 1, or the weight of the row (N,), where the row is in the slice."""
        return indicator(
            self.slices, self.members, (self.count, self.rows), None if weights is None else weights[self.members]
        )


def indicator(rows: Codes, columns: Codes, shape: tuple[int, int], entries: Floats | None = None) -> csr_array:
    """A sparse matrix with 1, or such an entry, at each pair of a row and a column."""
    from scipy.sparse import csr_array

    return csr_array((np.ones(len(rows)) if entries is None else entries, (rows, columns)), shape=shape)


def by_content(
    columns: Sequence[Floats], cases: Codes | None, partitions: Sequence[Partition]
) -> tuple[Codes, list[Codes]]:
    """An order of the rows (N,), and the codes of each partition in such an order.

    Rows go by the first of the `columns` (N,) each, then by the next; whole clusters by those of their rows. Rows and
    clusters that have all of these alike go by the slices they are in. So the numbers of a partition follow from
    content and slices, whatever the order of rows and their names, and the sorted columns are the same for all
    partitions.
    """
    none = np.zeros(len(columns[0]), dtype=np.intp)
    order = _rows_by_content if cases is None else _clusters_by_content
    return order(columns, cases, none), [part.codes[order(columns, cases, part.codes)] for part in partitions]


def _rows_by_content(columns: Sequence[Floats], _: Codes | None, codes: Codes) -> Codes:
    return np.lexsort((codes, *reversed(columns)))


def _clusters_by_content(columns: Sequence[Floats], cases: Codes | None, codes: Codes) -> Codes:
    cases = np.zeros(len(codes), dtype=np.intp) if cases is None else cases
    order = np.lexsort((codes, *reversed(columns), cases))
    ends = np.flatnonzero(np.diff(cases[order])) + 1
    rows = np.split(order, ends)
    keys = [(len(part), *(tuple(column[part].tolist()) for column in (*columns, codes))) for part in rows]
    return np.concatenate([rows[k] for k in sorted(range(len(rows)), key=keys.__getitem__)])


def contiguous(cases: Codes) -> Clusters:
    """The clusters of rows that are ordered by cluster."""
    starts = np.concatenate([[0], np.flatnonzero(np.diff(cases)) + 1]).astype(np.intp)
    sizes = np.diff(np.append(starts, len(cases)))
    return Clusters(np.repeat(np.arange(len(starts)), sizes), starts, sizes)


def joined(codes: Sequence[Codes], partitions: Sequence[Partition]) -> Membership:
    """All tested slices of all partitions, numbered one partition behind the other."""
    slices, members, offset = [np.zeros(0, dtype=np.intp)], [np.zeros(0, dtype=np.intp)], 0
    for of_rows, partition in zip(codes, partitions, strict=True):
        number = np.where(partition.tested, np.cumsum(partition.tested) - 1 + offset, -1)[of_rows]
        order = np.argsort(number, kind="stable")
        order = order[number[order] >= 0]
        slices.append(number[order])
        members.append(order)
        offset += int(partition.tested.sum())
    rows = len(codes[0]) if codes else 0
    return Membership(np.concatenate(slices), np.concatenate(members), offset, rows)
