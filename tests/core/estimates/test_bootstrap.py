"""The bootstrap interval of the corrected pass rate."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.errors import HcatError
from core.estimates.bootstrap import bootstrap_pass_rate
from core.estimates.influence import labelled_run
from core.estimates.prediction_powered import estimate_pass_rate


def test_replicates_agree_with_the_formula_and_are_the_same_for_a_seed() -> None:
    rng = np.random.default_rng(6)
    p = rng.random(800)
    passed = np.where(np.arange(800) < 300, rng.random(800) < p, np.nan)
    run = labelled_run(passed, p, clusters=np.arange(800) // 2)
    formula = estimate_pass_rate(run)
    made = bootstrap_pass_rate(run, generator=np.random.default_rng(1), replicates=4000)
    assert made.value == formula.ppi.value
    # 4,000 replicates know a 2.5 % quantile of a normal to about 4 % of its distance from the middle.
    assert made.high - made.low == pytest.approx(2 * 1.96 * formula.standard_error, rel=0.06)
    assert made == bootstrap_pass_rate(run, generator=np.random.default_rng(1), replicates=4000)


def test_one_label_has_no_interval() -> None:
    made = bootstrap_pass_rate(labelled_run([1.0, math.nan], [0.5, 0.5]), generator=np.random.default_rng(1))
    assert math.isnan(made.low)
    with pytest.raises(HcatError):
        bootstrap_pass_rate(labelled_run([1.0, 0.0], [0.5, 0.5]), generator=np.random.default_rng(1), replicates=1)
