"""What is shown of machine verdicts: no interval without labels, and intervals that cover once labels correct them.

The judge is as on FinanceBench with gold evidence: people pass 88 % of the answers, the machine a few. Before, the mean
of its verdicts stood there with a t interval, which covered the share that people pass in none of the draws.
"""

from __future__ import annotations

import math
import os

import numpy as np
import pytest
from scipy import stats

from hcat.core.arrays import Floats
from hcat.core.errors import NotEnoughLabelsError
from hcat.core.estimates.crossfit import cross_fit
from hcat.core.estimates.labelled_run import labelled_run
from hcat.core.estimates.verdict_errors import machine_verdicts, verdict_errors
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import score_table
from hcat.core.statistics.intervals import mean_interval
from hcat.core.types import Score

DRAWS = int(os.environ.get("HCAT_DRAWS", "200"))
"""1000 in `make simulate`."""
TOTAL = 400
KEYS = [f"s{i}" for i in range(TOTAL)]
PASSES = 0.88


def draw(sensitivity: float, specificity: float, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """What people say of each sample, and the machine's score: above ½ at these rates."""
    people = rng.random(TOTAL) < PASSES
    says = rng.random(TOTAL) < np.where(people, sensitivity, 1 - specificity)
    return people.astype(float), np.where(says, 0.5, 0.0) + rng.random(TOTAL) * 0.499


def predicted(score: Floats, passed: Floats) -> Floats:
    """As `prepare_run` does: too few labels of a class leave the labels alone."""
    try:
        return cross_fit(score[:, None], passed, keys=KEYS, metrics=["faithfulness"])
    except NotEnoughLabelsError:
        return np.full(TOTAL, np.nan)


def at_least(share: float) -> float:
    return float(stats.binom.interval(0.999, DRAWS, share)[0]) / DRAWS


@pytest.mark.parametrize(("sensitivity", "specificity"), [(0.06, 0.97), (0.3, 0.9), (0.8, 0.8)])
def test_what_is_shown_of_a_judged_property_covers_it(sensitivity: float, specificity: float) -> None:
    rng = np.random.default_rng(11)
    covered = {"t of the scores": 0, "shown without labels": 0, "corrected": 0, "sensitivity": 0, "specificity": 0}
    for _ in range(DRAWS):
        people, score = draw(sensitivity, specificity, rng)
        plain = mean_interval(score, within=(0, 1))
        covered["t of the scores"] += plain.low <= PASSES <= plain.high
        provenance = Provenance("0", "hash", ("faithfulness",))
        table = score_table(KEYS, {"faithfulness": [Score(float(value)) for value in score]}, provenance)
        covered["shown without labels"] += not math.isnan(table.summary()["faithfulness"].mean.low)
        passed = np.where(rng.permutation(TOTAL) < 120, people, np.nan)
        prediction = predicted(score, passed)
        verdicts = machine_verdicts(score, within=(0, 1), direction="higher")
        assert verdicts is not None
        run = labelled_run(passed, prediction)
        errors = verdict_errors(run, verdicts, metric="faithfulness", criterion="correct")
        covered["corrected"] += errors.corrected.low <= PASSES <= errors.corrected.high
        covered["sensitivity"] += errors.sensitivity.low <= sensitivity <= errors.sensitivity.high
        covered["specificity"] += errors.specificity.low <= specificity <= errors.specificity.high
    shares = {name: count / DRAWS for name, count in covered.items()}
    print(sensitivity, specificity, shares)
    assert shares["t of the scores"] == 0  # what was shown before
    assert shares["shown without labels"] == 0
    for name in ("corrected", "sensitivity", "specificity"):
        assert shares[name] >= at_least(0.95 if name != "specificity" else 0.93), name  # about 14 fails a draw
    assert shares["corrected"] <= float(stats.binom.interval(0.999, DRAWS, 0.96)[1]) / DRAWS
