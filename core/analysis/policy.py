"""Policies of an opened run: thresholds from its held-out labels, and what they would do to its answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from core.analysis.calibrate import split_keys
from core.analysis.run_data import RunColumns, RunData
from core.arrays import Bools, Floats, Names
from core.calibration.calibration import Calibration
from core.calibration.conformal.stage_2 import MOST_CELLS
from core.calibration.dataset import cases_of
from core.errors import HcatError, NotEnoughLabelsError
from core.estimates.policy.decide import decide, with_prediction_set
from core.estimates.policy.forecast import Costs, DecidedRun, Forecast, forecast
from core.estimates.policy.policy import ACTIONS, Failing, OtherAnswers, Policy, Rule
from core.estimates.policy.promise import Promise
from core.estimates.policy.thresholds import CurvePoint, HeldOutLabels, OtherSamples, certify, trade_off
from core.statistics.clusters import case_codes
from core.statistics.partition import SPLITS, assign_splits
from core.types import Criterion
from core.wording.calibration_document import calibration_document

if TYPE_CHECKING:
    import pandas as pd

ALL = "all"


@dataclass(frozen=True, slots=True)
class PolicySpec:
    """What a validator states of a policy beforehand. `accept_from` and `fail_below` stand in for the thresholds that
    labels and prediction sets give, in all rules."""

    promise: Promise = field(default_factory=Promise)
    by: str | None = None
    other: OtherAnswers = field(default_factory=OtherAnswers)
    failing: Failing = field(default_factory=Failing)
    costs: Costs = field(default_factory=Costs)
    accept_from: float | None = None
    fail_below: float | None = None

    def __post_init__(self) -> None:
        for name, value in (("accept from", self.accept_from), ("fail below", self.fail_below)):
            if value is not None and not 0 <= value <= 1:
                raise HcatError(f"{name}: a probability from 0 to 1 is expected, not {value:g}")
        if self.accept_from is not None and self.fail_below is not None and self.fail_below > self.accept_from:
            raise HcatError("answers can't fail from where on others are accepted: let “fail below” be the lower one")


@dataclass(frozen=True)
class PolicyInputs:
    """What rules are made of, one row a sample of the run. `probability` (n,) of a pass, NaN without a prediction set;
    `label` (n,) is 1 for a held-out label that fails the answer, 0 for one that passes it, NaN for none;
    `fits` (n,) are the samples whose labels could fit the map."""

    ids: tuple[str, ...]
    probability: Floats
    states: Names
    label: Floats
    label_weights: Floats | None
    design: Floats | None
    clusters: Names
    levels: Sequence[str | None]
    dimensions: Mapping[str, Sequence[str | None]]

    def held_out(self, rows: Bools) -> HeldOutLabels:
        """The held-out labels among these rows (n,)."""
        used = rows & np.isfinite(self.label) & np.isfinite(self.probability)
        return HeldOutLabels(
            self.probability[used],
            self.label[used] == 1,
            None if self.label_weights is None else self.label_weights[used],
            case_codes(self.clusters[used]),
        )

    def others(self, rows: Bools) -> OtherSamples:
        """The samples among these rows that set no threshold."""
        return self.run(rows & ~np.isfinite(self.label))

    def run(self, rows: Bools) -> OtherSamples:
        """All samples with a prediction set among these rows."""
        used = rows & np.isfinite(self.probability)
        return OtherSamples(self.probability[used], None if self.design is None else self.design[used])

    def rule_levels(self, by: str | None) -> list[str | None]:
        """The levels that have a rule each: those of the dimension, or None for all answers."""
        return [None] if by is None else [*sorted({level for level in self.levels if level is not None})]

    def rows_of(self, level: str | None) -> Bools:
        """The rows of a level; all for None."""
        if level is None:
            return np.ones(len(self.ids), dtype=bool)
        return np.array([value == level for value in self.levels], dtype=bool)


def policy_inputs(run: RunData, calibration: Calibration, criterion: Criterion, *, by: str | None) -> PolicyInputs:
    """The run joined with its held-out labels. HcatError where scores and calibration do not belong together."""
    columns = run.columns
    scores = columns.scores
    judged = run.labels(criterion)
    ids = np.array(scores.sample_ids, dtype=np.object_)
    splits = assign_splits(cases_of(ids, split_keys(columns, calibration)))
    states = np.array(scores.answer_states or ("answered",) * len(ids), dtype=np.object_)
    probability = calibration.probability(scores)
    probability = np.where(with_prediction_set(probability, states.tolist()), probability, np.nan)
    failed = dict(zip(judged.sample_ids, (judged.levels < criterion.passing).astype(float).tolist(), strict=True))
    drawn = dict(zip(judged.sample_ids, judged.weights.tolist(), strict=True))
    label = np.array([failed.get(name, np.nan) for name in ids.tolist()])
    label = np.where(splits == SPLITS.index("fit"), np.nan, label)
    design = columns.design_weights
    designed = None if design is None else np.array([design[name] for name in ids.tolist()])
    weights = np.array([drawn.get(name, 1.0) for name in ids.tolist()]) * (1.0 if designed is None else designed)
    used = weights[np.isfinite(label)]
    unequal = len(used) > 0 and float(used.min()) < float(used.max())
    dimensions = _dimensions(columns, ids.tolist())
    if by is not None and by not in (columns.groups or {}):
        raise HcatError(f"the run has no dimension {by!r}: choose one of {', '.join(columns.groups or {}) or 'none'}")
    of_level = dict((columns.groups or {}).get(by, {})) if by is not None else {}
    return PolicyInputs(
        scores.sample_ids,
        probability,
        states,
        label,
        weights if unequal else None,
        designed,
        cases_of(ids, columns.clusters),
        [of_level.get(name) for name in ids.tolist()],
        dimensions,
    )


def fit_policy(run: RunData, calibration: Calibration, criterion: Criterion, spec: PolicySpec) -> Policy:
    """The policy of these statements: each rule with the lowest threshold at which the promise is shown.

    Labels that fitted the map have no part in it. Several rules share the promise's δ, so that it holds for all of them
    at once, and so for all accepted answers together. NotEnoughLabelsError where no label is held out.
    """
    inputs = policy_inputs(run, calibration, criterion, by=spec.by)
    everywhere = inputs.held_out(inputs.rows_of(None))
    if not len(everywhere):
        raise NotEnoughLabelsError(
            f"no labelled answer on {criterion.name} is left that did not fit the map: label more answers of this run",
            needed=spec.promise.least_accepted,
        )
    levels = inputs.rule_levels(spec.by)
    shared = spec.promise.shared_by(len(levels))
    rules = tuple(_rule(inputs, level, shared, calibration, spec) for level in levels)
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
        {**calibration.inputs, "labels": run.labels(criterion).hash, "run": run.columns.scores.provenance.run_hash},
    )
    actions = decide_run(run.columns, policy)["action"].to_numpy(dtype=object)
    return replace(policy, forecast=_forecast(inputs, actions, spec))


def decide_run(columns: RunColumns, policy: Policy, *, attempt: int = 0) -> pd.DataFrame:
    """What the policy does with each answer of a run, see `decide`."""
    if policy.by is not None and policy.by not in (columns.groups or {}):
        raise HcatError(f"this policy decides by {policy.by!r}: give the samples of the run, with that dimension")
    levels = None if policy.by is None else (columns.groups or {})[policy.by]
    return decide(policy, columns.scores, levels=levels, attempt=attempt)


def trade_offs(
    run: RunData, calibration: Calibration, criterion: Criterion, spec: PolicySpec
) -> dict[str, tuple[CurvePoint, ...]]:
    """The curve of the trade-off of each rule, by its level, or “all”."""
    inputs = policy_inputs(run, calibration, criterion, by=spec.by)
    levels = inputs.rule_levels(spec.by)
    shared = spec.promise.shared_by(len(levels))
    curves = {}
    for level in levels:
        rows = inputs.rows_of(level)
        labels = inputs.held_out(rows)
        certificate = certify(labels, inputs.others(rows), shared)
        curves[level or ALL] = trade_off(labels, inputs.run(rows), shared, certificate)
    return curves


def _rule(
    inputs: PolicyInputs, level: str | None, promise: Promise, calibration: Calibration, spec: PolicySpec
) -> Rule:
    rows = inputs.rows_of(level)
    certificate = certify(inputs.held_out(rows), inputs.others(rows), promise)
    accept_from = certificate.accept_from if spec.accept_from is None else spec.accept_from
    # The set is {fail} where 1 − p, how little the map believes a pass, lies above the threshold of passes.
    fail_below = 1 - calibration.q_hats(None)[1] if spec.fail_below is None else spec.fail_below
    return Rule(accept_from, min(max(fail_below, 0.0), 1.0 if accept_from is None else accept_from), certificate, level)


def _forecast(inputs: PolicyInputs, actions: Names, spec: PolicySpec) -> Forecast:
    codes = case_codes(inputs.clusters)
    decided = DecidedRun(
        actions,
        np.isfinite(inputs.probability),
        inputs.states,
        inputs.label,
        inputs.label_weights,
        inputs.design,
        codes,
    )
    return forecast(
        decided, actions=ACTIONS, failing=spec.failing.action, costs=spec.costs, dimensions=inputs.dimensions
    )


def _dimensions(columns: RunColumns, ids: Sequence[str]) -> dict[str, Sequence[str | None]]:
    """The level of each sample in dimensions with 2 to 20 of them."""
    levels = {name: [of.get(sample_id) for sample_id in ids] for name, of in (columns.groups or {}).items()}
    return {name: of for name, of in levels.items() if 2 <= len(set(of) - {None}) <= MOST_CELLS}
