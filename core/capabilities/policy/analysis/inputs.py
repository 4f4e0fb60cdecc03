"""Inputs of the rules of a policy: an opened run joined with its maps and its held-out labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hcat.core.arrays import Bools, Floats, Names
from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.conformal.stage_2 import MOST_CELLS
from hcat.core.calibration.dataset import cases_of
from hcat.core.capabilities.calibration.calibrate import split_keys
from hcat.core.capabilities.policy.decide import with_prediction_set
from hcat.core.capabilities.policy.held_out import HeldOutLabels
from hcat.core.capabilities.policy.stakes import cluster_sums, largest_above
from hcat.core.capabilities.policy.thresholds import OtherSamples
from hcat.core.errors import HcatError
from hcat.core.opened.run import Opened, RunColumns
from hcat.core.records.samples.by_sample import levels_at, numbers_at, used_names
from hcat.core.statistics.clusters import case_codes
from hcat.core.statistics.partition import SPLITS, assign_splits
from hcat.core.types import Criterion

_EQUAL = 1e-9
"""Relative differences of weights below this are rounding."""


@dataclass(frozen=True, slots=True)
class CriterionLabels:
    """The held-out labels on one criterion, one row a sample of the run: `failed` (n,) is 1 for a label that fails the
    answer, 0 for one that passes it, NaN for none. `weights` (n,) have mean 1 over the labels; None if all are equal.
    `weights_known`: samples without a label have the weight that a label of theirs would have. `drawn_singly`: answers
    were drawn for labelling one by one, by a queue, and not in whole clusters."""

    failed: Floats
    weights: Floats | None
    weights_known: bool = True
    drawn_singly: bool = False


@dataclass(frozen=True)
class PolicyInputs:
    """Inputs of rules, one row a sample of the run. `probability` (n,) is that of a pass, the least over all criteria,
    NaN without a prediction set. A label that, on whatever criterion, could fit a map is held out for none."""

    ids: tuple[str, ...]
    probability: Floats
    states: Names
    labels: Mapping[str, CriterionLabels]
    design: Floats | None
    clusters: Names
    levels: Sequence[str | None]
    dimensions: Mapping[str, Sequence[str | None]]

    def held_out(self, rows: Bools, *, cap: float | None = None) -> dict[str, HeldOutLabels]:
        """The held-out labels among these rows (n,), by criterion. A cluster counts for up to `cap` of them."""
        return {name: self._held_out(labels, rows, cap) for name, labels in self.labels.items()}

    def largest_from(self, rows: Bools, threshold: float) -> float:
        """Size of the largest cluster among the answers of these rows with a probability of at least the threshold."""
        used = rows & np.isfinite(self.probability) & (self.probability >= threshold)
        return float(cluster_sums(used[used], None, case_codes(self.clusters[used]))[1].max(initial=1.0))

    def others(self, rows: Bools) -> OtherSamples:
        """The samples among these rows that set no threshold."""
        labelled = np.any([np.isfinite(each.failed) for each in self.labels.values()], axis=0)
        return self.run(rows & ~labelled)

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

    @property
    def on_all(self) -> CriterionLabels:
        """Whether an answer fails on any criterion, where it has a label on each; the weight of the rarest of these."""
        failed = np.max([each.failed for each in self.labels.values()], axis=0)  # NaN where any is
        weights = [each.weights for each in self.labels.values() if each.weights is not None]
        return CriterionLabels(failed, np.max(weights, axis=0) if weights else None)

    def _held_out(self, labels: CriterionLabels, rows: Bools, cap: float | None) -> HeldOutLabels:
        scored = rows & np.isfinite(self.probability)
        used = scored & np.isfinite(labels.failed)
        weights, clusters = labels.weights, case_codes(self.clusters[scored])
        if labels.drawn_singly and case_codes(self.clusters[used]) is None:
            clusters = None  # answers that were drawn one by one, each from a cluster of its own
        held_out = HeldOutLabels(
            self.probability[used],
            labels.failed[used] == 1,
            None if weights is None else weights[used],
            None if clusters is None else clusters[used[scored]],
            cap=cap,
        )
        if held_out.equal_units or not labels.weights_known:
            return held_out
        could_weigh = None if weights is None else weights[scored]
        return replace(held_out, largest=largest_above(self.probability[scored], could_weigh, clusters))


def policy_inputs(run: Opened, maps: Sequence[tuple[Calibration, Criterion]], *, by: str | None) -> PolicyInputs:
    """The run joined with its held-out labels. HcatError where scores and calibrations do not belong together."""
    columns = run.columns
    scores = columns.scores
    ids = np.array(scores.sample_ids, dtype=np.object_)
    splits = [assign_splits(cases_of(ids, split_keys(columns, each))) for each, _ in maps]
    fitted = np.any([split == SPLITS.index("fit") for split in splits], axis=0)
    states = np.array(scores.answer_states or ("answered",) * len(ids), dtype=np.object_)
    probability = np.min([calibration.probability(scores) for calibration, _ in maps], axis=0)
    probability = np.where(with_prediction_set(probability, states.tolist()), probability, np.nan)
    design = columns.design_weights
    designed = None if design is None else numbers_at(design, scores.sample_ids)
    if by is not None and by not in (columns.groups or {}):
        raise HcatError(f"the run has no dimension {by!r}: choose one of {', '.join(columns.groups or {}) or 'none'}")
    of_level: Mapping[str, str | None] = {} if by is None else (columns.groups or {}).get(by, {})
    return PolicyInputs(
        scores.sample_ids,
        probability,
        states,
        {criterion.name: _labels(run, criterion, ids, fitted, designed) for _, criterion in maps},
        designed,
        cases_of(ids, columns.clusters),
        levels_at(of_level, ids.tolist()).texts(),
        _dimensions(columns, ids.tolist()),
    )


def _labels(run: Opened, criterion: Criterion, ids: Names, fitted: Bools, designed: Floats | None) -> CriterionLabels:
    judged = run.labels(criterion)
    failed = dict(zip(judged.sample_ids, (judged.levels < criterion.passing).astype(float).tolist(), strict=True))
    drawn = dict(zip(judged.sample_ids, judged.weights.tolist(), strict=True))
    label = np.array([failed.get(name, np.nan) for name in ids.tolist()])
    label = np.where(fitted, np.nan, label)
    weights = np.array([drawn.get(name, 1.0) for name in ids.tolist()])
    labelled = np.array([name in drawn for name in ids.tolist()], dtype=np.bool_)
    chances = possible_draws(run, criterion, ids[~labelled].tolist())
    known = chances is not None or len(set(weights[labelled].tolist())) <= 1
    if chances is not None:
        weights[~labelled] = 1 / chances
    elif known and labelled.any():
        weights[~labelled] = weights[labelled][0]
    weights = weights if designed is None else weights * designed
    used = weights[np.isfinite(label)]
    unequal = len(used) > 0 and float(weights.max()) > float(weights.min()) * (1 + _EQUAL)
    return CriterionLabels(label, weights / used.mean() if unequal else None, known, chances is not None)


def possible_draws(run: Opened, criterion: Criterion, ids: Sequence[str]) -> Floats | None:
    """The probability with which each of these samples (m,) could be drawn for a label; None where that is not known,
    or one could not be."""
    inclusion = run.inclusion(criterion)
    if inclusion is None:
        return None
    chances = numbers_at(inclusion, ids)
    return chances if bool((chances > 0).all()) else None


def _dimensions(columns: RunColumns, ids: Sequence[str]) -> dict[str, Sequence[str | None]]:
    """The level of each sample in dimensions with 2 to 20 of them."""
    levels = {name: levels_at(of, ids) for name, of in (columns.groups or {}).items()}
    return {name: of.texts() for name, of in levels.items() if 2 <= np.count_nonzero(used_names(of)) <= MOST_CELLS}
