from __future__ import annotations

import numpy as np
import pytest

from hcat.core.slices.estimators.protocol import Estimates
from hcat.core.slices.marginal import Grouping
from tests.core.slices.by_rows import estimated


def crossed(values: dict[tuple[int, int], list[float]]) -> tuple[np.ndarray, Grouping, Grouping]:
    rows = [(i, j, v) for (i, j), inside in values.items() for v in inside]
    one = Grouping("a", np.array([r[0] for r in rows]), ("a0", "a1"))
    two = Grouping("b", np.array([r[1] for r in rows]), ("b0", "b1"))
    return np.array([r[2] for r in rows], dtype=np.float64), one, two


def bivariate(values: np.ndarray, one: Grouping, two: Grouping, **given: float) -> Estimates:
    return estimated(values, (one, two), **given)[0]


def test_interaction_of_a_balanced_table() -> None:
    # Cell means 0, 0, 0, 4: the additive fit is −1, 1, 1, 3, so each cell is off by 1.
    cells = bivariate(
        *crossed({(0, 0): [-1, 1], (0, 1): [-1, 1], (1, 0): [-1, 1], (1, 1): [3, 5]}), minimum_n=2, level=0.95
    )
    assert cells.interaction.value == pytest.approx([1, -1, -1, 1])
    # σ² = 8/4 = 2, 1/n − h = 1/2 − 3/8 = 1/8, t(0.975, 4) = 2.776: 1 ± 2.776 · √(2/8).
    assert cells.interaction.high[0] == pytest.approx(1 + 2.776445 * 0.5, abs=1e-5)


def test_additive_cells_have_no_interaction_however_unbalanced() -> None:
    cells = bivariate(
        *crossed({(0, 0): [0.0] * 9, (0, 1): [1.0] * 2, (1, 0): [2.0] * 3, (1, 1): [3.0] * 7}), minimum_n=2, level=0.95
    )
    assert cells.interaction.value == pytest.approx([0, 0, 0, 0], abs=1e-12)


def test_cells_that_do_not_occur_are_not_listed() -> None:
    cells = bivariate(*crossed({(0, 0): [1, 2], (1, 1): [3, 4]}), minimum_n=2, level=0.95)
    assert cells.cells.levels == [("a0", "b0"), ("a1", "b1")]
    assert np.isnan(cells.interaction.value).all()  # each cell is alone in its row: the margins explain it fully


def test_an_unscored_cell_is_listed_without_numbers() -> None:
    cells = bivariate(
        *crossed({(0, 0): [1, 2, 3], (0, 1): [np.nan], (1, 0): [2, 3], (1, 1): [5, 1]}), minimum_n=2, level=0.95
    )
    assert cells.statistics.of.n.tolist() == [3, 0, 2, 2]
    assert cells.statistics.unscored.tolist() == [0, 1, 0, 0]
    assert np.isnan(cells.interaction.value[1]) and np.isnan(cells.statistics.shrunken[1])
