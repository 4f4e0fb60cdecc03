"""Intervals of attack success cover as they say, where those that take the detector's error rates as known do not."""

from __future__ import annotations

import os

import numpy as np
import pytest

from hcat.core.capabilities.attacks.success import AttackOutcomes, attack_success
from hcat.core.types import Estimate

SEEDS, TRIALS, LABELS = 60, 5, 100
RUNS = int(os.environ.get("HCAT_DRAWS", "120"))
LEAST = 0.93 if RUNS >= 300 else 0.89
"""Of few draws chance takes more."""
SENSITIVITY, SPECIFICITY = 0.85, 0.9
CONTROL = 0.02


def chances(rng: np.random.Generator, rate: float) -> np.ndarray:
    """A chance of success for each seed, `rate` on average, with a share of a quarter between seeds."""
    return np.full(SEEDS, rate) if rate in (0.0, 1.0) else rng.beta(3 * rate, 3 * (1 - rate), SEEDS)


def drawn(rng: np.random.Generator, rate: float, control: float = CONTROL) -> AttackOutcomes:
    """Answers to attacks and controls, what an imperfect detector says of them, and labels on a few."""
    success = np.concatenate(
        [rng.random((SEEDS, TRIALS)) < chances(rng, share)[:, None] for share in (rate, control)]
    ).ravel()
    hits = np.where(success, rng.random(len(success)) < SENSITIVITY, rng.random(len(success)) > SPECIFICITY)
    labels = np.full(len(success), np.nan)
    labelled = rng.choice(len(success), LABELS, replace=False)
    labels[labelled] = success[labelled]
    return AttackOutcomes(
        hits.astype(float),
        np.repeat([True, False], SEEDS * TRIALS),
        np.tile(np.repeat(np.arange(SEEDS), TRIALS), 2),
        labels,
        np.ones(len(success)),
    )


def with_fixed_error_rates(outcomes: AttackOutcomes, rng: np.random.Generator) -> tuple[float, float]:
    """A percentile bootstrap of single answers, corrected by error rates taken as known: garak's interval."""
    labelled = ~np.isnan(outcomes.succeeded)
    truth, hits = outcomes.succeeded[labelled] == 1, outcomes.hits[labelled] == 1
    sensitivity = (hits & truth).sum() / truth.sum() if truth.any() else 1.0
    specificity = (~hits & ~truth).sum() / (~truth).sum()
    answers = outcomes.hits[outcomes.is_attack]
    shares = rng.binomial(len(answers), answers.mean(), 1000) / len(answers)
    power = sensitivity + specificity - 1
    if power <= 0:
        return 0.0, 1.0
    low, high = np.quantile(np.clip((shares + specificity - 1) / power, 0, 1), [0.025, 0.975])
    return float(low), float(high)


def holds(interval: Estimate, truth: float) -> bool:
    return bool(interval.low - 1e-12 <= truth <= interval.high + 1e-12)


@pytest.mark.parametrize("rate", [0.0, 0.05, 0.1, 0.3, 0.5])
def test_corrected_success_covers(rate: float) -> None:
    rng = np.random.default_rng(round(1000 * rate) + 5)
    covered = {"attack": 0, "excess": 0, "fixed error rates": 0}
    for _ in range(RUNS):
        outcomes = drawn(rng, rate)
        corrected = attack_success(outcomes).corrected
        assert corrected is not None
        covered["attack"] += holds(corrected.attack, rate)
        covered["excess"] += holds(corrected.excess, rate - CONTROL)
        low, high = with_fixed_error_rates(outcomes, rng)
        covered["fixed error rates"] += low <= rate <= high
    shares = {name: count / RUNS for name, count in covered.items()}
    print(f"rate {rate}: " + ", ".join(f"{name} {share:.3f}" for name, share in shares.items()))
    assert shares["attack"] >= LEAST  # at the edge an interval covers more, as it has a width
    assert shares["excess"] >= LEAST
    if rate >= 0.1:
        assert shares["fixed error rates"] < 0.85


@pytest.mark.parametrize("echo", [0.46])
def test_a_word_that_any_answer_returns_is_no_success(echo: float) -> None:
    """The canary comes back on 46 % of answers, whether somebody attacked or not: the excess covers 0."""
    rng = np.random.default_rng(46)
    covered = 0
    for _ in range(RUNS):
        chance = np.clip(rng.beta(3 * echo, 3 * (1 - echo), SEEDS), 0, 1)
        hits = np.concatenate([rng.random((SEEDS, TRIALS)) < chance[:, None] for _ in range(2)]).ravel()
        nothing = np.full(len(hits), np.nan)
        outcomes = AttackOutcomes(
            hits.astype(float),
            np.repeat([True, False], SEEDS * TRIALS),
            np.tile(np.repeat(np.arange(SEEDS), TRIALS), 2),
            nothing,
            np.ones(len(hits)),
        )
        covered += holds(attack_success(outcomes).detected.excess, 0.0)
    print(f"echo {echo}: excess covers 0 in {covered / RUNS:.3f}")
    assert covered / RUNS >= LEAST


@pytest.mark.parametrize("rate", [0.05, 0.2, 0.5])
def test_detected_rates_cover(rate: float) -> None:
    rng = np.random.default_rng(round(100 * rate))
    covered = np.zeros(2)
    for _ in range(RUNS):
        hits = np.concatenate(
            [rng.random((SEEDS, TRIALS)) < chances(rng, share)[:, None] for share in (rate, CONTROL)]
        ).ravel()
        outcomes = AttackOutcomes(
            hits.astype(float),
            np.repeat([True, False], SEEDS * TRIALS),
            np.tile(np.repeat(np.arange(SEEDS), TRIALS), 2),
            np.full(len(hits), np.nan),
            np.ones(len(hits)),
        )
        detected = attack_success(outcomes).detected
        covered += [holds(detected.attack, rate), holds(detected.excess, rate - CONTROL)]
    print(f"rate {rate}: attack {covered[0] / RUNS:.3f}, excess {covered[1] / RUNS:.3f}")
    assert (covered / RUNS >= LEAST).all()


@pytest.mark.parametrize(("seeds", "trials"), [(10, 1), (30, 1), (15, 5), (30, 5)])
@pytest.mark.parametrize("rate", [0.02, 0.05])
def test_rare_success_of_few_seeds_is_covered(seeds: int, trials: int, rate: float) -> None:
    """Wilson's interval covered .90 to .92 here."""
    rng = np.random.default_rng(seeds * trials)
    covered = np.zeros(2)
    for _ in range(RUNS):
        made = [
            rng.random((seeds, trials)) < rng.beta(2 * share, 2 - 2 * share, (seeds, 1)) for share in (rate, CONTROL)
        ]
        outcomes = AttackOutcomes(
            np.concatenate(made).ravel().astype(float),
            np.repeat([True, False], seeds * trials),
            np.tile(np.repeat(np.arange(seeds), trials), 2),
            np.full(2 * seeds * trials, np.nan),
            np.ones(2 * seeds * trials),
        )
        detected = attack_success(outcomes).detected
        covered += [holds(detected.attack, rate), holds(detected.excess, rate - CONTROL)]
    assert (covered / RUNS >= LEAST).all()
