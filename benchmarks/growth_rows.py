"""Rows of the table of ratios that say how the cost of a child process grows with the size of its input."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from benchmarks.rows import Measured
from benchmarks.timing import Ratio

SIZES = (10_000, 100_000)
"""By default. A million takes an hour, and is asked for by `--sizes 10000,100000,1000000`."""

Command = Callable[[int, Path], Sequence[str]]
"""The arguments of a child for a size. Input may be written into the folder, untimed; the child writes there, too."""

_PARENT = """
import json, resource, subprocess, sys
code = subprocess.call(sys.argv[2:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(sys.argv[1], "w") as file:
    json.dump({"code": code, "seconds": used.ru_utime + used.ru_stime, "peak": used.ru_maxrss * 1024}, file)
"""
"""The parent of what is measured: Linux counts the memory of whoever starts a process as its peak, so it is small."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a child process took: processor seconds, the peak of its resident memory, and bytes more in its folder.

    The seconds are those of all its threads and of its own children, or those that its last line of output states, as
    `{"seconds": 1.5}`, where making the input is not to count. The peak is that of the largest process.
    """

    size: int
    seconds: float
    peak_bytes: int
    written_bytes: int

    def __str__(self) -> str:
        memory = f"peak {self.peak_bytes / 1e9:.2f} GB, {self.written_bytes / 1e6:,.1f} MB on disk"
        return f"{self.size:,}: {self.seconds:,.2f} s, {memory}"


def growth(
    row: str,
    command: Command,
    sizes: Sequence[int],
    at_most_exponent: float,
    *,
    what: str = "",
    at_most_gigabytes: float | None = None,
    baseline: Command | None = None,
) -> Iterator[Measured]:
    """The time per item at each size over that at the smallest, the exponent of the time, and the memory.

    An exponent above its limit fails the benchmarks, other than a goal that is missed: that of all sizes, or of the two
    largest where that is more, since what a start costs hides how the rest grows. `baseline` is another way to do the
    same, measured at each size directly after `command`.
    """
    costs, others = [], []
    for size in sizes:
        costs.append(measure(command, size))
        if baseline is not None:
            others.append(measure(baseline, size))
    label, notes = what or row, "; ".join(str(cost) for cost in costs)
    for cost in costs[1:]:
        yield Measured(row, f"{cost.size:,} {label}", f"time an item, to {sizes[0]:,}", _per_item(cost, costs[0]))
    for cost, other in zip(costs, others, strict=bool(others)):
        ratio = Ratio(*[cost.seconds / other.seconds] * 3, cost.seconds, other.seconds, 1)
        note = f"baseline: peak {other.peak_bytes / 1e9:.2f} GB, {other.written_bytes / 1e6:,.1f} MB on disk"
        yield Measured(row, f"{cost.size:,} {label}", "time / baseline", ratio, note=note)
    steps = [exponent(pair) for pair in pairwise(costs)]
    judged = max(exponent(costs), steps[-1])
    ratio = Ratio(judged, min(steps), max(steps), costs[-1].seconds, costs[0].seconds, 1)
    yield Measured(row, label, "exponent of time", ratio, at_most=at_most_exponent, must=True, note=notes)
    if at_most_gigabytes is not None:
        share = costs[-1].peak_bytes / 1e9 / at_most_gigabytes
        ratio = Ratio(share, share, share, costs[-1].seconds, costs[-1].seconds, 1)
        yield Measured(row, f"{sizes[-1]:,} {label}", f"peak memory / {at_most_gigabytes:g} GB", ratio, at_most=1.0)


def from_size(sizes: Sequence[int], least: int) -> Sequence[int]:
    """The sizes from `least` on, where something is done as it is of large runs; two where there are fewer."""
    large = [size for size in sizes if size >= least]
    return large if len(large) > 1 else [size := max(sizes[-1], least), 4 * size]


def exponent(costs: Sequence[Cost]) -> float:
    """The slope of the least-squares line through log seconds by log size: 1 where time is proportional to size."""
    size, seconds = (np.log([value(cost) for cost in costs]) for value in (_size, _seconds))
    centred = size - size.mean()
    return float(centred @ seconds / (centred @ centred))


def measure(command: Command, size: int) -> Cost:
    """Run the command at this size in a folder of its own. Raises RuntimeError with its last words where it fails."""
    with tempfile.TemporaryDirectory() as place:
        folder, cost, output = Path(place) / "folder", Path(place) / "cost.json", Path(place) / "output"
        folder.mkdir()
        arguments = command(size, folder)
        before = _bytes_in(folder)
        with output.open("w") as file:
            parent = [sys.executable, "-S", "-c", _PARENT, str(cost), *arguments]
            subprocess.run(parent, check=True, stdout=file, stderr=subprocess.STDOUT)
        used, said = json.loads(cost.read_text()), output.read_text(errors="replace").splitlines()
        if used["code"] != 0:
            raise RuntimeError(f"{' '.join(arguments)} ended with {used['code']}: " + "\n".join(said[-20:]))
        stated = _stated_seconds(said[-1]) if said else None
        seconds = used["seconds"] if stated is None else stated
        return Cost(size, seconds, used["peak"], _bytes_in(folder) - before)


def _per_item(cost: Cost, first: Cost) -> Ratio:
    value = cost.seconds / cost.size / (first.seconds / first.size)
    return Ratio(value, value, value, cost.seconds, first.seconds, 1)


def _size(cost: Cost) -> float:
    return float(cost.size)


def _seconds(cost: Cost) -> float:
    return cost.seconds


def _stated_seconds(line: str) -> float | None:
    try:
        stated = json.loads(line)
    except ValueError:
        return None
    seconds = stated.get("seconds") if isinstance(stated, dict) else None
    return float(seconds) if isinstance(seconds, int | float) else None


def _bytes_in(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
