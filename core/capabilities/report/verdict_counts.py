"""Number of slices by verdict, counted once for the summary and for every chapter with these numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hcat.core.display.messages import say
from hcat.core.slices.table import WeaknessTable
from hcat.core.slices.verdicts import BY_PEOPLE, INSUFFICIENT, VERDICTS
from hcat.core.view.telling import tell
from hcat.core.view.tree import Quantity, Text

if TYPE_CHECKING:
    import pandas as pd

OF_ONE = "of {tested} slice with enough samples to be tested: {by_verdict}"
OF_SEVERAL = "of {tested} slices with enough samples to be tested: {by_verdict}"


@dataclass(frozen=True, slots=True)
class VerdictCounts:
    """The slices of one metric by verdict, from the most to the least urgent; verdicts that none has are left out."""

    metric: str
    slices: int
    tested: int
    by_verdict: tuple[tuple[str, int], ...]

    @property
    def insufficient(self) -> int:
        return self.slices - self.tested

    def text(self) -> Text:
        """ "of 12 slices with enough samples to be tested: weak 1, not shown to be weak 11"."""
        parts: list[str | Quantity] = []
        for verdict, count in self.by_verdict:
            parts += [f"{', ' if parts else ''}{say(verdict)} ", Quantity(count, "count")]
        tested = Quantity(self.tested, "count")
        if not self.tested:
            return (say("no slice has enough samples to be tested"),)
        return tell(OF_ONE if self.tested == 1 else OF_SEVERAL, tested=tested, by_verdict=tuple(parts))


def verdict_counts(table: WeaknessTable, *, by_labels: bool | None = None) -> tuple[VerdictCounts, ...]:
    """Counts for each metric of the table. With `by_labels`, counts are only of slices based on labels, or only of
    those based on scores alone, for the metrics with such slices."""
    rests = table.frame["basis"].isin(BY_PEOPLE)
    frame = table.frame if by_labels is None else table.frame[rests if by_labels else ~rests]
    there = table.settings.overall if by_labels is None else set(frame["metric"])
    return tuple(_of_metric(frame, metric) for metric in table.settings.overall if metric in there)


def _of_metric(frame: pd.DataFrame, metric: str) -> VerdictCounts:
    verdicts = frame.loc[frame["metric"] == metric, "verdict"]
    counts = {verdict: int((verdicts == verdict).sum()) for verdict in VERDICTS if verdict != INSUFFICIENT}
    present = tuple((verdict, count) for verdict, count in counts.items() if count)
    return VerdictCounts(metric, len(verdicts), sum(counts.values()), present)
