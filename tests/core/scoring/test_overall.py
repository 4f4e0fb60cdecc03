"""The share of all work: stages weigh by their cost, and a stage that found its work done counts once it is scored."""

from __future__ import annotations

import pytest

from hcat.core.scoring.overall import COSTS, SCORE, OverallProgress
from hcat.core.types import Progress


def test_the_share_goes_from_nothing_to_all_and_never_back() -> None:
    told: list[Progress] = []
    report = OverallProgress(("encode", "verify", SCORE), told.append)
    for stage, done in (("encode", 5), ("verify", 5), (SCORE, 5), ("encode", 3), ("encode", 10), (SCORE, 10)):
        report(Progress(stage, done, 10))
    shares = [step.share for step in told]
    whole = COSTS["encode"] + COSTS["verify"] + COSTS[SCORE]
    # Half of the encoding; then half of all; no step back; all of the encoding and half of the rest; all.
    assert shares[0] == pytest.approx(0.5 * COSTS["encode"] / whole)
    assert shares[2] == pytest.approx(0.5)
    assert shares[3] == pytest.approx(0.5)
    assert shares[4] == pytest.approx((COSTS["encode"] + 0.5 * (COSTS["verify"] + COSTS[SCORE])) / whole)
    assert shares[5] == pytest.approx(1.0)  # the claims were in the cache, and never told of


def test_a_stage_that_nobody_announced_counts_too() -> None:
    told: list[Progress] = []
    OverallProgress((SCORE,), told.append)(Progress("toxicity", 1, 2))
    assert told[0].share is not None
    assert 0 < told[0].share < 1
