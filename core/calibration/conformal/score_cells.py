"""A limited number of cells of a run's scores, so that functions of one score have a value per cell."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Floats, Ints
from hcat.core.calibration.answer_scores import answer_scores

if TYPE_CHECKING:
    from hcat.core.scoring.score_table import ScoreTable

MOST_CELLS = 128
MOST_CELLS_BY_LEVEL = 32
"""The limit for maps that give each of several levels its probability, whose refits take longer."""


@dataclass(frozen=True)
class ScoreCells:
    """Cells of the score axis, each with the score (cells,) that represents it, in increasing order.

    A score belongs to the cell with the nearest score."""

    scores: Floats

    def __len__(self) -> int:
        return len(self.scores)

    @cached_property
    def edges(self) -> Floats:
        """The boundaries between cells, (cells − 1,)."""
        middle = self.scores[:-1] + np.diff(self.scores) / 2
        return np.minimum(middle, np.nextafter(self.scores[1:], -np.inf))

    def of(self, scores: ArrayLike) -> Ints:
        """The cell of each score (n,), from 0."""
        return np.searchsorted(self.edges, np.asarray(scores, dtype=np.float64), side="left")


def score_cells(scores: ArrayLike, *, most: int = MOST_CELLS) -> ScoreCells:
    """The cells of a run with these scores (N,), NaN if unscored: one for each distinct score, or `most`.

    If there are more distinct scores than `most`, the cells are the scores at evenly spaced ranks. They follow from the
    scores of the whole run alone, labelled or not: labels do not affect them."""
    known = np.asarray(scores, dtype=np.float64)
    known = np.sort(known[np.isfinite(known)])
    distinct = known[np.append(True, np.diff(known) > 0)] if len(known) else known
    if len(distinct) > most:
        places = ((np.arange(most) + 0.5) * (len(known) / most)).astype(np.intp)
        distinct = np.unique(known[places])
    return ScoreCells(distinct)


@lru_cache(maxsize=2)
def cells_of_run(scores: ScoreTable, metric: str, most: int) -> ScoreCells:
    """The cells of this metric's scores of answers, computed once for a run and not after every label."""
    return score_cells(answer_scores(scores, (metric,))[:, 0], most=most)
