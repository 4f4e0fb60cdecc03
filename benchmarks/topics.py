"""`python -m benchmarks.topics ROWS.npy OUT.parquet`: topics of made-up texts in this process; print its seconds.

Vectors are given: to encode texts takes far longer than to group them, and is measured elsewhere ("encoding").
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.growth_rows import growth
from benchmarks.rows import Measured
from benchmarks.timing import Ratio

DIMENSION, FAMILIES, SUBJECTS, WITHIN = 384, 8, 40, 12
"""Of the vectors: subjects in families, each with so many directions in which its texts differ."""
COMPARED = 50_000
MOST_SECONDS = 300.0
AT_LEAST_AGREEING = 0.9
AT_MOST_EXPONENT = 1.1


def rows(sizes: Sequence[int]) -> Iterator[Measured]:
    """How the time grows, the largest size against five minutes, and what landmarks find against the full method."""
    for row in growth("topics", _command, sizes, AT_MOST_EXPONENT, what="texts, topics"):
        yield row
        if row.must and row.ratio is not None and sizes[-1] == 1_000_000:
            seconds = row.ratio.upper_seconds
            ratio = Ratio(*[seconds / MOST_SECONDS] * 3, seconds, MOST_SECONDS, 1)
            yield Measured("topics", "1,000,000 texts, topics", "processor time / 5 minutes", ratio, at_most=1.0)
    yield _against_all()


def write_vectors(path: Path, count: int, *, seed: int = 0) -> None:
    """Unit rows (count, 384) around subjects of unequal sizes, one in twenty about nothing."""
    rng = np.random.default_rng(seed)
    families, subjects = _unit(rng.normal(size=(FAMILIES, DIMENSION))), rng.normal(size=(SUBJECTS, DIMENSION))
    subjects = _unit(_unit(subjects) + 0.7 * families[rng.integers(FAMILIES, size=SUBJECTS)])
    within = rng.normal(size=(SUBJECTS, WITHIN, DIMENSION)) * 1.1 / np.sqrt(DIMENSION * WITHIN)
    sizes = rng.dirichlet(np.full(SUBJECTS, 2.0))
    table = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(count, DIMENSION))
    for start in range(0, count, 10_000):
        n = min(10_000, count - start)
        about, ways = rng.choice(SUBJECTS, size=n, p=sizes), rng.normal(size=(n, WITHIN))
        block = subjects[about] + np.einsum("ij,ijk->ik", ways, within[about])
        block += 0.25 * rng.normal(size=(n, DIMENSION)) / np.sqrt(DIMENSION)
        stray = rng.random(n) < 0.05
        block[stray] = rng.normal(size=(int(stray.sum()), DIMENSION))
        table[start : start + n] = _unit(block)
    table.flush()


def _command(count: int, folder: Path) -> list[str]:
    write_vectors(folder / "rows.npy", count)
    files = [str(folder / name) for name in ("rows.npy", "topics.parquet")]
    return [sys.executable, "-m", "benchmarks.topics", *files]


def _against_all() -> Measured:
    """What landmarks find in as many texts as the full method can still do, and how long both take."""
    from sklearn.metrics import adjusted_rand_score

    from hcat.core.topics.choice import AUTOMATIC
    from hcat.core.topics.grouping import drawn, reduced_and_clustered
    from hcat.core.topics.landmarks import group_by_landmarks

    with tempfile.TemporaryDirectory() as folder:
        write_vectors(Path(folder) / "rows.npy", COMPARED)
        vectors = np.load(Path(folder) / "rows.npy")
    drawn(vectors[:100], seed=7, choice=AUTOMATIC)  # what UMAP compiles on its first use
    times, found = [], []
    for group in (group_by_landmarks, reduced_and_clustered):
        start = time.process_time()
        found.append(group(vectors, seed=7, min_cluster_size=None, choice=AUTOMATIC))
        times.append(time.process_time() - start)
    landmarks, (_, full) = found
    _, other = reduced_and_clustered(vectors, seed=8, min_cluster_size=None, choice=AUTOMATIC)
    index, ceiling = (
        float(adjusted_rand_score(full.assignment, assignment))
        for assignment in (landmarks.clustering.assignment, other.assignment)
    )
    stated = landmarks.about
    note = (
        f"the full method with another seed: {ceiling:.3f}; stated by the run itself: {stated['agreement_ari']:.3f} on "
        f"{stated['agreement_n']:,} texts; landmarks {times[0]:.0f} s with their map and this check, full "
        f"{times[1]:.0f} s without a map"
    )
    ratio = Ratio(index, index, index, times[0], times[1], 1)
    what = "agreement with the full method"
    return Measured("topics", f"{COMPARED:,} texts, topics", what, ratio, at_least=AT_LEAST_AGREEING, note=note)


def _unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    unit: NDArray[np.float64] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


class _MadeUp(Sequence[str]):
    """A text for each vector, made when it is read."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, place: int) -> str:  # type: ignore[override]
        if not 0 <= place < self._count:
            raise IndexError(place)
        return f"What does account {place % 5_000} cost in area {place % 97}, and when is fee {place % 13} due?"


def main() -> None:
    """The child's work."""
    import pyarrow.parquet as pq

    from hcat.core.topics.choice import AUTOMATIC
    from hcat.core.topics.grouping import drawn
    from hcat.core.topics.model import find_topics
    from hcat.core.topics.run_topics import RunTopics, topics_table

    vectors = np.load(sys.argv[1], mmap_mode="r")
    drawn(np.array(vectors[:100]), seed=7, choice=AUTOMATIC)  # what UMAP compiles on its first use
    start = time.process_time()
    model = find_topics(_MadeUp(len(vectors)), vectors, seed=7)
    ids = tuple(f"s{place}" for place in range(len(vectors)))
    pq.write_table(topics_table(RunTopics(ids, model)), sys.argv[2], compression="zstd")
    print(json.dumps({"seconds": time.process_time() - start, "method": model.method, "topics": len(model.topics)}))


if __name__ == "__main__":
    main()
