"""A process that keeps the cells of ever new labels until it is killed: `cached_cells_process.py FOLDER SAMPLES`."""

from __future__ import annotations

import sys
from itertools import count

import numpy as np

from hcat.core.slices.cells.cached import CachedCells, LabelStates
from hcat.core.slices.cells.counts import rows_of
from hcat.core.slices.cells.sums import Pair
from hcat.core.slices.marginal import Grouping
from hcat.core.storage.artifacts import ArtifactStore
from hcat.core.storage.cell_files import CellFilesOf

N = 41_000


def dimensions() -> list[Pair]:
    rng = np.random.default_rng(0)
    one, two = (Grouping(name, rng.integers(0, 9, N), tuple("abcdefghi")) for name in ("one", "two"))
    return [(one, None), (two, None), (one, two)]


def labels(seed: int) -> LabelStates:
    return np.random.default_rng(seed).integers(0, 3, N).astype(np.uint8)


def main() -> None:
    cached = CachedCells(CellFilesOf(ArtifactStore(sys.argv[1]), sys.argv[2]))
    for number in count():
        cached.sum_cells(dimensions()[: 1 + number % 3], rows_of(N, None))
        cached.count_labels(dimensions()[: 1 + number % 3], "correctness", labels(number))
        print(number, flush=True)


if __name__ == "__main__":
    main()
