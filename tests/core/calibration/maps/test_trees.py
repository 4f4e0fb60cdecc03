from __future__ import annotations

import math

import numpy as np
import pytest

from hcat.core.calibration.maps.boosted_trees import BoostedMap, fit_boosted
from hcat.core.calibration.maps.parameters import PARAMETERS, map_from_parameters
from hcat.core.calibration.maps.trees import Tree
from hcat.core.errors import FileFormatError, HcatError, NotEnoughLabelsError
from hcat.core.records.codec import JSON
from hcat.core.types import JsonValue

# score_0 < 0.5 → −1; else score_1 < 0.5 → 0, else 2. Unscored metrics go left. Of 10 labels 4 fell left, then 2 and 4.
SMALL = Tree(
    metric=(0, 0, 1, 0, 0),
    threshold=(0.5, 0.0, 0.5, 0.0, 0.0),
    left=(1, -1, 3, -1, -1),
    right=(2, -1, 4, -1, -1),
    unscored_left=(True, False, True, False, False),
    value=(0.0, -1.0, 0.0, 0.0, 2.0),
    cover=(10.0, 4.0, 6.0, 2.0, 4.0),
)


def test_leaves() -> None:
    X = np.array([[0.0, 1.0], [0.5, 0.0], [1.0, 1.0], [np.nan, 1.0], [1.0, np.nan]])
    assert SMALL.log_odds(X).tolist() == [-1.0, 0.0, 2.0, -1.0, 0.0]


def test_contributions_by_hand() -> None:
    # At (1, 1): nothing known 0.4·(−1) + 0.2·0 + 0.4·2 = 0.4; score_0 known: 1/3·0 + 2/3·2 = 4/3;
    # score_1 known: 0.4·(−1) + 0.6·2 = 0.8; both: 2.
    # score_0: ½(4/3 − 0.4) + ½(2 − 0.8) = 16/15; score_1: ½(0.8 − 0.4) + ½(2 − 4/3) = 8/15.
    assert SMALL.mean == pytest.approx(0.4)
    assert SMALL.contributions(np.array([[1.0, 1.0]]))[0] == pytest.approx([16 / 15, 8 / 15])


def test_a_tree_survives_its_document() -> None:
    assert JSON.read(Tree, JSON.write(SMALL)) == SMALL


@pytest.mark.parametrize(
    "change",
    [
        {"left": [0, -1, 3, -1, -1]}, {"right": [9, -1, 4, -1, -1]}, {"metric": [7, 0, 1, 0, 0]}, {"value": [1.0]},
        {"metric": [], "threshold": [], "left": [], "right": [], "unscored_left": [], "value": [], "cover": []},
    ],
)  # fmt: skip
def test_what_is_no_tree_is_refused(change: dict[str, JsonValue]) -> None:
    # A node that points at itself, or behind the end, would never come to a leaf.
    of_one_tree = PARAMETERS.write_object(BoostedMap(("a", "b"), 0.0, (SMALL,), ("none", "none"), (True, True)))
    with pytest.raises(FileFormatError):
        map_from_parameters(BoostedMap, ("a", "b"), of_one_tree | {"trees": [JSON.write_object(SMALL) | change]})


def example(n: int = 400, *, lacking: bool = False) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, 3))
    y = (X[:, 0] - X[:, 1] + 0.3 * np.sin(3 * X[:, 0]) + rng.logistic(size=n) > 0).astype(float)
    if lacking:
        X[::7, 2] = np.nan
    return X, y


def test_the_probability_never_goes_against_a_direction() -> None:
    X, y = example()
    fitted = fit_boosted(X, y, directions=["higher", "lower", "none"], rounds=100)
    axis = np.linspace(-4, 4, 200)
    for others in np.random.default_rng(0).normal(size=(20, 3)):
        rows = np.tile(others, (200, 1))
        for column, sign in ((0, 1), (1, -1)):
            along = rows.copy()
            along[:, column] = axis
            assert (np.diff(sign * fitted.probability(along)) >= 0).all()


def test_the_direction_holds_against_the_labels() -> None:
    X, y = example()
    wrong = fit_boosted(X[:, :1], y, directions=["lower"], rounds=60).probability(X[:, :1])
    assert wrong[X[:, 0].argmax()] <= wrong[X[:, 0].argmin()]


def test_contributions_sum_to_the_log_odds() -> None:
    X, y = example(lacking=True)
    fitted = fit_boosted(X, y, directions=["higher", "lower", "none"], rounds=50)
    p = fitted.probability(X)
    assert fitted.baseline + fitted.contributions(X).sum(axis=1) == pytest.approx(np.log(p / (1 - p)), abs=1e-9)


def test_unscored_only_where_it_was_seen() -> None:
    X, y = example(lacking=True)
    fitted = fit_boosted(X, y, rounds=10)
    p = fitted.probability(np.array([[0.1, 0.2, np.nan], [np.nan, 0.2, 0.1], [np.nan] * 3]))
    assert not math.isnan(p[0]) and np.isnan(p[1:]).all()


def test_rounds_come_from_folds_that_keep_test_cases_together() -> None:
    # Every label stands twice; folds that divided the copies would take the copy's label for knowledge of the noise.
    X, _ = example(150)
    noise = np.random.default_rng(1).integers(0, 2, 150).astype(float)
    twice, cases = np.vstack([X, X]), [str(i) for i in range(150)] * 2
    together = fit_boosted(twice, np.tile(noise, 2), groups=cases)
    divided = fit_boosted(twice, np.tile(noise, 2))
    assert len(together.trees) < len(divided.trees)


def test_same_labels_same_trees() -> None:
    X, y = example()
    assert fit_boosted(X, y) == fit_boosted(X, y)


def test_few_labels_take_the_usual_rounds() -> None:
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    assert len(fit_boosted(X, [0, 0, 0, 1]).trees) == 30


def test_what_it_cannot_fit_is_refused() -> None:
    with pytest.raises(NotEnoughLabelsError):
        fit_boosted([[1.0], [2.0]], [1, 1])
    with pytest.raises(HcatError, match="at least one score"):
        fit_boosted([[1.0], [np.nan]], [0, 1])


def test_damaged_parameters_are_refused() -> None:
    X, y = example()
    parameters = PARAMETERS.write_object(fit_boosted(X, y, rounds=3))
    for change in ({"trees": [1]}, {"start": None}, {"directions": ["up"] * 3}, {"unscored_seen": []}):
        with pytest.raises(FileFormatError):
            map_from_parameters(BoostedMap, ("a", "b", "c"), parameters | change)
