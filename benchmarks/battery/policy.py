"""Trials of a policy's promise, of its alarms in use, and of the rule that says when labels are enough."""

from __future__ import annotations

import numpy as np

from benchmarks.battery.nulls import Drawn, Null
from benchmarks.battery.trial import Trial
from hcat.core.capabilities.policy.check import ERROR, ERROR_ALARM, LOAD, POLICY_ALARM, PolicyCheck
from hcat.core.capabilities.policy.drift import ALPHA, DRIFT_ALARM, Drift, Outcomes, drift
from hcat.core.capabilities.policy.held_out import HeldOutLabels
from hcat.core.capabilities.policy.looks import POLICY_EVER_SHOWN, Looks
from hcat.core.capabilities.policy.promise import Promise
from hcat.core.capabilities.policy.stakes import largest_above
from hcat.core.capabilities.policy.thresholds import POLICY_SHOWN, RULE_SHOWN, OtherSamples, certify
from hcat.core.estimates.labelled_run import LabelledRun
from hcat.core.estimates.stopping import STOPPED, decide

PROMISE, JUST_BROKEN = Promise(0.1, 0.9), 0.105
LABELS, LOOKS, TRIES, SLICES = 240, range(60, 301, 80), 3, 3
WINDOWS, IN_WINDOW = 12, 40
WATCHED = range(30, 241, 30)
HEAVIEST = 20.0
"""The largest weight of the null with weights."""


def shown(null: Null, rng: np.random.Generator) -> bool:
    """Whether a map that tells nothing gets a threshold though more than the promised share fails."""
    return _shown(null.draw_passes(rng, 2 * LABELS, failures=JUST_BROKEN), rng, LABELS, Looks.declared(1, 1), PROMISE)


def ever_shown(null: Null, rng: np.random.Generator) -> bool:
    """Whether any of several such maps ever gets one, at any of several looks at growing labels."""
    drawn = null.draw_passes(rng, 2 * LOOKS[-1], failures=JUST_BROKEN)
    return any(
        _shown(drawn, np.random.default_rng(number), n, Looks.counted(number, beside_plan=False), PROMISE)
        for number in range(1, TRIES + 1)
        for n in LOOKS
    )


def shown_by_slice(null: Null, rng: np.random.Generator) -> bool:
    """Whether any of several slices gets one."""
    looks = Looks.declared(1, 1)
    return any(
        _shown(null.draw_passes(rng, 2 * LABELS, failures=JUST_BROKEN), rng, LABELS, looks, PROMISE, rules=SLICES)
        for _ in range(SLICES)
    )


def error_drifts(null: Null, rng: np.random.Generator) -> bool:
    """Whether an alarm is raised over windows of which as many fail as was promised."""
    return _errors(null, rng).alarm is not None


def errors_alarm(null: Null, rng: np.random.Generator) -> bool:
    """The same of a policy that is checked."""
    return PolicyCheck((_errors(null, rng),), drift(LOAD, [], least=0, most=1), 0).error_alarm


def any_alarm(null: Null, rng: np.random.Generator) -> bool:
    """The same of error and load, which may leave what was promised at either end."""
    load = drift(LOAD, _windows(null, rng, 0.3), least=0.3, most=0.3, alpha=ALPHA / 2)
    return PolicyCheck((_errors(null, rng),), load, 0).alarm


def stopped(null: Null, rng: np.random.Generator) -> bool:
    """Whether a pass rate that is the threshold is ever said to lie on one side of it, as labels come in."""
    drawn = null.draw_passes(rng, 2 * WATCHED[-1])
    return any(_decided(drawn, n, drawn.mean) for n in WATCHED if n <= len(drawn))


def _shown(drawn: Drawn, rng: np.random.Generator, n: int, looks: Looks, promise: Promise, *, rules: int = 1) -> bool:
    chance, failed, weights, clusters = rng.beta(9, 1, len(drawn)), drawn.values == 0, drawn.weights, drawn.clusters
    labelled = np.arange(len(drawn)) < n
    if clusters is not None:  # whole clusters are labelled
        labelled = clusters <= clusters[min(n, len(drawn)) - 1]
    could_weigh = None if weights is None else np.full(len(chance), HEAVIEST)
    labels = HeldOutLabels(
        chance[labelled],
        failed[labelled],
        None if weights is None else weights[labelled],
        None if clusters is None else clusters[labelled],
        largest_above(chance, could_weigh, clusters),
    )
    tested, others = looks.tested(promise, rules), OtherSamples(chance[~labelled])
    return certify({"": labels}, others, tested, watched=looks.watched).accept_from is not None


def _errors(null: Null, rng: np.random.Generator) -> Drift:
    return drift(ERROR, _windows(null, rng, PROMISE.error), least=0, most=PROMISE.error, alpha=ALPHA / 2)


def _windows(null: Null, rng: np.random.Generator, share: float) -> list[tuple[str, Outcomes]]:
    every = (null.draw_passes(rng, IN_WINDOW, failures=share) for _ in range(WINDOWS))
    return [
        (
            str(k),
            Outcomes(drawn.values == 0, drawn.weights, drawn.clusters, HEAVIEST if drawn.weights is not None else 1),
        )
        for k, drawn in enumerate(every)
    ]


def _decided(drawn: Drawn, n: int, threshold: float) -> bool:
    passed = np.where(np.arange(len(drawn)) < n, drawn.values, np.nan)
    run = LabelledRun(passed, np.full(len(drawn), np.nan), drawn.weights, None, drawn.clusters)
    return decide(run, threshold).verdict in STOPPED.words


_NO_VALUES = {"constant side": "a promise is of one share, which has no sides"}
TRIALS = (
    Trial(POLICY_SHOWN, shown, skips=_NO_VALUES, thin=100),
    Trial(RULE_SHOWN, shown_by_slice, skips=_NO_VALUES, thin=40),
    Trial(POLICY_EVER_SHOWN, ever_shown, skips=_NO_VALUES, thin=20),
    Trial(DRIFT_ALARM, error_drifts, skips=_NO_VALUES, thin=20),
    Trial(ERROR_ALARM, errors_alarm, skips=_NO_VALUES, thin=10),
    Trial(POLICY_ALARM, any_alarm, skips=_NO_VALUES, thin=10),
    Trial(STOPPED, stopped, skips=_NO_VALUES, thin=30),
)
