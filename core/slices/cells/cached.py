"""The cells of a large run, kept from one process to the next, and brought up to date by what changed.

Cells are kept under the content of the columns that they were summed from: what is found under a name can't be out of
date. A new set of scores has cells of its own; those of labels are kept with the labels that they count, and a later
state of these adds and subtracts what differs. All sums are of whole numbers, so that the result is bit for bit that of
counting again. docs/decisions/0066.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from hcat.core.arrays import Codes
from hcat.core.records.hashing import sha256_of_bytes
from hcat.core.records.parquet import read_table
from hcat.core.refusals.state import ANSWER_STATES
from hcat.core.slices.cells.counts import Rows
from hcat.core.slices.cells.sums import CellSums, Pair, cell_tables, sum_cells
from hcat.core.slices.marginal import Grouping
from hcat.core.statistics.exact_sums import ExactValues, Whole

VERSION = 1
"""Raised by whoever changes what is summed, or how: what was kept before is then not found."""
WORTH_A_FILE = 40_000
"""Runs of fewer samples are summed faster than files are read."""
LabelStates = NDArray[np.uint8]
"""State of each sample: 0 without a label, 1 labelled as no pass, 2 as a pass."""
_LABELS = "labels"
_KINDS = len(ANSWER_STATES) + 1
_BROKEN = (pa.ArrowException, OSError, KeyError, ValueError, TypeError)


class CellFiles(Protocol):
    """Storage of cells. No result depends on a file: one that can't be read or written costs only time."""

    def read(self, name: str) -> bytes | None:
        """The file of this name; None where there is none, or where it can't be read."""

    def write(self, name: str, content: bytes) -> None:
        """Put the whole file in the place of the one of this name."""


@dataclass(frozen=True, slots=True)
class CachedCells:
    """The cells of one run."""

    files: CellFiles

    def sum_cells(self, of: Sequence[Pair], rows: Rows, exact: ExactValues | None = None, /) -> list[CellSums]:
        """The same as the function of this name; cached cells are read, and others are summed and stored."""
        if len(rows.numbers) < WORTH_A_FILE:
            return sum_cells(of, rows, exact)
        pairs = _named(of)
        counts = self._cached(_name("counts", *_content(rows)), pairs, lambda new: cell_tables(new, rows, None))
        if exact is None:
            return [CellSums(counts[pair], counts[pair][:0]) for pair, _ in pairs]
        name = _name("values", *_content_of_values(exact))
        values = self._cached(name, pairs, lambda new: cell_tables(new, None, exact))
        return [CellSums(counts[pair], values[pair]) for pair, _ in pairs]

    def count_labels(self, of: Sequence[Pair], criterion: str, now: LabelStates) -> list[Whole]:
        """The same as the function of this name, by the labels on this criterion as they are `now`."""
        pairs = _named(of)
        if len(now) < WORTH_A_FILE:
            return count_labels(of, now)
        name = _name(_LABELS, criterion.encode(), len(now).to_bytes(8, "little"))
        cached = _decoded(name, self.files.read(name))
        before: LabelStates = cached.pop(_LABELS, now[:0]).astype(np.uint8)
        if len(before) != len(now):
            cached, before = {}, now
        changed = np.flatnonzero(before != now)
        found = {pair: cached[pair] for pair, _ in pairs if pair in cached}
        if len(changed):
            found = _brought_up_to_date(pairs, found, changed, before, now)
        missing = [each for pair, each in pairs if pair not in found]
        if missing:
            new = [pair for pair, _ in pairs if pair not in found]
            found |= dict(zip(new, count_labels(missing, now), strict=True))
        if missing or len(changed):
            others = {} if len(changed) else cached  # of other dimensions, as the labels were before
            self.files.write(name, _encoded(name, others | found | {_LABELS: now}))
        return [found[pair] for pair, _ in pairs]

    def _cached(
        self, name: str, pairs: Sequence[tuple[str, Pair]], make: Callable[[list[Pair]], list[Whole]]
    ) -> Mapping[str, Whole]:
        cached = _decoded(name, self.files.read(name))
        missing = {pair: each for pair, each in pairs if pair not in cached}
        if missing:
            cached |= dict(zip(missing, make(list(missing.values())), strict=True))
            self.files.write(name, _encoded(name, cached))
        return cached


def is_whole(name: str, content: bytes | None) -> bool:
    """Whether a file of this name is what was written; one that is not is never used."""
    return bool(_decoded(name, content))


def _brought_up_to_date(
    pairs: Sequence[tuple[str, Pair]], found: Mapping[str, Whole], changed: Codes, before: LabelStates, now: LabelStates
) -> dict[str, Whole]:
    """The cells that are kept, less what the changed rows were counted as before, and with what they count as now."""
    of = [_only(each, changed) for pair, each in dict(pairs).items() if pair in found]
    less, more = count_labels(of, before[changed]), count_labels(of, now[changed])
    return {pair: table - a + b for (pair, table), a, b in zip(found.items(), less, more, strict=True)}


