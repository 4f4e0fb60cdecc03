"""Levels that may be clusters: what is warned of, and how they are joined with the clusters that are known."""

from __future__ import annotations

import numpy as np
import pytest

from hcat.core.estimates.labelled_run import labelled_run
from hcat.core.estimates.level_clusters import clusters_by_level, joined, level_clusters


def test_levels_that_agree_are_found_and_others_are_not() -> None:
    rng = np.random.default_rng(4)
    document = np.repeat(np.arange(20), 5)
    passed = (rng.random(20) < 0.6).astype(float)[document]
    run = labelled_run(passed, np.full(100, np.nan))
    found = level_clusters(run, [("document", [f"d{each}" for each in document]), ("shade", ["light"] * 100)])
    assert [each.dimension for each in found] == ["document"]
    # All five of a document agree: a design effect of 5, up to the factors 20/19 and 99/100.
    assert found[0].effect == pytest.approx(5 * 20 / 19 * 99 / 100)
    assert (found[0].levels, found[0].samples) == (20, 100)
    assert found[0].rate.high - found[0].rate.low > 0.35


def test_levels_without_effect_are_seldom_warned_of() -> None:
    rng = np.random.default_rng(5)
    levels = [f"d{each}" for each in np.repeat(np.arange(17), 5)]
    runs = (labelled_run((rng.random(85) < 0.4).astype(float), np.full(85, np.nan)) for _ in range(200))
    assert np.mean([bool(level_clusters(run, [("document", levels)])) for run in runs]) < 0.12


def test_clusters_and_levels_are_joined_also_through_others() -> None:
    assert joined(np.array(["a", "a", "b", "c", "d"]), np.array(["x", "y", "y", "", ""])).tolist() == [0, 0, 0, 1, 2]
    assert clusters_by_level(None, ["s1", "s2", "s3"], ["x", "y", "x"]) == {"s1": "s1", "s2": "s2", "s3": "s1"}
