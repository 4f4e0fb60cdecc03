"""The scores that calibrations and estimates use: those of answers, without those of refusals."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.arrays import Bools, Floats, Ints

if TYPE_CHECKING:
    from hcat.core.scoring.score_table import ScoreTable


def declined(scores: ScoreTable, metrics: Sequence[str]) -> Bools:
    """Whether each sample (n,) has no probability by these metrics since its answer declines.

    All refusals, if any of the metrics judges what an answer says; none if all of them score refusals like answers, as
    those of retrieval do. A metric that is not in the registry is assumed to judge answers."""
    judges_answers = any(scores.facts(metric).judges_answers for metric in metrics)
    return scores.refused if judges_answers else np.zeros(len(scores.sample_ids), dtype=bool)


def answer_scores(scores: ScoreTable, metrics: Sequence[str]) -> Floats:
    """The scores (n, metrics); NaN if unscored, and in the whole row of an answer that is `declined`.

    Callers must not modify the array."""
    return _answer_scores(scores, tuple(metrics))


@lru_cache(maxsize=2)  # calibration and estimate ask for the same after every label
def _answer_scores(scores: ScoreTable, metrics: tuple[str, ...]) -> Floats:
    X = np.column_stack([scores.values(metric) for metric in metrics])
    found = np.where(np.isfinite(X) & ~declined(scores, metrics)[:, None], X, np.nan)
    found.flags.writeable = False
    return found


@lru_cache(maxsize=2)
def score_ranks(scores: ScoreTable, metric: str) -> Ints:
    """The rank of each sample's score among the distinct ones of the run (n,), from 0.

    Cached, so that computations on ranks sort the scores only once, and not after every label. Callers must not modify
    the array."""
    ranks = np.unique(scores.values(metric), return_inverse=True)[1].astype(np.intp)
    ranks.flags.writeable = False
    return ranks
