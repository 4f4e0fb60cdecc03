"""One row of the table of ratios."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.timing import Ratio


@dataclass(frozen=True, slots=True)
class Measured:
    """A ratio with its goal, `at_most` or `at_least`, or none; no ratio where it was not measured, and `note` says why.

    `row` is its name for `--only`. Where the goal is a `must`, missing it fails the benchmarks.
    """

    row: str
    input: str
    what: str
    ratio: Ratio | None
    at_most: float | None = None
    at_least: float | None = None
    note: str = ""
    must: bool = False

    @property
    def goal(self) -> str:
        if self.at_most is not None:
            return f"≤ {self.at_most:.2f}"
        return "–" if self.at_least is None else f"≥ {self.at_least:.2f}"

    @property
    def reached(self) -> bool | None:
        """None where nothing was measured, or there is no goal."""
        if self.ratio is None or (self.at_most is None and self.at_least is None):
            return None
        above = self.at_least is None or self.ratio.value >= self.at_least
        return above and (self.at_most is None or self.ratio.value <= self.at_most)

    @property
    def failed(self) -> bool:
        return self.must and self.reached is False
