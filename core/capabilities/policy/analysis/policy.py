"""Policies of an opened run: thresholds from its held-out labels, and their decisions on its answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.arrays import Names
from hcat.core.calibration.calibration import Calibration
from hcat.core.capabilities.calibration.calibrate import with_labels_held_out
from hcat.core.capabilities.calibration.wording.calibration_document import calibration_document
from hcat.core.capabilities.policy.analysis.inputs import CriterionLabels, PolicyInputs, policy_inputs
from hcat.core.capabilities.policy.decide import decide
from hcat.core.capabilities.policy.forecast import Costs, DecidedRun, Forecast, forecast, over_criteria
from hcat.core.capabilities.policy.looks import UNDECLARED, Looks
from hcat.core.capabilities.policy.policy import ACTIONS, ClustersInUse, Failing, OtherAnswers, Policy, Rule
from hcat.core.capabilities.policy.promise import Promise
from hcat.core.capabilities.policy.stakes import cluster_sums
from hcat.core.capabilities.policy.thresholds import CurvePoint, certify, trade_off
from hcat.core.errors import HcatError, NotEnoughLabelsError
from hcat.core.opened.run import Opened, RunColumns
from hcat.core.statistics.clusters import case_codes
from hcat.core.types import Criterion

if TYPE_CHECKING:
    import pandas as pd

ALL = "all"


@dataclass(frozen=True, slots=True)
class PolicySpec:
    """Statements of a validator on a policy, made beforehand. `accept_from` and `fail_below` replace the thresholds
    that labels and prediction sets give, in all rules. A cluster counts for up to `cap` answers in the promise."""

    promise: Promise = field(default_factory=Promise)
    by: str | None = None
    other: OtherAnswers = field(default_factory=OtherAnswers)
    failing: Failing = field(default_factory=Failing)
    costs: Costs = field(default_factory=Costs)
    accept_from: float | None = None
    fail_below: float | None = None
    cap: int | None = None

    def __post_init__(self) -> None:
        for name, value in (("accept from", self.accept_from), ("fail below", self.fail_below)):
            if value is not None and not 0 <= value <= 1:
                raise HcatError(f"{name}: a probability from 0 to 1 is expected, not {value:g}")
        if self.cap is not None and self.cap < 1:
            raise HcatError("a cluster counts for one answer at least")
        if self.accept_from is not None and self.fail_below is not None and self.fail_below > self.accept_from:
            raise HcatError("answers can't fail from where on others are accepted: let “fail below” be the lower one")


Map = tuple[Calibration, Criterion]
"""A map from scores to the probability of a pass, and the criterion that it is on."""


def fit_policy(
    run: Opened,
    calibration: Calibration,
    criterion: Criterion,
    spec: PolicySpec,
    *,
    further: Sequence[Map] = (),
    looks: Looks = UNDECLARED,
) -> Policy:
    """The policy of these statements: each rule with the lowest threshold at which the promise is shown.

    Labels that fitted the map have no part in it: where all labels made a calibration, the policy's own map is that of
    their first split. Several rules share the promise's δ, so that it holds for all of them
    at once, and so for all accepted answers together. With `further` criteria an answer is accepted where the least of
    its probabilities is high enough, and the promise is shown for each of them at once. `looks` says for how many looks
    and tries δ pays. NotEnoughLabelsError where no label is held out.
    """
    maps = _held_out(run, ((calibration, criterion), *further))
    (calibration, _), *further = maps
    inputs = policy_inputs(run, maps, by=spec.by)
    for name, labels in inputs.held_out(inputs.rows_of(None)).items():
        if not len(labels):
            raise NotEnoughLabelsError(
                f"no labelled answer on {name} is left that did not fit a map: label more answers of this run",
                needed=spec.promise.least_accepted(),
            )
    levels = inputs.rule_levels(spec.by)
    tested = looks.tested(spec.promise, len(levels))
    rules = tuple(_rule(inputs, level, tested, maps, spec, looks) for level in levels)
    hashes = {f"labels on {on.name}": run.labels(on).hash for _, on in further}
    policy = Policy(
        criterion.name,
        spec.promise,
        rules,
        calibration_document(calibration),
        _forecast(inputs, np.full(len(inputs.ids), "person", dtype=np.object_), spec),
        spec.by,
        spec.other,
        spec.failing,
        spec.costs,
        {
            **calibration.inputs,
            **{"labels": run.labels(criterion).hash, "run": run.columns.scores.provenance.run_hash},
            **hashes,
        },
        further={on.name: calibration_document(each) for each, on in further},
        looks=looks,
        clusters=_clusters_in_use(inputs, rules, spec),
    )
    actions = decide_run(run.columns, policy)["action"].to_numpy(dtype=object)
    return replace(policy, forecast=_forecast(inputs, actions, spec))


def decide_run(columns: RunColumns, policy: Policy, *, attempt: int = 0) -> pd.DataFrame:
    """The policy's decision on each answer of a run, see `decide`."""
    if policy.by is not None and policy.by not in (columns.groups or {}):
        raise HcatError(f"this policy decides by {policy.by!r}: give the samples of the run, with that dimension")
    levels = None if policy.by is None else (columns.groups or {})[policy.by]
    return decide(policy, columns.scores, levels=levels, attempt=attempt)


