from __future__ import annotations

from datetime import UTC, datetime

import numpy as np

from hcat.core.capabilities.agreement.ratings import ratings
from hcat.core.types import Criterion, Label

CRITERION = Criterion("correct")


def test_labels_become_a_table_of_the_current_ones() -> None:
    labels = [
        Label("s1", "correct", 0, "ann", at=datetime(2024, 5, 2, tzinfo=UTC)),
        Label("s1", "correct", 1, "ann", at=datetime(2024, 5, 1)),  # older, though later in order
        Label("s1", "correct", 1, "bob"),
        Label("s2", "correct", 0, "bob"),
        Label("s2", "correct", 1, "bob"),
        Label("s2", "helpful", 0, "ann"),
        Label("s2", "correct", 1, "overlap", source="rule"),
        Label("s2", "correct", 0, "cy", source="adjudication"),
        Label("s2", "correct", 1, "a model", source="llm"),
    ]
    table = ratings(labels, criterion=CRITERION)
    assert (table.samples, table.annotators) == (("s1", "s2"), ("ann", "bob"))
    assert np.array_equal(table.levels, [[0, 1], [np.nan, 1]], equal_nan=True)
    first, second = table.pair("ann", "bob")
    assert (first.tolist(), second.tolist()) == ([0.0], [1.0])
    assert table.rows([False, True]).samples == ("s2",)


def test_no_labels() -> None:
    assert ratings([], criterion=CRITERION).levels.shape == (0, 0)
