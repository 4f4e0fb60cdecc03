from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.calibration.calibrate import calibrate
from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.conformal.threshold import prediction_sets, score_regions
from hcat.core.calibration.maps.isotonic import IsotonicMap, fit_isotonic, pool_adjacent_violators
from hcat.core.calibration.maps.parameters import PARAMETERS, map_from_parameters
from hcat.core.errors import FileFormatError, HcatError, NotEnoughLabelsError
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, Label
from tests.core.calibration.calibration_file import calibration_json


def test_pooling_by_hand() -> None:
    # 3 before 1 is pooled to 2; with weights 1 and 3 to (3 + 3) / 4 = 1.5, which then pools with nothing.
    assert pool_adjacent_violators([1, 3, 1, 4], np.ones(4)).tolist() == [1, 2, 2, 4]
    assert pool_adjacent_violators([1, 3, 1, 4], [1, 1, 3, 1]).tolist() == [1, 1.5, 1.5, 4]
    # 5, 4, 3 pool one after the other to 4.
    assert pool_adjacent_violators([5, 4, 3], np.ones(3)).tolist() == [4, 4, 4]


def test_known_map() -> None:
    # Labels 0 1 0 1 at 1 2 3 4: the middle two pool to 1/2; the ends 0 and 1 are kept off certainty by 1/(4 + 2).
    fitted = fit_isotonic([1, 2, 3, 4], [0, 1, 0, 1])
    assert fitted.probability([0, 1, 2, 2.5, 3, 4, 9]) == pytest.approx([1 / 6, 1 / 6, 0.5, 0.5, 0.5, 5 / 6, 5 / 6])
    # Half-way between 1 and 2: half-way between 1/6 and 1/2.
    assert fitted.probability([1.5])[0] == pytest.approx(1 / 3)


def test_a_metric_that_falls_with_quality() -> None:
    fitted = fit_isotonic([1, 2, 3, 4], [1, 1, 0, 0])
    assert fitted.probability([1, 2, 3, 4]) == pytest.approx([5 / 6, 5 / 6, 1 / 6, 1 / 6])


def test_unscored_stays_unscored() -> None:
    fitted = fit_isotonic([1, 2], [0, 1])
    assert math.isnan(fitted.probability([[math.nan]])[0])


def test_a_constant_score_gives_the_share_of_passes() -> None:
    fitted = fit_isotonic([2, 2, 2, 2], [1, 1, 1, 0])
    assert fitted.probability([-5, 2, 7]).tolist() == [0.75, 0.75, 0.75]
    # q̂ = 0.8: 0.75 ≤ 0.8 and 1 − 0.75 ≤ 0.8, so that every set holds both.
    assert [(r.set_name, r.low, r.high) for r in score_regions(fitted, 0.8)] == [("both", -math.inf, math.inf)]


def test_what_it_cannot_fit_is_refused() -> None:
    with pytest.raises(NotEnoughLabelsError):
        fit_isotonic([1, 2], [1, 1])
    with pytest.raises(HcatError, match="single metric"):
        fit_isotonic(np.ones((4, 2)), [0, 1, 0, 1])
    with pytest.raises(HcatError, match="positive"):
        fit_isotonic([1, 2], [0, 1], weights=[1, 0])
    with pytest.raises(HcatError, match="scored"):
        fit_isotonic([1, math.nan], [0, 1])


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"scores": [1, 2], "probabilities": [0.2]},
        {"scores": [2, 1], "probabilities": [0.2, 0.4]},
        {"scores": [1, 2, 3], "probabilities": [0.2, 0.4, 0.3]},
        {"scores": [1], "probabilities": [1.0]},
        {"scores": ["1"], "probabilities": [0.5]},
        {"scores": [], "probabilities": []},
    ],
)
def test_what_is_no_map_is_not_loaded(parameters: dict) -> None:
    with pytest.raises(FileFormatError):
        map_from_parameters(IsotonicMap, ["m"], parameters)


@given(st.integers(0, 10**6), st.floats(0.05, 0.95))
def test_regions_say_what_the_sets_are(seed: int, q_hat: float) -> None:
    rng = np.random.default_rng(seed)
    score = np.round(rng.normal(size=30), 1)
    passed = rng.random(30) < 0.5
    passed[:2] = (True, False)
    fitted = fit_isotonic(score, passed)
    # A q̂ that labels set is one of the map's own levels, where flat parts lie right on the edge.
    for q in (q_hat, float(1 - fitted.probability(score)[0]), float(fitted.probability(score)[1])):
        regions = score_regions(fitted, q)
        assert (regions[0].low, regions[-1].high) == (-math.inf, math.inf)
        assert all(a.high == b.low and a.set_name != b.set_name for a, b in itertools.pairwise(regions))
        names = {(True, False): "fail", (False, True): "pass", (True, True): "both", (False, False): "empty"}
        for x in rng.uniform(-3, 3, 40):
            row = prediction_sets(fitted.probability([x]), q)[0]
            inside = next(region for region in regions if region.low < x < region.high)
            assert inside.set_name == names[(bool(row[0]), bool(row[1]))]


@given(st.lists(st.tuples(st.integers(-5, 5), st.booleans()), min_size=2, max_size=40))
def test_monotone_and_never_certain(pairs: list[tuple[int, bool]]) -> None:
    score, passed = (list(side) for side in zip(*pairs, strict=True))
    if len(set(passed)) < 2:
        return
    fitted = fit_isotonic(score, passed)
    p = fitted.probability(np.linspace(-6, 6, 50))
    steps = np.diff(p)
    assert (steps >= 0).all() or (steps <= 0).all()
    assert p.min() >= 1 / (len(passed) + 2) - 1e-12
    assert p.max() <= 1 - 1 / (len(passed) + 2) + 1e-12
    again = map_from_parameters(IsotonicMap, fitted.metrics, PARAMETERS.write_object(fitted))
    assert again == fitted


def test_a_whole_calibration_survives_its_document() -> None:
    rng = np.random.default_rng(2)
    score = rng.normal(size=200)
    passed = rng.random(200) < 1 / (1 + np.exp(-2 * score))
    index = pd.Index([f"s{i}" for i in range(200)], name="sample_id", dtype="str")
    table = ScoreTable(pd.DataFrame({"m": score}, index=index), Provenance("0", "h", ("m",)))
    labels = [Label(f"s{i}", "c", int(passed[i])) for i in range(200)]
    made = calibrate(labels, table, criterion=Criterion("c"), metrics=["m"], method="isotonic")
    read = Calibration.from_json(calibration_json(made))
    assert read.map == made.map
    assert read.predict(table).equals(made.predict(table))
    assert made.diagnostics is not None and made.diagnostics.auc.value > 0.7
