"""Scores as calibrations and estimates take them: those of answers, without those of refusals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.arrays import Bools, Floats

if TYPE_CHECKING:
    from core.scoring.score_table import ScoreTable


def declined(scores: ScoreTable, metrics: Sequence[str]) -> Bools:
    """Which samples (n,) have no probability by these metrics since their answer declines.

    All refusals, as soon as one of the metrics judges what an answer says; none where all of them score refusals like
    answers, as those of retrieval do. A metric that the registry does not know is taken to judge answers.
    """
    judges_answers = any(scores.facts(metric).judges_answers for metric in metrics)
    return scores.refused if judges_answers else np.zeros(len(scores.sample_ids), dtype=bool)


def answer_scores(scores: ScoreTable, metrics: Sequence[str]) -> Floats:
    """The scores (n, metrics); NaN where unscored, and in the whole row of an answer that is `declined`."""
    X = np.column_stack([scores.values(metric) for metric in metrics])
    return np.where(np.isfinite(X) & ~declined(scores, metrics)[:, None], X, np.nan)
