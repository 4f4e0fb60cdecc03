"""The expected results of a policy on the answers of a run: load on people, error, cost, and the same by slice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats, Names
from hcat.core.errors import HcatError
from hcat.core.statistics.intervals import mean_interval
from hcat.core.statistics.proportions import weighted_proportion
from hcat.core.types import Estimate


@dataclass(frozen=True, slots=True)
class Costs:
    """Costs in any one unit, and the number of answers a day.

    For a person's review of an answer, one regeneration, and a wrong answer that gets through. NaN if not stated."""

    person: float = float("nan")
    regeneration: float = float("nan")
    error: float = float("nan")
    answers_a_day: float = float("nan")

    def __post_init__(self) -> None:
        if any(value < 0 for value in (self.person, self.regeneration, self.error, self.answers_a_day)):
            raise HcatError("costs and the number of answers a day can't be negative")


@dataclass(frozen=True, slots=True)
class SliceForecast:
    """The forecast for one level of a dimension.

    The number of samples, the shares accepted and sent to people, and the share of failures among its accepted answers
    by held-out labels."""

    dimension: str
    level: str
    n: int
    accepted: Estimate
    to_people: Estimate
    failure_rate: Estimate


@dataclass(frozen=True, slots=True)
class Forecast:
    """The expected results of a policy on the run.

    `shares` of all `n` answers are by action, at the first answer. `failure_rate` is that among accepted answers with a
    prediction set, by the held-out labels that set the threshold. `wasted` is the share of good answers among those
    that the rule fails. `cost` of people and regenerations for one answer, not NaN if both costs are stated.
    `right_refusals` counts those that pass by their test case's statement. For several criteria `failure_rates` are by
    criterion, `failure_rate` is the largest of them, and an answer is good if it passes on all."""

    n: int
    shares: Mapping[str, Estimate]
    failure_rate: Estimate
    wasted: Estimate
    cost: Estimate
    right_refusals: int
    slices: tuple[SliceForecast, ...] = ()
    failure_rates: Mapping[str, Estimate] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class DecidedRun:
    """The samples of a run with the policy's actions.

    `actions` (n,), `with_set` (n,) whether a prediction set decided, `states` (n,), `weights` (n,) by the test set's
    design and `clusters` (n,), if there are any. `label` (n,) is 1 for a held-out label that fails the answer, 0 for
    one that passes it, NaN for none; `label_weights` (n,)."""

    actions: Names
    with_set: Bools
    states: Names
    label: Floats
    label_weights: Floats | None = None
    weights: Floats | None = None
    clusters: Codes | None = None

    def rows(self, chosen: Bools) -> DecidedRun:
        """The rows for which `chosen` (n,) is true."""
        return DecidedRun(
            self.actions[chosen],
            self.with_set[chosen],
            self.states[chosen],
            self.label[chosen],
            None if self.label_weights is None else self.label_weights[chosen],
            None if self.weights is None else self.weights[chosen],
            None if self.clusters is None else self.clusters[chosen],
        )

    def share(self, action: str) -> Estimate:
        """The share of answers with this action."""
        return weighted_proportion(self.actions == action, weights=self.weights, clusters=self.clusters)

    def failure_rate(self, action: str) -> Estimate:
        """The share of failures among labelled answers with a prediction set and this action."""
        rows = (self.actions == action) & self.with_set & np.isfinite(self.label)
        return weighted_proportion(
            self.label[rows] == 1,
            weights=None if self.label_weights is None else self.label_weights[rows],
            clusters=None if self.clusters is None else self.clusters[rows],
            method="clopper-pearson",
        )


def forecast(
    run: DecidedRun,
    *,
    actions: Sequence[str],
    failing: str,
    costs: Costs,
    dimensions: Mapping[str, Sequence[str | None]],
) -> Forecast:
    """The forecast of a run, and by each level of `dimensions` (n,).

    `failing` is the action for answers whose prediction set is {fail}."""
    failures = run.failure_rate(failing) if failing != "person" else _nothing()
    price = {"person": costs.person, "regenerate": costs.regeneration}
    spent = np.array([price.get(action, 0.0) for action in run.actions.tolist()])
    stated = costs.person == costs.person and costs.regeneration == costs.regeneration
    return Forecast(
        len(run.actions),
        {action: run.share(action) for action in actions},
        run.failure_rate("accept"),
        Estimate(1 - failures.value, 1 - failures.high, 1 - failures.low, failures.n, failures.level, failures.method),
        mean_interval(
            spent if stated else np.array([]),
            weights=run.weights if stated else None,
            clusters=run.clusters if stated else None,
            within=(0.0, max(costs.person, costs.regeneration, 0.0)) if stated else (0.0, 1.0),
        ),
        int(np.sum((run.actions == "accept") & (run.states == "correct_refusal"))),
        tuple(
            _slice(run, name, level, np.array([value == level for value in levels], dtype=bool))
            for name, levels in dimensions.items()
            for level in sorted({value for value in levels if value is not None})
        ),
    )


def over_criteria(on_all: Forecast, by_criterion: Mapping[str, Forecast]) -> Forecast:
    """One forecast of a policy on several criteria; in `on_all` an answer fails if it fails on any of them."""
    each = list(by_criterion.values())
    slices = tuple(
        replace(parts[0], failure_rate=_largest([part.failure_rate for part in parts]))
        for parts in zip(*(one.slices for one in each), strict=True)
    )
    rates = {name: of.failure_rate for name, of in by_criterion.items()}
    return replace(on_all, failure_rate=_largest([*rates.values()]), failure_rates=rates, slices=slices)


def _largest(rates: Sequence[Estimate]) -> Estimate:
    return max(rates, key=lambda rate: rate.value if rate.n else -1.0)


def _slice(run: DecidedRun, dimension: str, level: str, rows: Bools) -> SliceForecast:
    inside = run.rows(rows)
    return SliceForecast(
        dimension,
        level,
        int(rows.sum()),
        inside.share("accept"),
        inside.share("person"),
        inside.failure_rate("accept"),
    )


def _nothing() -> Estimate:
    nan = float("nan")
    return Estimate(nan, nan, nan, 0)
