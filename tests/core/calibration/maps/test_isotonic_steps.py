"""Isotonic maps without lines between the knots."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hcat.core.calibration.conformal.threshold import prediction_sets, score_regions
from hcat.core.calibration.maps.isotonic_steps import fit_isotonic_steps
from hcat.core.errors import HcatError, NotEnoughLabelsError

SETS = {(True, False): "fail", (False, True): "pass", (True, True): "both", (False, False): "empty"}


def test_known_map() -> None:
    # Labels 0 1 0 1 at 1 2 3 4: the middle two pool to 1/2; the ends 0 and 1 are kept off certainty by 1/(4 + 2).
    fitted = fit_isotonic_steps([1, 2, 3, 4], [0, 1, 0, 1])
    x = [0, 1, 1.99, 2, 2.5, 3, 3.99, 4, 9]
    assert fitted.probability(x) == pytest.approx([1 / 6, 1 / 6, 1 / 6, 0.5, 0.5, 0.5, 0.5, 5 / 6, 5 / 6])
    assert math.isnan(fitted.probability([[math.nan]])[0])


def test_turning_the_score_round_turns_the_map_round() -> None:
    rng = np.random.default_rng(4)
    score, x = rng.normal(size=60), np.linspace(-3, 3, 301)
    passed = rng.random(60) < 1 / (1 + np.exp(-2 * score))
    upward = fit_isotonic_steps(score, passed, direction="higher")
    downward = fit_isotonic_steps(-score, passed, direction="lower")
    assert downward.probability(-x) == pytest.approx(upward.probability(x))
    assert (np.diff(upward.probability(x)) >= 0).all()


def test_the_direction_holds_against_the_labels() -> None:
    against = fit_isotonic_steps([1, 2, 3, 4], [1, 1, 0, 0], direction="higher")
    assert against.probability([1, 2, 3, 4]) == pytest.approx([0.5] * 4)


@pytest.mark.parametrize("q_hat", [0.2, 0.45, 0.5, 0.7, 0.9])
def test_regions_of_the_score_are_those_of_the_sets(q_hat: float) -> None:
    rng = np.random.default_rng(9)
    score = rng.normal(size=80)
    fitted = fit_isotonic_steps(score, rng.random(80) < 1 / (1 + np.exp(-3 * score)))
    regions = score_regions(fitted, q_hat)
    x = rng.uniform(-4, 4, 500)
    for value, row in zip(x.tolist(), prediction_sets(fitted.probability(x), q_hat).tolist(), strict=True):
        inside = next(region for region in regions if region.low < value < region.high)
        assert inside.set_name == SETS[row[0], row[1]]


def test_what_it_cannot_fit_is_refused() -> None:
    with pytest.raises(NotEnoughLabelsError):
        fit_isotonic_steps([1, 2], [1, 1])
    with pytest.raises(HcatError, match="single metric"):
        fit_isotonic_steps(np.ones((4, 2)), [0, 1, 0, 1])
