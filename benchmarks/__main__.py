"""`python -m benchmarks`: measure, print the table, exit 0 whatever the result."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from dataclasses import asdict

from benchmarks.inputs import inputs
from benchmarks.scoring import Measured, measure
from core import __version__


def main() -> None:
    """Measure every input and print one table, or one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--pairs", type=int, default=5, help="pairs of measurements a ratio (default 5)")
    parser.add_argument("--cases", type=int, default=8, help="test cases of each run (default 8; 0 = all)")
    options = parser.parse_args()
    rows: list[Measured] = []
    notes: list[str] = []
    for one in inputs(cases=options.cases):
        notes.append(f"{one.name}: {len(one.samples)} samples, {one.note}")
        if one.samples:
            for row in measure(one.name, one.samples, pairs=options.pairs):
                print(f"measured: {row.input}, {row.what}: {row.ratio.value:.2f}", file=sys.stderr, flush=True)
                rows.append(row)
    print(_document(rows, notes) if options.json else _table(rows, notes))


def _table(rows: list[Measured], notes: list[str]) -> str:
    lines = [f"{'input':<26}{'ratio':<27}{'goal':>8}{'median':>9}{'range':>16}{'seconds':>18}  reached"]
    for row in rows:
        ratio = row.ratio
        spread = f"{ratio.lowest:.2f}–{ratio.highest:.2f}"
        seconds = f"{ratio.upper_seconds:.2f} / {ratio.lower_seconds:.2f}"
        reached = "yes" if row.reached else "no"
        lines.append(
            f"{row.input:<26}{row.what:<27}{_goal(row):>8}{ratio.value:>9.2f}{spread:>16}{seconds:>18}  {reached}"
        )
    return "\n".join([*lines, "", *notes])


def _goal(row: Measured) -> str:
    return f"≤ {row.at_most:.2f}" if row.at_most is not None else f"≥ {row.at_least:.2f}"


def _document(rows: list[Measured], notes: list[str]) -> str:
    results = [{**asdict(row), "reached": row.reached} for row in rows]
    machine = {"python": platform.python_version(), "machine": platform.machine()}
    return json.dumps({"hcat": __version__, "machine": machine, "inputs": notes, "ratios": results}, indent=2)


if __name__ == "__main__":
    main()
