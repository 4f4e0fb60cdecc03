"""The lowest threshold at which a promise on accepted answers is shown to hold: learn then test, in a fixed order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.arrays import Bools, Codes, Floats
from core.estimates.policy.error_test import error_bound, error_p_value
from core.estimates.policy.promise import Promise
from core.statistics.clusters import case_codes, effective_cases
from core.statistics.effective_n import kish_n

GRID: Floats = np.round(np.arange(99, -1, -1) / 100, 2)
"""Thresholds on the probability of a pass, from the strictest; fixed, so that no label has a part in them."""
_SLACK = (1, 0)
"""How many failures more than the map expects the first test should survive, where labels suffice for that."""


@dataclass(frozen=True, slots=True, eq=False)
class HeldOutLabels:
    """Labelled answers that had no part in the map: `probability` of a pass (n,), whether people `failed` them (n,),
    `weights` (n,) where they were drawn unequally and `clusters` (n,) where some depend on one another."""

    probability: Floats
    failed: Bools
    weights: Floats | None = None
    clusters: Codes | None = None

    def __len__(self) -> int:
        return len(self.probability)

    def rows(self, chosen: Bools) -> HeldOutLabels:
        """The rows where `chosen` (n,) is true."""
        return HeldOutLabels(
            self.probability[chosen],
            self.failed[chosen],
            None if self.weights is None else self.weights[chosen],
            None if self.clusters is None else self.clusters[chosen],
        )

    @property
    def effective_n(self) -> float:
        """How many equal and independent labels would tell as much."""
        codes = case_codes(self.clusters)
        weights = np.ones(len(self)) if self.weights is None else self.weights
        return kish_n(weights) if codes is None else effective_cases(weights, codes)

    def p_value(self, error: float) -> float:
        """See `error_p_value`."""
        return error_p_value(self.failed, error, weights=self.weights, clusters=self.clusters)

    def bound(self, confidence: float) -> float:
        """See `error_bound`."""
        return error_bound(self.failed, confidence, weights=self.weights, clusters=self.clusters)

    @property
    def failure_rate(self) -> float:
        """The weighted share of failures; NaN for none."""
        return float(np.average(self.failed, weights=self.weights)) if len(self) else float("nan")


@dataclass(frozen=True, slots=True, eq=False)
class OtherSamples:
    """The samples of the run that set no threshold: their `probability` (n,) of a pass, and `weights` (n,)."""

    probability: Floats
    weights: Floats | None = None

    def shares_above(self) -> Floats:
        """The share of them at or above each threshold of `GRID`."""
        return self._above(np.ones(len(self.probability)))

    def expected_failures(self) -> Floats:
        """The share of failures that the map itself expects of those at or above each threshold; 1 where none is."""
        shares = self.shares_above()
        failures = self._above(1 - self.probability)
        return np.divide(failures, shares, out=np.ones(len(GRID)), where=shares > 0)

    def _above(self, values: Floats) -> Floats:
        """The weighted sum of values (n,) at or above each threshold, as a part of all weights."""
        if not len(self.probability):
            return np.zeros(len(GRID))
        weights = np.ones(len(values)) if self.weights is None else self.weights
        order = np.argsort(-self.probability)
        sums = np.append(0.0, np.cumsum((values * weights)[order]))
        counts = np.searchsorted(-self.probability[order], -GRID, side="right")
        return np.asarray(sums[counts] / weights.sum(), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class CriterionTest:
    """What was tested on one of several criteria at the threshold; see `Certificate`."""

    criterion: str
    n: int
    accepted: int
    failure_rate: float
    p_value: float


@dataclass(frozen=True, slots=True)
class Certificate:
    """What was tested. The promise is shown for all thresholds from `accept_from` to `tested_from` at once; for none
    where `accept_from` is None. `n` labels were held out, `accepted` of them lie above the threshold (above
    `tested_from` where none is shown), and the share `failure_rate` of these failed; `p_value` is that of the test
    there. `confidence` is that of this rule, higher than that of the policy where several rules share it. On several
    criteria there is one of `tests` for each, and the certificate's own figures are those of the largest p-value."""

    accept_from: float | None
    tested_from: float
    n: int
    accepted: int
    failure_rate: float
    p_value: float
    confidence: float
    tests: tuple[CriterionTest, ...] = ()

    def covers(self, threshold: float) -> bool:
        """Whether the promise is shown at this threshold."""
        return self.accept_from is not None and self.accept_from <= threshold <= self.tested_from


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One threshold: the `share` of the run's answers above it; how many labelled ones lie there, which share of them
    failed, and the upper `bound` of that share for a threshold that was chosen beforehand. `shown`: the promise is
    shown here, at once with all other thresholds that are shown."""

    threshold: float
    share: float
    accepted: int
    failure_rate: float
    bound: float
    shown: bool


def certify(labels: Mapping[str, HeldOutLabels], others: OtherSamples, promise: Promise) -> Certificate:
    """The lowest threshold at which the promise is shown, tested from stricter to more lenient ones until one fails.

    The first is the strictest at which the other samples and the map let expect enough labels for the test to
    succeed, so that no held-out label has a part in the order. Each test is at the full level δ: with probability
    1 − δ no threshold is shown whose error is more than ε, on whatever labels, and however wrong the map is.

    `labels` are by criterion. On several of them a threshold is shown where the test on each succeeds at the full level
    δ: that the promise is broken on any of them is a union of hypotheses, and it is refused only where all are, so that
    the chance to refuse it wrongly is no more than that of the test on a criterion where it is broken.
    Sources: Angelopoulos, Bates, Candès, Jordan & Lei 2021, Learn then Test, section 2.3 (fixed sequence testing);
    Berger 1982, Multiparameter hypothesis testing and acceptance sampling, theorem 1 (intersection-union tests).
    """
    start = first_tested(min(each.effective_n for each in labels.values()), others, promise)
    last = None
    for place in range(start, len(GRID)):
        if max(test.p_value for test in _tests(labels, float(GRID[place]), promise)) > promise.risk:
            break
        last = place
    threshold = float(GRID[start if last is None else last])
    tests = _tests(labels, threshold, promise)
    weakest = max(tests, key=lambda test: test.p_value)
    return Certificate(
        None if last is None else threshold,
        float(GRID[start]),
        weakest.n,
        weakest.accepted,
        weakest.failure_rate,
        weakest.p_value,
        promise.confidence,
        tests if len(tests) > 1 else (),
    )


def _tests(labels: Mapping[str, HeldOutLabels], threshold: float, promise: Promise) -> tuple[CriterionTest, ...]:
    """The test on each criterion of the labels from this threshold on."""
    above = {name: each.rows(each.probability >= threshold) for name, each in labels.items()}
    return tuple(
        CriterionTest(name, len(labels[name]), len(rows), rows.failure_rate, rows.p_value(promise.error))
        for name, rows in above.items()
    )


def first_tested(n: float, others: OtherSamples, promise: Promise) -> int:
    """The place in `GRID` of the threshold that is tested first, given how many labels are held out.

    The strictest one at which n labels would show the promise with one failure more than the map expects, or with as
    many as it expects; else the one that would come nearest.
    """
    from scipy.special import bdtr

    counts = n * others.shares_above()
    expected = np.ceil(np.round(counts * np.minimum(others.expected_failures(), promise.error), 9))
    n_expected = np.floor(np.round(counts, 9)).astype(np.intp)
    for slack in _SLACK:
        p = np.where(n_expected > 0, bdtr(expected + slack, np.maximum(n_expected, 1), promise.error), 1.0)
        p = np.where(expected + slack > n_expected, 1.0, p)
        if (p <= promise.risk).any():
            return int(np.argmax(p <= promise.risk))
    return int(np.argmin(p))


def trade_off(
    labels: Mapping[str, HeldOutLabels], run: OtherSamples, promise: Promise, certificate: Certificate
) -> tuple[CurvePoint, ...]:
    """What each threshold would accept of the run, and the error that labels see there: on several criteria the fewest
    labels, and the largest share and bound."""
    points, shares = [], run.shares_above()
    for threshold, share in zip(GRID.tolist(), shares.tolist(), strict=True):
        above = [each.rows(each.probability >= threshold) for each in labels.values()]
        points.append(
            CurvePoint(
                threshold,
                share,
                min(map(len, above)),
                max((rows.failure_rate for rows in above if len(rows)), default=float("nan")),
                max(rows.bound(promise.confidence) for rows in above),
                certificate.covers(threshold),
            )
        )
    return tuple(points)
