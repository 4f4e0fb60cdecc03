"""How many labels a verdict would take: where that can be computed by hand, and where no number is given."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy.stats import norm

from core.calibration.checks.diagnostics import diagnose
from core.calibration.checks.evidence import Discrimination, Evidence, RepeatedSplits, Spread
from core.calibration.checks.labels_needed import PROBABILITY, labels_until_fit
from core.calibration.checks.looks import DeclaredLook, level_of_any_look
from core.calibration.conformal.threshold import Threshold
from core.types import Estimate
from core.wording.verdicts.discrimination import labels_needed_sentence, rounded_up

ENOUGH = Threshold(q_hat=0.6, n=100, alpha=0.1, enough=True, needed=9)
TELLS = Discrimination(Estimate(0.7, 0.58, 0.8, 100), 0.001, 2e-4, 6, 100, True, independent=5.0, alone=1e-3)
SPREAD = Spread(0.8, 0.7, 0.9)
EVIDENCE = Evidence(TELLS, RepeatedSplits(20, *[SPREAD] * 4, 0.6, 1.0, Estimate(0.7, 0.6, 0.8, 100)))
CHECKED = diagnose([0.1, 0.9] * 50, [0, 1] * 50, q_hat=0.6)


def test_the_statistic_grows_with_the_root_of_the_number_of_labels() -> None:
    needed = labels_until_fit(CHECKED, ENOUGH, EVIDENCE, labels=100)
    assert needed.labels == needed.above_chance is not None
    z = norm.isf(0.001)

    def chance(n: int) -> float:
        return float(norm.cdf(z * np.sqrt(n / 100) - norm.isf(level_of_any_look(n, tries=5.0))))

    assert chance(needed.labels) >= PROBABILITY > chance(needed.labels - 1)
    said = labels_needed_sentence(dataclasses.replace(EVIDENCE, labels_needed=needed))
    assert f"{rounded_up(needed.labels)} labels in all" in said and "80%" in said


def test_a_declared_look_takes_fewer() -> None:
    declared = DeclaredLook(150, (), frozenset("a"))
    needed = labels_until_fit(CHECKED, ENOUGH, EVIDENCE, labels=100, declared=declared)
    assert needed.above_chance == 150


@pytest.mark.parametrize("p", [0.5, 0.9])
def test_no_number_would_show_what_is_not_there(p: float) -> None:
    useless = dataclasses.replace(EVIDENCE, discrimination=dataclasses.replace(TELLS, p=p))
    needed = labels_until_fit(CHECKED, ENOUGH, useless, labels=100)
    assert (needed.labels, needed.above_chance) == (None, None)
    assert "more labels alone would not" in labels_needed_sentence(dataclasses.replace(useless, labels_needed=needed))
