"""`python -m benchmarks`: measure, print the table, exit 0 unless a cost grows faster than it may."""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from itertools import pairwise

from benchmarks import (
    card,
    columns,
    components,
    corpus,
    design,
    executors,
    growth,
    labels,
    map_of_points,
    million,
    pages,
    queries,
    redraw,
    scoring,
    topics,
    weakness,
)
from benchmarks.growth_rows import SIZES
from benchmarks.inputs import Input, inputs
from benchmarks.rows import Measured
from hcat.core import __version__

THREADS = 2
ROWS: dict[str, Callable[[Input, int], Iterator[Measured]]] = {
    "overhead": scoring.overhead,
    "encoding": scoring.encoding,
    "naive": scoring.naive,
    "cache": scoring.cache_ratio,
    "tokens": scoring.tokens,
    "transport": components.transport,
    "segmentation": components.segmentation,
    "entailment": components.entailment,
    "ragas": components.ragas,
}
"""Measured on each input."""

OWN_INPUTS: dict[str, Callable[[argparse.Namespace], Iterator[Measured]]] = {
    "card": lambda options: card.rows(options.pairs),
    "columns": lambda options: columns.rows(options.sizes, options.pairs),
    "corpus": lambda options: corpus.rows(options.pairs),
    "design": lambda options: design.rows(options.pairs),
    "queries": lambda options: queries.rows(options.pairs),
    "executors": executors.rows,
    "growth": lambda options: growth.rows(options.samples),
    "labels": lambda options: labels.rows(options.pairs),
    "map": lambda options: map_of_points.rows(options.sizes),
    "million": lambda options: million.rows(options.sizes),
    "pages": lambda options: pages.rows(options.pairs),
    "redraw": lambda options: redraw.rows(options.pairs),
    "topics": lambda options: topics.rows(options.sizes),
    "weakness": lambda options: weakness.rows(options.pairs),
}
"""Measured on inputs of their own. Rows of `benchmarks.growth_rows` take `options.sizes`."""


def main() -> None:
    """Measure every row on every input and print one table, or one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--pairs", type=int, default=3, help="pairs of measurements per ratio (default 3)")
    parser.add_argument("--cases", type=int, default=8, help="test cases of each run (default 8; 0 = all)")
    every = [*ROWS, *OWN_INPUTS]
    parser.add_argument("--only", action="append", choices=every, help="measure this row only; repeatable")
    parser.add_argument("--samples", type=int, default=20_000, help="samples of the growth row (default 20000)")
    parser.add_argument(
        "--sizes", type=_sizes, default=SIZES, help="sizes of the growth exponents (default 10000,100000)"
    )
    options = parser.parse_args()
    _use_threads()
    chosen = options.only or every
    notes: list[str] = []
    rows = list(_rows(chosen, options, notes))
    print(_document(rows, notes) if options.json else _table(rows, notes))
    failed = [row for row in rows if row.failed]
    for row in failed:
        print(f"failed: {row.input}, {row.what}: {_figures(row)[0]}, not {row.goal}", file=sys.stderr)
    if failed:
        raise SystemExit(1)


def _sizes(text: str) -> tuple[int, ...]:
    """Two sizes or more, rising. argparse says what is wrong."""
    sizes = tuple(int(size) for size in text.split(","))
    if len(sizes) < 2 or sizes[0] < 1 or any(after <= before for before, after in pairwise(sizes)):
        raise argparse.ArgumentTypeError("two sizes or more, each larger than the one before, as 10000,100000")
    return sizes


def _rows(chosen: Sequence[str], options: argparse.Namespace, notes: list[str]) -> Iterator[Measured]:
    names = [name for name in chosen if name in ROWS]
    for data in inputs(cases=options.cases) if names else ():
        notes.append(f"{data.name}: {len(data.samples)} samples, {data.note}")
        for name in names if data.samples else ():
            yield from _logged(name, ROWS[name](data, options.pairs))
    for name, of_options in OWN_INPUTS.items():
        if name in chosen:
            yield from _logged(name, of_options(options))


def _logged(name: str, rows: Iterator[Measured]) -> Iterator[Measured]:
    start = time.perf_counter()
    for row in rows:
        value = "not measured" if row.ratio is None else f"{row.ratio.value:.3f}"
        print(f"measured: {row.input}, {row.what}: {value}", file=sys.stderr, flush=True)
        yield row
    print(f"{name} took {time.perf_counter() - start:,.0f} s", file=sys.stderr, flush=True)


def _use_threads() -> None:
    import torch

    torch.set_num_threads(THREADS)


def _table(rows: list[Measured], notes: list[str]) -> str:
    wide = max([len("input"), *(len(row.input) for row in rows)]) + 2
    what = max([len("ratio"), *(len(row.what) for row in rows)]) + 2
    lines = [f"{'input':<{wide}}{'ratio':<{what}}{'goal':>9}{'median':>9}{'range':>15}{'seconds':>17}  reached"]
    for row in rows:
        value, spread, seconds = _figures(row)
        reached = {True: "yes", False: "no", None: "–"}[row.reached]
        line = f"{row.input:<{wide}}{row.what:<{what}}{row.goal:>9}{value:>9}{spread:>15}{seconds:>17}  {reached}"
        lines += [line, f"    {row.note}"] if row.note else [line]
    return "\n".join([*lines, "", *notes, f"CPU, {THREADS} threads; medians of interleaved pairs"])


def _figures(row: Measured) -> tuple[str, str, str]:
    ratio = row.ratio
    if ratio is None:
        return "–", "–", "–"
    digits = 3 if ratio.value < 1 else 2
    spread = f"{ratio.lowest:.{digits}f}–{ratio.highest:.{digits}f}"
    return f"{ratio.value:.{digits}f}", spread, f"{ratio.upper_seconds:.2f} / {ratio.lower_seconds:.2f}"


def _document(rows: list[Measured], notes: list[str]) -> str:
    results = [{**asdict(row), "reached": row.reached} for row in rows]
    machine = {"python": platform.python_version(), "machine": platform.machine(), "threads": THREADS}
    return json.dumps({"hcat": __version__, "machine": machine, "inputs": notes, "ratios": results}, indent=2)


if __name__ == "__main__":
    main()