def trade_offs(
    run: Opened,
    calibration: Calibration,
    criterion: Criterion,
    spec: PolicySpec,
    *,
    further: Sequence[Map] = (),
    looks: Looks = UNDECLARED,
) -> dict[str, tuple[CurvePoint, ...]]:
    """The curve of the trade-off of each rule, by its level, or “all”."""
    inputs = policy_inputs(run, _held_out(run, ((calibration, criterion), *further)), by=spec.by)
    levels = inputs.rule_levels(spec.by)
    tested = looks.tested(spec.promise, len(levels))
    curves = {}
    for level in levels:
        rows = inputs.rows_of(level)
        labels = inputs.held_out(rows, cap=spec.cap)
        certificate = certify(labels, inputs.others(rows), tested, watched=looks.watched)
        curves[level or ALL] = trade_off(labels, inputs.run(rows), tested, certificate, watched=looks.watched)
    return curves


def _held_out(run: Opened, maps: Sequence[Map]) -> tuple[Map, ...]:
    return tuple((with_labels_held_out(run, calibration, criterion), criterion) for calibration, criterion in maps)


def _rule(
    inputs: PolicyInputs, level: str | None, promise: Promise, maps: Sequence[Map], spec: PolicySpec, looks: Looks
) -> Rule:
    rows = inputs.rows_of(level)
    labels = inputs.held_out(rows, cap=spec.cap)
    certificate = certify(labels, inputs.others(rows), promise, watched=looks.watched)
    accept_from = certificate.accept_from if spec.accept_from is None else spec.accept_from
    # The set is {fail} where 1 − p, how little the map believes a pass, lies above the threshold of passes. Below the
    # least such p of all criteria, the set of the worst one is {fail}, whichever that is.
    sets = min(1 - calibration.q_hats(None)[1] for calibration, _ in maps)
    fail_below = sets if spec.fail_below is None else spec.fail_below
    return Rule(accept_from, min(max(fail_below, 0.0), 1.0 if accept_from is None else accept_from), certificate, level)


def _clusters_in_use(inputs: PolicyInputs, rules: Sequence[Rule], spec: PolicySpec) -> ClustersInUse:
    accepted = [
        inputs.largest_from(inputs.rows_of(rule.level), rule.accept_from)
        for rule in rules
        if rule.accept_from is not None
    ]
    design = None if inputs.design is None else inputs.design / inputs.design.mean()
    every = cluster_sums(np.ones(len(inputs.ids), dtype=np.bool_), design, case_codes(inputs.clusters))[1]
    return ClustersInUse(max(accepted, default=1.0), float(every.max(initial=1.0)), spec.cap)


def _forecast(inputs: PolicyInputs, actions: Names, spec: PolicySpec) -> Forecast:
    def of(labels: CriterionLabels) -> Forecast:
        decided = DecidedRun(
            actions,
            np.isfinite(inputs.probability),
            inputs.states,
            labels.failed,
            labels.weights,
            inputs.design,
            case_codes(inputs.clusters),
        )
        return forecast(
            decided, actions=ACTIONS, failing=spec.failing.action, costs=spec.costs, dimensions=inputs.dimensions
        )

    by_criterion = {name: of(labels) for name, labels in inputs.labels.items()}
    if len(by_criterion) == 1:
        return next(iter(by_criterion.values()))
    return over_criteria(of(inputs.on_all), by_criterion)