def count_labels(of: Sequence[Pair], states: LabelStates) -> list[Whole]:
    """Numbers of samples of each cell that are labelled as no pass, and as a pass: (2, k). `states` (N,) are those of
    all samples; only labelled ones are looked at."""
    labelled = np.flatnonzero(states)
    passes = states[labelled] - 1
    return [_label_table(*_only(pair, labelled), passes) for pair in of]


def _label_table(one: Grouping, two: Grouping | None, passes: LabelStates) -> Whole:
    k = len(one.levels) * (1 if two is None else len(two.levels))
    codes = one.codes if two is None else one.codes * len(two.levels) + two.codes
    return np.bincount(codes + k * passes.astype(np.intp), minlength=2 * k).reshape(2, k)


def _only(pair: Pair, rows: Codes) -> Pair:
    one, two = pair
    return replace(one, codes=one.codes[rows]), None if two is None else replace(two, codes=two.codes[rows])


def _named(of: Sequence[Pair]) -> list[tuple[str, Pair]]:
    """Each dimension or pair with what names the content of its columns."""
    groupings = {grouping.name: grouping for pair in of for grouping in pair if grouping is not None}
    content = {name: _content_of(grouping) for name, grouping in groupings.items()}
    return [(content[one.name] + ("" if two is None else content[two.name]), (one, two)) for one, two in of]


def _content_of(grouping: Grouping) -> str:
    levels = len(grouping.levels)
    digest = hashlib.sha256(f"{levels} ".encode())
    digest.update(_narrow(grouping.codes, levels))
    return digest.hexdigest()[:32]


def _content(rows: Rows) -> list[bytes]:
    states = b"" if rows.states is None else _narrow(rows.states, _KINDS)
    return [len(rows.numbers).to_bytes(8, "little"), states]


def _content_of_values(exact: ExactValues) -> list[bytes]:
    """Squares follow from the values and their centre."""
    about = f"{exact.centre!r} {exact.values.exponent} {exact.squares.exponent} ".encode()
    return [about, exact.present.astype(np.uint8).tobytes(), exact.values.high.tobytes(), exact.values.low.tobytes()]


def _narrow(codes: Codes, levels: int) -> bytes:
    """Codes in as few bytes as so many levels take; so they are hashed eight times as fast."""
    return codes.astype(np.min_scalar_type(max(levels - 1, 0))).tobytes()


def _name(kind: str, *content: bytes) -> str:
    return f"{kind}-{sha256_of_bytes([f'{VERSION} {kind} '.encode(), *content])}"


def _encoded(name: str, tables: Mapping[str, Whole | LabelStates]) -> bytes:
    """Tables by what names them, with a hash over all of them."""
    keys = sorted(tables)
    rows, content = [len(tables[key]) for key in keys], [_bytes(tables[key]) for key in keys]
    about = {"name": name, "rows": rows, "sha256": _hash(keys, rows, content)}
    table = pa.table({"key": pa.array(keys, pa.string()), "sums": pa.array(content, pa.large_binary())})
    sink = io.BytesIO()
    pq.write_table(table.replace_schema_metadata({"hcat": json.dumps(about)}), sink, compression="zstd")
    return sink.getvalue()


def _decoded(name: str, content: bytes | None) -> dict[str, Whole]:
    """The tables of a file; none where it is damaged, or another than its name says."""
    if content is None:
        return {}
    try:
        table = read_table(io.BytesIO(content))
        about = json.loads((table.schema.metadata or {})[b"hcat"])
        keys, rows, sums = table["key"].to_pylist(), about["rows"], table["sums"].to_pylist()
        if about["name"] != name or about["sha256"] != _hash(keys, rows, sums):
            return {}
        return {key: _table(key, *of) for key, *of in zip(keys, rows, sums, strict=True)}
    except _BROKEN:
        return {}


def _bytes(table: Whole | LabelStates) -> bytes:
    return table.astype("u1" if table.ndim == 1 else "<i8").tobytes()


def _table(key: str, rows: int, content: bytes) -> Whole:
    if key == _LABELS:
        return np.frombuffer(content, dtype="u1").astype(np.int64)
    return np.frombuffer(content, dtype="<i8").reshape(rows, -1).astype(np.int64)


def _hash(keys: Sequence[str], rows: Sequence[int], content: Sequence[bytes]) -> str:
    return sha256_of_bytes(
        [json.dumps([keys, rows]).encode(), *(len(each).to_bytes(8, "little") + each for each in content)]
    )
