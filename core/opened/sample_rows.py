"""Samples with all that is known of them as rows of a table, one after another."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from hcat.core.opened.sample_filter import SampleFacts
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Sample

Cell = str | float | None

FIXED = ("sample_id", "query", "answer", "reference", "contexts")
AT_A_TIME = 2_048
"""Number of samples whose levels and scores are looked up at once."""


@dataclass(frozen=True, eq=False)
class SampleRows:
    """These samples with texts, the label on the criterion, the prediction by the calibration in force, levels of all
    dimensions, and all scores. Samples are decoded as rows are asked for, so that a run need not fit into memory."""

    sample_ids: Sequence[str]
    facts: SampleFacts
    table: ScoreTable | None
    criterion: str | None

    @cached_property
    def metrics(self) -> tuple[str, ...]:
        """The columns of numbers, which are the last."""
        return () if self.table is None else tuple(self.table.metrics)

    @cached_property
    def head(self) -> list[str]:
        """The names of all columns."""
        label = [] if self.criterion is None else [f"label:{self.criterion}"]
        predictions = [] if self.facts.decisions is None else ["prediction"]
        dimensions = [f"dimension:{name}" for name in self.facts.dimensions]
        return [*FIXED, *label, *predictions, *dimensions, *self.metrics]

    def __iter__(self) -> Iterator[list[Cell]]:
        """The rows: contexts are one JSON list, in rank order; an unscored metric is empty."""
        samples = self.facts.each_of(self.sample_ids)
        for start in range(0, len(self.sample_ids), AT_A_TIME):
            ids = self.sample_ids[start : start + AT_A_TIME]
            levels, scores, decided = self._levels(ids), self._scores(ids), self.facts.decided(ids)
            for row, sample in enumerate(islice(samples, len(ids))):
                yield [
                    *_texts(sample),
                    *([] if self.criterion is None else [self.facts.label(sample.id)]),
                    *([] if self.facts.decisions is None else [decided[row]]),
                    *(column[row] for column in levels),
                    *(_finite(column[row]) for column in scores),
                ]

    def _levels(self, ids: Sequence[str]) -> list[list[str]]:
        frame = self.facts.dimensions.loc[list(ids)]
        return [frame[name].astype("str").tolist() for name in frame]

    def _scores(self, ids: Sequence[str]) -> list[list[float]]:
        if self.table is None:
            return []
        return [self.table.frame[name].reindex(list(ids)).tolist() for name in self.metrics]


def _texts(sample: Sample) -> tuple[Cell, ...]:
    contexts = json.dumps([context.text for context in sample.contexts], ensure_ascii=False) if sample.contexts else ""
    return sample.id, sample.query, sample.answer, sample.reference, contexts


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value
