"""Labels as a table: one row a sample, one column an annotator."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.calibration.labelled import judges_alone, moment
from core.types import Criterion, Label

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Ratings:
    """Levels on one criterion: `levels` is (samples, annotators), NaN where an annotator gave no label."""

    samples: tuple[str, ...]
    annotators: tuple[str, ...]
    levels: Floats

    def pair(self, first: str, second: str) -> tuple[Floats, Floats]:
        """The levels that two annotators gave to the samples that both labelled."""
        columns = self.levels[:, [self.annotators.index(first), self.annotators.index(second)]]
        both = columns[~np.isnan(columns).any(axis=1)]
        return both[:, 0], both[:, 1]

    def rows(self, kept: Sequence[bool]) -> Ratings:
        """The samples where `kept` (samples,) is true."""
        chosen = np.asarray(kept, dtype=bool)
        samples = tuple(sample for sample, keep in zip(self.samples, kept, strict=True) if keep)
        return Ratings(samples, self.annotators, self.levels[chosen])


def ratings(labels: Iterable[Label], *, criterion: Criterion) -> Ratings:
    """The current label of each annotator on each sample of one run: the latest; of undated ones, the last in order.

    Reference rules and adjudications are left out: they do not judge on their own.
    """
    current: dict[tuple[str, str], Label] = {}
    for label in labels:
        if label.criterion != criterion.name or not judges_alone(label.annotator):
            continue
        key = (label.sample_id, label.annotator)
        if key not in current or moment(label) >= moment(current[key]):
            current[key] = label
    samples = tuple(dict.fromkeys(sample for sample, _ in current))
    annotators = tuple(sorted({annotator for _, annotator in current}))
    row_of = {sample: row for row, sample in enumerate(samples)}
    column_of = {annotator: column for column, annotator in enumerate(annotators)}
    levels = np.full((len(samples), len(annotators)), math.nan)
    for (sample, annotator), label in current.items():
        levels[row_of[sample], column_of[annotator]] = label.level
    return Ratings(samples, annotators, levels)
