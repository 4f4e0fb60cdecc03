"""The lowest threshold at which a promise on accepted answers is shown: learn then test, in a fixed order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Floats
from hcat.core.capabilities.policy.error_test import p_of_counts
from hcat.core.capabilities.policy.held_out import ClusterUnits, HeldOutLabels, cluster_units
from hcat.core.capabilities.policy.promise import Promise
from hcat.core.capabilities.policy.stakes import GRID
from hcat.core.types import Verdict

_SLACK = (1, 0)
"""The number of failures beyond the map's expectation that the first test should allow, if there are enough labels."""


@dataclass(frozen=True, slots=True, eq=False)
class OtherSamples:
    """The samples of the run that set no threshold: their `probability` (n,) of a pass, and `weights` (n,)."""

    probability: Floats
    weights: Floats | None = None

    def shares_above(self) -> Floats:
        """The share of them at or above each threshold of `GRID`."""
        return self._above(np.ones(len(self.probability)))

    def expected_failures(self) -> Floats:
        """The share of failures that the map itself expects among those at or above each threshold; 1 if there are
        none."""
        shares = self.shares_above()
        failures = self._above(1 - self.probability)
        return np.divide(failures, shares, out=np.ones(len(GRID)), where=shares > 0)

    def _above(self, values: Floats) -> Floats:
        """The weighted sum of values (n,) at or above each threshold, as a share of all weights."""
        if not len(self.probability):
            return np.zeros(len(GRID))
        weights = np.ones(len(values)) if self.weights is None else self.weights
        order = np.argsort(-self.probability)
        sums = np.append(0.0, np.cumsum((values * weights)[order]))
        counts = np.searchsorted(-self.probability[order], -GRID, side="right")
        return np.asarray(sums[counts] / weights.sum(), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class CriterionTest:
    """The test on one of several criteria at the threshold; see `Certificate`."""

    criterion: str
    n: int
    accepted: int
    failure_rate: float
    p_value: float


@dataclass(frozen=True, slots=True)
class Certificate:
    """The test of a promise.

    The promise is shown for all thresholds from `accept_from` to `tested_from` at once; for none if `accept_from` is
    None. `n` labels were held out, `accepted` of them are above the threshold (above `tested_from` if none is shown),
    and the share `failure_rate` of these failed. `p_value` is that of the test there. `confidence` is that of this
    rule, higher than that of the policy if several rules, looks or tries share it. For several criteria there is one of
    `tests` for each, and the certificate's own figures are those of the largest p-value. `units` is None for equal and
    independent labels."""

    accept_from: float | None
    tested_from: float
    n: int
    accepted: int
    failure_rate: float
    p_value: float
    confidence: float
    tests: tuple[CriterionTest, ...] = ()
    units: ClusterUnits | None = None

    @property
    def promisable(self) -> bool:
        """Whether labels with such clusters and weights could show the promise, if none of them failed."""
        return self.units is None or self.units.promisable

    def covers(self, threshold: float) -> bool:
        """Whether the promise is shown at this threshold."""
        return self.accept_from is not None and self.accept_from <= threshold <= self.tested_from


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One threshold with the results above it.

    It has the `share` of the run's answers above it, the number of labels there, and the share of them that failed.
    `bound` is an upper bound on that share for a threshold that was chosen beforehand. `shown`: the promise is shown
    here, at once with all other thresholds that are shown."""

    threshold: float
    share: float
    accepted: int
    failure_rate: float
    bound: float
    shown: bool


def certify(
    labels: Mapping[str, HeldOutLabels], others: OtherSamples, promise: Promise, *, watched: bool = False
) -> Certificate:
    """The lowest threshold at which the promise is shown, tested from stricter to more lenient ones until one fails.

    The first is the strictest at which the other samples and the map predict enough labels for the test to succeed, so
    that no held-out label influences the order. Each test is at the full level δ: with probability 1 − δ no threshold
    is shown whose error is more than ε, for any labels and any map. Labels that are `watched` are tested so that this
    is valid at all times at once.

    `labels` are by criterion. For several of them a threshold is shown if the test on each succeeds at the full level
    δ. That the promise is broken on any of them is a union of hypotheses, which is rejected only if all are. The
    probability of a false rejection is therefore at most that of the test on a criterion for which it is true. Sources:
    Angelopoulos, Bates, Candès, Jordan & Lei 2021, Learn then Test, section 2.3 (fixed sequence testing); Berger 1982,
    Multiparameter hypothesis testing and acceptance sampling, theorem 1 (intersection-union tests)."""
    start = first_tested(labels, others, promise, watched=watched)
    last = None
    for place in range(start, len(GRID)):
        if max(test.p_value for test in _tests(labels, place, promise, watched=watched)) > promise.risk:
            break
        last = place
    shown = start if last is None else last
    tests = _tests(labels, shown, promise, watched=watched)
    weakest = max(tests, key=lambda test: test.p_value)
    return Certificate(
        None if last is None else float(GRID[shown]),
        float(GRID[start]),
        weakest.n,
        weakest.accepted,
        weakest.failure_rate,
        weakest.p_value,
        promise.confidence,
        tests if len(tests) > 1 else (),
        cluster_units(labels.values(), shown, promise),
    )


def _tests(
    labels: Mapping[str, HeldOutLabels], place: int, promise: Promise, *, watched: bool
) -> tuple[CriterionTest, ...]:
    """The test on each criterion of the labels from this threshold on."""
    above = {name: each.above(place) for name, each in labels.items()}
    return tuple(
        CriterionTest(
            name,
            len(labels[name]),
            len(rows),
            rows.failure_rate(labels[name].cap),
            rows.p_value(promise.error, labels[name].stakes(place, watched=watched)),
        )
        for name, rows in above.items()
    )


def first_tested(
    labels: Mapping[str, HeldOutLabels], others: OtherSamples, promise: Promise, *, watched: bool = False
) -> int:
    """The index in `GRID` of the threshold that is tested first.

    It is the strictest one at which as many labels would show the promise with one failure more than the map expects,
    or with as many as it expects. Otherwise it is the one that would be nearest to this. It depends on the labels'
    number, weights and clusters, and not on their values."""
    worth = [each.units(watched=watched) * others.shares_above() for each in labels.values()]
    bets = [watched or not each.equal_units for each in labels.values()]
    rates = np.minimum(others.expected_failures(), promise.error)

    def largest_p(slack: int, *, betting: Sequence[bool]) -> Floats:
        each = [
            p_of_counts(np.ceil(np.round(n * rates, 9)) + slack, np.floor(np.round(n, 9)), promise.error, betting=bet)
            for n, bet in zip(worth, betting, strict=True)
        ]
        return np.asarray(np.max(each, axis=0), dtype=np.float64)

    for slack in _SLACK:
        p = largest_p(slack, betting=bets)
        if (p <= promise.risk).any():
            return int(np.argmax(p <= promise.risk))
    return int(np.argmin(largest_p(_SLACK[-1], betting=[False] * len(bets))))  # a bet that gains nothing says nothing


def trade_off(
    labels: Mapping[str, HeldOutLabels],
    run: OtherSamples,
    promise: Promise,
    certificate: Certificate,
    *,
    watched: bool = False,
) -> tuple[CurvePoint, ...]:
    """The share of the run that each threshold would accept, and the error of labels there.

    For several criteria the fewest labels, and the largest share and bound."""
    points, shares = [], run.shares_above()
    for place, (threshold, share) in enumerate(zip(GRID.tolist(), shares.tolist(), strict=True)):
        above = {name: each.above(place) for name, each in labels.items()}
        points.append(
            CurvePoint(
                threshold,
                share,
                min(map(len, above.values())),
                max((rows.failure_rate(labels[x].cap) for x, rows in above.items() if len(rows)), default=float("nan")),
                max(
                    rows.bound(promise.confidence, labels[name].stakes(place, watched=watched))
                    for name, rows in above.items()
                ),
                certificate.covers(threshold),
            )
        )
    return tuple(points)


POLICY_SHOWN = Verdict(
    name="policy promise",
    words=("shown",),
    claim="Of accepted answers like those that were labelled, no more than the share ε fail.",
    error=0.1,
    family="all thresholds and rules of one policy, at the looks and tries that were declared, with δ = 0.1",
    decides="hcat.core.capabilities.policy.thresholds:certify",
    carried_by="hcat.core.capabilities.policy.policy:Policy.shown",
)
RULE_SHOWN = Verdict(
    name="policy promise by slice",
    words=("shown",),
    claim="Of the accepted answers of a slice, no more than the share ε fail.",
    error=0.1,
    family="all slices of one policy (Bonferroni), with δ = 0.1",
    decides="hcat.core.capabilities.policy.thresholds:certify",
    carried_by="hcat.core.capabilities.policy.policy:Rule.shown",
)
