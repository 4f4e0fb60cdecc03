"""Labels as a table: one row per sample, one column per annotator."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np

from hcat.core.arrays import Floats
from hcat.core.labelling.consensus import labelled_at
from hcat.core.types import Criterion, Label


@dataclass(frozen=True, eq=False)
class Ratings:
    """Levels on one criterion: `levels` is (samples, annotators), NaN if an annotator gave no label.

    `test_cases` name that of each sample, whose trials are not independent; without them every sample is
    independent."""

    samples: tuple[str, ...]
    annotators: tuple[str, ...]
    levels: Floats
    test_cases: tuple[str, ...] | None = None

    def pair(self, first: str, second: str) -> tuple[Floats, Floats]:
        """The levels that two annotators gave to the samples that both labelled."""
        both = self.of_both(first, second).levels
        return both[:, 0], both[:, 1]

    def of_both(self, first: str, second: str) -> Ratings:
        """The same for two annotators, and for the samples that both labelled."""
        columns = self.levels[:, [self.annotators.index(first), self.annotators.index(second)]]
        table = Ratings(self.samples, (first, second), columns, self.test_cases)
        return table.rows([not np.isnan(row).any() for row in columns])

    def rows(self, kept: Sequence[bool]) -> Ratings:
        """The samples for which `kept` (samples,) is true."""
        chosen = np.asarray(kept, dtype=bool)
        samples = tuple(compress(self.samples, chosen))
        cases = None if self.test_cases is None else tuple(compress(self.test_cases, chosen))
        return Ratings(samples, self.annotators, self.levels[chosen], cases)


def ratings(labels: Iterable[Label], *, criterion: Criterion, test_cases: Mapping[str, str] | None = None) -> Ratings:
    """The current label of each annotator on each sample of one run: the latest; of undated ones, the last in order.

    Rules, adjudications and language models are left out: people who judge by themselves are compared. `test_cases` map
    sample ids to test cases, if some have several trials."""
    current: dict[tuple[str, str], Label] = {}
    for label in labels:
        if label.criterion != criterion.name or label.source != "person":
            continue
        key = (label.sample_id, label.annotator)
        if key not in current or labelled_at(label) >= labelled_at(current[key]):
            current[key] = label
    samples = tuple(dict.fromkeys(sample for sample, _ in current))
    annotators = tuple(sorted({annotator for _, annotator in current}))
    row_of = {sample: row for row, sample in enumerate(samples)}
    column_of = {annotator: column for column, annotator in enumerate(annotators)}
    levels = np.full((len(samples), len(annotators)), math.nan)
    for (sample, annotator), label in current.items():
        levels[row_of[sample], column_of[annotator]] = label.level
    cases = None if test_cases is None else tuple(test_cases.get(sample, sample) for sample in samples)
    return Ratings(samples, annotators, levels, cases)
