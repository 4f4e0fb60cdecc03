"""How often gaps are called where there are none, found where there are some, and held equivalent at the margin."""

from __future__ import annotations

import os

import numpy as np
import pytest
from scipy.stats import beta, binom

from hcat.core.capabilities.fairness.gap import Gap, paired_gap
from hcat.core.capabilities.fairness.planning import plan_gaps
from tests.draws import fewer

QUESTIONS, TRIALS, DRAWS = 100, 2, 1500
RATE, ALIKE = 0.7, 0.3


def answers(rng: np.random.Generator, gap: float, questions: int) -> tuple[np.ndarray, np.ndarray]:
    """Shares of passes over the trials of each question, for a group and its reference: questions differ in how often
    they are passed, so that two answers to one are alike at .3."""
    place = rng.random(questions)  # the same for both groups: hard questions are hard for both
    passed = [rng.binomial(TRIALS, chances(rate, place)) / TRIALS for rate in (RATE - gap, RATE)]
    return passed[0], passed[1]


def chances(rate: float, place: np.ndarray) -> np.ndarray:
    return np.asarray(beta.ppf(place, rate * (1 - ALIKE) / ALIKE, (1 - rate) * (1 - ALIKE) / ALIKE))


def compare(gap: float, questions: int = QUESTIONS) -> list[Gap]:
    rng = np.random.default_rng(20_261)
    names = [str(n) for n in range(questions)]
    return [
        paired_gap(*answers(rng, gap, questions), names, group="a", reference="b", margin=0.1, within=(0.0, 1.0))
        for _ in range(DRAWS)
    ]


def share_found(gap: float, questions: int = QUESTIONS) -> float:
    return float(np.mean([each.p <= 0.05 for each in compare(gap, questions)]))


def test_type_one_error_and_power() -> None:
    assert 0.04 <= share_found(0.0) <= 0.06
    planned = plan_gaps(QUESTIONS, trials=TRIALS, rate=RATE, alike=ALIKE).detectable
    assert share_found(planned) == pytest.approx(0.8, abs=0.04)
    needed = next(n for n in range(50, 500) if plan_gaps(n, trials=TRIALS, rate=RATE, alike=ALIKE).detectable <= 0.1)
    assert 100 < needed < 160
    assert share_found(0.1, needed) == pytest.approx(0.8, abs=0.04)  # a gap of .10 is found at the n that is stated


def test_equivalence_is_called_at_the_margin_in_one_of_twenty() -> None:
    at_margin = compare(0.1)
    assert np.mean([each.p_equivalence <= 0.05 for each in at_margin]) <= 0.065
    for gap, gaps in ((0.1, at_margin), (0.0, compare(0.0))):
        assert 0.935 <= np.mean([each.gap.low <= -gap <= each.gap.high for each in gaps]) <= 0.965


def draws_of(usual: int) -> int:
    return int(os.environ.get("HCAT_DRAWS", fewer(usual)))


@pytest.mark.parametrize(("questions", "trials", "margin", "failures"), [(100, 2, 0.05, 0.02), (60, 3, 0.1, 0.1)])
def test_rare_failures_of_all_trials_are_not_held_equivalent(
    questions: int, trials: int, margin: float, failures: float
) -> None:
    """The group is worse by the margin itself, as a question in so many fails in all its trials."""
    rng, draws = np.random.default_rng(31), draws_of(300)
    equivalent = covered = 0
    for _ in range(draws):
        chance = beta.ppf(rng.random(questions), failures * 2, (1 - failures) * 2)
        own, other = (1 - rng.binomial(trials, chance) / trials for _ in range(2))
        own = np.where(rng.random(questions) < margin / (1 - failures), 0.0, own)
        names = [str(n) for n in range(questions)]
        gap = paired_gap(own, other, names, group="a", reference="b", margin=margin, within=(0.0, 1.0))
        equivalent += gap.p_equivalence <= 0.05
        covered += gap.gap.low <= -margin <= gap.gap.high
    print(f"{questions} questions: equivalent {equivalent / draws:.3f}, covers {covered / draws:.3f}")
    assert equivalent <= binom.ppf(0.9995, draws, 0.05)
    assert covered >= binom.ppf(0.0005, draws, 0.94)
