"""The rates of the battery as a page of the documentation."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.battery.nulls import NULLS
from benchmarks.battery.trial import Rate, Trial

_HEAD = """# Verdicts, and how often each of them errs

A verdict is a word by which a result judges. Each is declared beside the function that decides it
(`core/verdicts.py`), and tried on data in which nothing is to be found. `make simulate` makes this page;
`make test` tries the same with fewer data sets, and fails where a verdict errs too often.

The error e is the largest probability that any result of one family makes a false claim. A rate of n data sets may lie
above it by chance: its standard error is √(e(1 − e)/n). **Bold** rates lie more than two standard errors above.
"""


def page(trials: Sequence[Trial], rates: Sequence[Rate], before: str = "") -> str:
    """Kinds of data, the rates of all verdicts, what each verdict claims, and why a kind does not apply. A verdict that
    was not tried keeps its row of the page `before`."""
    return "\n".join([_HEAD, _nulls(), _rates(trials, rates, before), _claims(trials), _skips(trials)])


def progress(rate: Rate) -> str:
    """One line of one rate."""
    mark = "  TOO OFTEN" if rate.is_too_frequent else ""
    name, null = rate.verdict.name, rate.null.name
    return (
        f"{name:42s} {null:14s} {rate.share:.4f} of {rate.n} (at most {rate.verdict.error:g} ± {rate.error:.4f}){mark}"
    )


def _nulls() -> str:
    rows = [f"| {null.name} | {null.says} | {null.failures:.0%} |" for null in NULLS]
    return "\n".join(["## Kinds of data", "", "| kind | values | fails |", "|---|---|---|", *rows, ""])


def _rates(trials: Sequence[Trial], rates: Sequence[Rate], before: str) -> str:
    kept = {line.split("|")[1].strip(): line for line in before.splitlines() if line.count("|") == len(NULLS) + 4}
    found = {(rate.verdict.name, rate.null.name): rate for rate in rates}
    head = ["verdict", "error", *(null.name for null in NULLS), "data sets"]
    lines = ["## False claims", "", f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    for trial in trials:
        own = [found.get((trial.verdict.name, null.name)) for null in NULLS]
        if not any(own) and trial.verdict.name in kept:
            lines.append(kept[trial.verdict.name])
            continue
        sets = sorted({rate.n for rate in own if rate}) or [0]
        many = f"{sets[0]:,}" + (f" to {sets[-1]:,}" if len(sets) > 1 else "")
        cells = [trial.verdict.name, f"{trial.verdict.error:g}", *map(_cell, own), many]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def _cell(rate: Rate | None) -> str:
    if rate is None:
        return "–"
    text = f"{rate.share:.3f}".lstrip("0") if rate.share < 1 else "1.000"
    return f"**{text}**" if rate.share > rate.verdict.error + 2 * rate.error else text


def _claims(trials: Sequence[Trial]) -> str:
    lines = ["## What each claims", "", "| verdict | words | claim | counted as one family |", "|---|---|---|---|"]
    for trial in trials:
        words = ", ".join(f"“{word}”" for word in trial.verdict.words)
        lines.append(f"| {trial.verdict.name} | {words} | {trial.verdict.claim} | {trial.verdict.family} |")
    return "\n".join([*lines, ""])


def _skips(trials: Sequence[Trial]) -> str:
    lines = ["## Where a kind does not apply", ""]
    for trial in trials:
        for name, reason in trial.skips.items():
            lines.append(f"- {trial.verdict.name}, {name}: {reason}.")
    return "\n".join([*lines, ""])
