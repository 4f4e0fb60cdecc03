"""The uncertainty of a calibration's probabilities from its labels: the map refitted to reweighted labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.arrays import Floats, Ints, Names
from hcat.core.calibration.answer_scores import answer_scores
from hcat.core.calibration.dataset import cases_of, join_scores
from hcat.core.calibration.maps.methods import find_method
from hcat.core.calibration.training_rows import rows_the_map_can_use, stage_1_data
from hcat.core.errors import HcatError
from hcat.core.labelling.consensus import Labels
from hcat.core.statistics.refitted import Refitted
from hcat.core.types import Criterion

if TYPE_CHECKING:
    from hcat.core.calibration.calibration import Calibration
    from hcat.core.scoring.score_table import ScoreTable

REFITS = 100
_NONE_TO_FIT = (
    "none of the labels that a map is fitted to is of a sample with these scores: use the labels and the scores that "
    "the calibration was made with"
)


def refitted_probabilities(
    calibration: Calibration,
    labels: Labels,
    scores: ScoreTable,
    *,
    criterion: Criterion,
    split_keys: Mapping[str, str] | None = None,
    clusters: Mapping[str, str] | None = None,
    refits: int = REFITS,
    seed: int = 7,
) -> Refitted:
    """The probability of a pass of every sample under maps fitted to reweighted labels; NaN = unscored.

    The Bayesian bootstrap (Rubin 1981): each cluster of labels that fit the map gets a weight drawn from the standard
    exponential distribution, so that no refit lacks a class. The variance of a mean over these is the calibration's
    part of that mean's variance. Labels are those that the calibration was fitted to, and `split_keys` the units by
    which it divided them; `clusters` map sample ids to independent units."""
    method = find_method(calibration.method)
    by_level = method.by_level and not criterion.is_binary
    joined = join_scores(
        labels,
        scores,
        criterion=criterion,
        metrics=calibration.metrics,
        partial=method.takes_unscored,
        test_cases=split_keys,
    )
    joined = joined.without_unscored(rows_the_map_can_use(joined)) if method.takes_unscored else joined
    part = joined.part("fit") if calibration.sets_by_score is None else joined.in_order_of_content({})
    directions = dict(zip(calibration.metrics, getattr(calibration.map, "directions", ()), strict=False))
    if not len(part):
        raise HcatError(_NONE_TO_FIT)
    part = replace(part, cases=cases_of(part.sample_ids, clusters))
    data = stage_1_data(part, criterion, by_level, calibration.metrics, directions)
    number = _in_order_of_rows(part.cases)
    given = np.ones(len(part)) if data.weights is None else data.weights
    rng = np.random.default_rng(seed)
    maps = []
    for _ in range(refits):
        weights = given * rng.standard_exponential(int(number.max()) + 1)[number]
        maps.append(method.fit_data(replace(data, weights=weights)).probability)
    return Refitted(answer_scores(scores, calibration.metrics), tuple(maps))


def _in_order_of_rows(cases: Names) -> Ints:
    """The number of each row's case (n,), in the order in which cases first occur, so that their names do not
    matter."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(case, len(numbers)) for case in cases.tolist()], dtype=np.intp)


def probability_bounds(refits: Floats, probability: Floats, *, level: float = 0.95) -> tuple[Floats, Floats]:
    """Bounds of the probability of each sample (n,) by quantiles over refits (refits, n).

    They always include the probability that is handed out."""
    tail = (1 - level) / 2
    low, high = np.quantile(refits, [tail, 1 - tail], axis=0)
    return np.fmin(low, probability), np.fmax(high, probability)
