"""How often each verdict errs on each null; exit code 1 where one does so more often than it may.

`python -m benchmarks.battery [--draws 1000] [--seconds S] [--only WORDS] [--write]`; after so many seconds a verdict is
tried on a null no more. `--write` puts the rates into the table of docs/verdicts.md, where others stay.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from concurrent.futures import ProcessPoolExecutor

from benchmarks.battery.nulls import NULLS
from benchmarks.battery.table import page, progress
from benchmarks.battery.trial import Rate, tried
from benchmarks.battery.trials import TRIALS
from hcat.core.settings import ROOT

PAGE = ROOT / "docs" / "verdicts.md"


def measured(task: tuple[int, str, int, float]) -> Rate:
    """One trial on one null, by number and name."""
    number, name, draws, seconds = task
    return tried(TRIALS[number], next(null for null in NULLS if null.name == name), draws, seconds=seconds)


def main() -> int:
    """Measure, print, and write where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--only", default="", help="verdicts with these words in their name")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    tasks = [
        (number, null.name, asked.draws, asked.seconds)
        for number, trial in enumerate(TRIALS)
        if asked.only in trial.verdict.name
        for null in trial.nulls
    ]
    rates = []
    with ProcessPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        for rate in pool.map(measured, tasks):
            print(progress(rate), flush=True)
            rates.append(rate)
    if asked.write:
        PAGE.write_text(page(TRIALS, rates, PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return int(any(rate.is_too_frequent for rate in rates))


if __name__ == "__main__":
    sys.exit(main())
