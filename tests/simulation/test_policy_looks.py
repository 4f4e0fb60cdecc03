"""A policy that is looked at again and again, by one map after the other: how often it is ever shown, and the power."""

from __future__ import annotations

import numpy as np
from scipy import stats

from hcat.core.arrays import Bools, Floats
from hcat.core.capabilities.policy.held_out import HeldOutLabels
from hcat.core.capabilities.policy.looks import UNDECLARED, Looks
from hcat.core.capabilities.policy.promise import Promise
from hcat.core.capabilities.policy.thresholds import OtherSamples, certify
from tests.draws import fewer

PROMISE = Promise(0.1, 0.9)
LABELS = range(60, 401, 40)


def shown(probability: Floats, failed: Bools, n: int, looks: Looks) -> bool:
    """Whether the first n labels show the promise at any threshold."""
    labels, others = HeldOutLabels(probability[:n], failed[:n]), OtherSamples(probability[n:])
    return certify({"": labels}, others, looks.tested(PROMISE, 1), watched=looks.watched).accept_from is not None


def answers(rng: np.random.Generator) -> Bools:
    """Whether each of 600 answers fails: 0.11 of them do."""
    return rng.random(600) < 0.11


def useless(rng: np.random.Generator) -> Floats:
    """What a map that tells nothing says of them, fitted again."""
    return rng.beta(9, 1, 600)


def test_looking_every_forty_labels_shows_a_broken_promise_no_more_often_than_delta() -> None:
    rng, draws, paid, unpaid = np.random.default_rng(21), fewer(120), 0, 0
    first = Looks.counted(1, beside_plan=False)
    for _ in range(draws):
        failed, maps = answers(rng), [useless(rng) for _ in LABELS]
        paid += any(shown(each, failed, n, first) for each, n in zip(maps, LABELS, strict=True))
        unpaid += any(shown(each, failed, n, UNDECLARED) for each, n in zip(maps, LABELS, strict=True))
    assert paid <= stats.binom.ppf(0.9995, draws, PROMISE.risk)
    assert unpaid > paid


def test_trying_twenty_maps_shows_a_broken_promise_no_more_often_than_delta() -> None:
    rng, draws, paid = np.random.default_rng(22), fewer(120), 0
    for _ in range(draws):
        failed = answers(rng)
        tries = (Looks.counted(number, beside_plan=False) for number in range(1, 21))
        paid += any(shown(useless(rng), failed, 200, looks) for looks in tries)
    assert paid <= stats.binom.ppf(0.9995, draws, PROMISE.risk)


def test_a_plan_keeps_nearly_the_power_of_one_look_and_a_first_try_some_of_it() -> None:
    rng, draws = np.random.default_rng(23), fewer(160)
    ways = (UNDECLARED, Looks.planned(), Looks.counted(1, beside_plan=False))
    found = np.zeros(len(ways))
    for _ in range(draws):
        x = rng.normal(size=700)
        probability = 1 / (1 + np.exp(-(2 + 2 * x)))
        failed = rng.random(700) >= probability
        found += [shown(probability, failed, 400, looks) for looks in ways]
    once, planned, first = found / draws
    assert once > 0.9 and planned > 0.85 and first > 0.7
