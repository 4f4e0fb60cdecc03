"""What calibrations say of their coverage and of what their maps assume, on data in which that is known."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.battery.nulls import WITHIN_CLUSTERS, Drawn, Null
from benchmarks.battery.trial import Trial
from hcat.core.arrays import Floats, Ints
from hcat.core.calibration.calibrate import calibrate
from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.checks.diagnostics import COVERAGE
from hcat.core.calibration.checks.proportional_odds import PROPORTIONAL_ODDS, check_proportional_odds
from hcat.core.errors import HcatError
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, Label

LABELS, LEVELS, FRESH = 100, 240, 500
ALPHA = 0.1
METRIC = "m"


def misjudged_coverage(null: Null, rng: np.random.Generator) -> bool:
    """Whether sets by a score that tells nothing are said to cover what they do not, or not to cover what they do. On a
    constant side the score is the same for all that fail."""
    passes = null.draw_passes(rng, LABELS)
    try:
        made = _calibrated(_scores(null, rng, passes.values), passes)
    except HcatError:  # too few labels of a class
        return False
    held = [
        float(made.sets_at(_scores(null, rng, np.full(FRESH, passed))[:, None])[:, int(passed)].mean())
        for passed in (0.0, 1.0)
    ]
    true = (1 - passes.mean) * held[0] + passes.mean * held[1]
    return (made.coverage_shown == "reached" and true < 1 - ALPHA) or (
        made.coverage_shown == "missed" and true >= 1 - ALPHA
    )


def _scores(null: Null, rng: np.random.Generator, passed: Floats) -> Floats:
    found: list[Floats] = []
    while sum(map(len, found)) < len(passed):  # where units are few, a draw has no more than those
        drawn = null.draw(rng, len(passed))
        side = passed[: len(drawn)] == 0
        found.append(drawn.with_side(side) if len(side) == len(drawn) else drawn.values)
    return np.concatenate(found)[: len(passed)]


def _calibrated(scores: Floats, passes: Drawn) -> Calibration:
    names = [f"s{number}" for number in range(len(passes))]
    frame = pd.DataFrame({METRIC: scores}, index=pd.Index(names, name="sample_id", dtype="str"))
    weights = np.ones(len(passes)) if passes.weights is None else passes.weights
    labels = [
        Label(name, "c", int(passed), probability=1 / weight)
        for name, passed, weight in zip(names, passes.values.tolist(), weights.tolist(), strict=True)
    ]
    clusters = {name: f"c{code}" for name, code in zip(names, passes.units.tolist(), strict=True)}
    return calibrate(
        *(labels, ScoreTable(frame, Provenance("0", "r", (METRIC,)))),
        criterion=Criterion("c"),
        metrics=[METRIC],
        alpha=ALPHA,
        test_cases=clusters,
        replicates=0,
        repeats=0,
    )


def doubted_odds(null: Null, rng: np.random.Generator) -> bool:
    """Whether one slope for all cuts is doubted of a score that moves none of them."""
    drawn = null.draw(rng, LEVELS)
    levels = _levels(null, drawn, rng)
    checked = check_proportional_odds(drawn.values, levels, n_levels=3, weights=drawn.weights, groups=drawn.clusters)
    return checked.doubtful


def _levels(null: Null, drawn: Drawn, rng: np.random.Generator) -> Ints:
    """Three levels, the worst as rare as fails are, that are alike within clusters."""
    lean = rng.random(len(drawn))
    if drawn.clusters is not None:
        first = np.unique(drawn.clusters, return_index=True)[1]
        lean = np.where(rng.random(len(drawn)) < np.sqrt(WITHIN_CLUSTERS), lean[first][drawn.clusters], lean)
    return np.digitize(lean, [null.failures, (1 + null.failures) / 2])


TRIALS = (
    Trial(COVERAGE, misjudged_coverage, thin=40),
    Trial(
        PROPORTIONAL_ODDS,
        doubted_odds,
        skips={"constant side": "a level at which all scores are equal has another slope, which is to be found"},
        thin=200,
    ),
)
