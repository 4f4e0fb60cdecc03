"""A fitted calibration: its predictions, and its form in JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np

from hcat.core import __version__
from hcat.core.arrays import Bools, Floats
from hcat.core.calibration.answer_scores import answer_scores, declined
from hcat.core.calibration.checks.diagnostics import CoverageShown, Diagnostics, coverage_shown
from hcat.core.calibration.checks.evidence import Evidence
from hcat.core.calibration.checks.fitness import Verdict
from hcat.core.calibration.checks.proportional_odds import ProportionalOdds
from hcat.core.calibration.conformal.full import ScoreSets
from hcat.core.calibration.conformal.level_sets import level_table, nonconformity_table, prediction_table
from hcat.core.calibration.conformal.mondrian import Conditional, conditional_sets
from hcat.core.calibration.conformal.stage_2 import NOT_CONDITIONAL
from hcat.core.calibration.conformal.threshold import Threshold
from hcat.core.calibration.document import CALIBRATION, LAYOUTS
from hcat.core.calibration.maps.contributions import contribution_table
from hcat.core.calibration.maps.methods import ProbabilityMap, find_method
from hcat.core.calibration.maps.parameters import map_from_parameters
from hcat.core.errors import FileFormatError, HcatError
from hcat.core.records.codec import JSON, Codec
from hcat.core.records.file_limits import parse_document
from hcat.core.records.samples.by_sample import levels_at
from hcat.core.refusals.state import AnswerState
from hcat.core.types import JsonValue

if TYPE_CHECKING:
    import pandas as pd

    from hcat.core.scoring.score_table import ScoreTable

TWO_LEVELS = ("fail", "pass")
SAMPLE, TEST_CASE, CLUSTER = "sample", "test case", "cluster"
_MAKE_ONE = "make one with `hcat calibrate … -o cal.json`"


@dataclass(frozen=True, slots=True)
class Use:
    """The person who put a calibration in force and the time, with the reason if it is not shown to be fit for use."""

    author: str
    reason: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Calibration:
    """A fitted map from scores to the probability of a pass on one criterion, its conformal threshold, and its check.

    `levels` are those of prediction sets, from worst to best: fail and pass, or the criterion's own if the method gives
    each a probability; those from `passing` on count as a pass. `conditional` says for what the sets guarantee
    coverage: "none" (on average), "class", or the name of a dimension; `thresholds` are then those by class or level,
    in addition to the `threshold` for all. With `sets_by_score` the map and sets are from all labels: these are the
    sets, and thresholds are quantiles of the labels' nonconformity, for orientation. `weighted`: labels were sampled
    with unequal probabilities. `split_sizes` counts the labels for each purpose (all of them under "fit" if they served
    both), `left_out` the labelled samples that were not used, by reason. `diagnostics` is None if no label was left for
    the check. `proportional_odds` is the test of the ordinal method's assumption, `evidence` the basis of the verdict
    besides the diagnostics (None in documents from before it was recorded). `weights` by sample id are the inverse
    sampling probabilities of the run's samples, if all are known and they differ: each sample then has the threshold of
    its own weight. `inputs` are content hashes. `use` is None until the calibration is in force."""

    criterion: str
    metrics: tuple[str, ...]
    method: str
    map: ProbabilityMap
    alpha: float
    threshold: Threshold
    split_sizes: Mapping[str, int]
    left_out: Mapping[str, int]
    diagnostics: Diagnostics | None
    fit_for_use: Verdict
    levels: tuple[str, ...] = TWO_LEVELS
    passing: int = 1
    conditional: str = NOT_CONDITIONAL
    thresholds: Conditional | None = None
    sets_by_score: ScoreSets | None = None
    weighted: bool = False
    proportional_odds: ProportionalOdds | None = None
    evidence: Evidence | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, JsonValue] = field(default_factory=dict)
    version: str = __version__
    use: Use | None = None

    def probability(self, scores: ScoreTable) -> Floats:
        """The probability of a pass for each sample, shape (n,), in (0, 1); NaN if unscored or declined."""
        return self.map.probability(self._table(scores))

    def level_probabilities(self, scores: ScoreTable) -> Floats:
        """The probability of each of `levels`, shape (n, levels), rows summing to 1; NaN if unscored."""
        return level_table(self.map, self._table(scores))

    def sets(self, scores: ScoreTable, *, groups: Mapping[str, str | None] | None = None) -> Bools:
        """The prediction sets, (n, levels): whether each level is in the set of each sample; empty for unscored ones.

        `groups` give the level of the dimension `conditional` by sample id; a sample without one gets the full set."""
        return self.sets_at(self._table(scores), cells=_cells(scores, groups), weights=self._weights_of(scores))

    def sets_at(self, X: Floats, *, cells: Sequence[str | None] | None = None, weights: Floats | None = None) -> Bools:
        """The sets for scores (n, metrics) in the order of `metrics`; `cells` (n,) are the `groups` of `sets`.

        Without `weights` (n,), samples count as the heaviest of the run."""
        if self.sets_by_score is not None:
            by_group = self.thresholds is not None and not self.thresholds.by_class
            groups = (cells or [None] * len(X)) if by_group else None
            return self.sets_by_score.sets_at(X[:, 0], groups=groups, weights=weights)
        contiguous = find_method(self.method).contiguous
        table = nonconformity_table(self.map, X, contiguous=contiguous)
        if self.thresholds is None:
            return np.asarray(table <= self.threshold.q_hats_at(weights, len(X))[:, None], dtype=bool)
        cells = cells or [None] * len(X)
        return conditional_sets(table, self.thresholds, groups=cells, contiguous=contiguous, weights=weights)

    def q_hats(self, cell: str | None = None) -> tuple[float, float]:
        """The thresholds of fail and pass for sets over these two.

        They are for all samples, by class, or for this level of the dimension of the thresholds (None: one without
        labels)."""
        made = self.thresholds
        if made is not None and made.by_class:
            failed, passed = made.thresholds.values()
            return failed.q_hat, passed.q_hat
        found = self.threshold if made is None else made.unseen if cell is None else made.thresholds[cell]
        return found.q_hat, found.q_hat

    @property
    def labelled_samples(self) -> int:
        """The number of labelled samples that fitted the map, set the threshold or checked both."""
        return sum(self.split_sizes.values())

    @property
    def is_fit(self) -> bool:
        """Whether the calibration is shown to be fit for use."""
        return self.fit_for_use.value == "yes"

    @property
    def coverage_shown(self) -> CoverageShown:
        """Whether its sets are shown to cover the promised share of samples, or fewer."""
        return "open" if self.diagnostics is None else coverage_shown(self.diagnostics.coverage, self.alpha)

    @property
    def unusual_q_hat(self) -> tuple[float, float] | None:
        """The range of q̂ in nine of ten other splits of the same labels, if its own is outside; else None."""
        repeated = None if self.evidence is None else self.evidence.repeated
        if repeated is None or self.sets_by_score is not None:
            return None
        usual = repeated.q_hat
        return None if usual.low <= self.threshold.q_hat <= usual.high else (usual.low, usual.high)

    def put_in_force(self, *, author: str, reason: str = "", at: datetime | None = None) -> Calibration:
        """The same calibration, put in force by this person.

        HcatError if it is not shown to be fit for use and no reason is given, or if its threshold is unusual for the
        labels (`unusual_q_hat`)."""
        if (usual := self.unusual_q_hat) is not None:
            raise HcatError(
                f"this calibration can't be put in force: its threshold (q̂ {self.threshold.q_hat:.2f}) is not what "
                f"other splits of the same labels give ({usual[0]:.2f} to {usual[1]:.2f}). Label more answers and "
                "calibrate again, or calibrate one metric, whose prediction sets rest on no split"
            )
        if not self.is_fit and not reason.strip():
            raise HcatError(
                f"this calibration is not shown to be fit for use on {self.criterion}: give a reason for using it all "
                "the same"
            )
        return replace(self, use=Use(author.strip(), reason.strip(), at))

    @property
    def split_by(self) -> JsonValue:
        """The unit by which labels were divided: clusters, in earlier versions test cases or samples."""
        return self.settings.get("split_by", SAMPLE)

    def predict(self, scores: ScoreTable, *, groups: Mapping[str, str | None] | None = None) -> pd.DataFrame:
        """One row a sample: sample_id, probability, in_0, in_1, decision.

        If the sets are over other levels than fail and pass, each level has a column `in_<level>` and one `p_<level>`
        with its probability. The decision is "pass" or "fail" if all levels in the set are on one side, else "undecided
        (both)", "undecided (empty)" or "unscored"; an unscored sample has neither probability nor set. Nor has an
        answer that declines: its decision is its state, "correct_refusal", "wrong_refusal" or, if nobody knows whether
        the corpus contains the answer, "refusal". If thresholds are by a dimension, whose level `groups` give by sample
        id, a column `reason` says why a sample gets the full set."""
        probability, made = self.probability(scores), self.thresholds
        by_group = made is not None and not made.by_class
        return prediction_table(
            scores.sample_ids,
            probability,
            self.sets(scores, groups=groups),
            passing=self.passing,
            levels=None if self.levels == TWO_LEVELS else (self.levels, self.level_probabilities(scores)),
            reasons=[made.whole_set_reason(cell) for cell in _cells(scores, groups)] if made and by_group else None,
            refusals=self._refusals(scores),
        )

    def contributions(self, scores: ScoreTable) -> pd.DataFrame:
        """The contribution of each metric to the log-odds of a pass: sample_id, baseline, a column a metric,
        log_odds."""
        return contribution_table(self.map, self._table(scores), scores.sample_ids)

    def _refusals(self, scores: ScoreTable) -> list[AnswerState | None]:
        """The state of each answer without a probability since it declines; None for the others."""
        states = scores.answer_states or [None] * len(scores.sample_ids)
        refused = declined(scores, self.metrics).tolist()
        return [state if without else None for state, without in zip(states, refused, strict=True)]

    def _weights_of(self, scores: ScoreTable) -> Floats | None:
        """The weight of each sample (n,), that of the heaviest for samples not in the run; None if weights are not
        known."""
        if not self.weights:
            return None
        heaviest = max(self.weights.values())
        return np.array([self.weights.get(sample_id, heaviest) for sample_id in scores.sample_ids])

    def _table(self, scores: ScoreTable) -> Floats:
        return answer_scores(scores, self.metrics)

    @classmethod
    def from_json(cls, text: str) -> Calibration:
        """The calibration in the text of a document. FileFormatError on anything else."""
        try:
            document: JsonValue = parse_document(text)
        except ValueError as error:
            raise FileFormatError(f"this is no calibration of hcat ({error}): {_MAKE_ONE}") from error
        return cls.from_document(document)

    @classmethod
    def from_document(cls, document: JsonValue) -> Calibration:
        """The inverse of `calibration_document`. FileFormatError on anything else."""
        try:
            stated = JSON.read(_Method, document)
            fitted = map_from_parameters(find_method(stated.method).map, stated.metrics, stated.parameters)
            return DOCUMENT.read(cls, document, preset={"map": fitted})
        except HcatError as error:
            raise FileFormatError(f"this is no calibration of hcat ({error}): {_MAKE_ONE}") from error


def _cells(scores: ScoreTable, groups: Mapping[str, str | None] | None) -> list[str | None]:
    return levels_at(groups or {}, scores.sample_ids).texts()


@dataclass(frozen=True, slots=True)
class _Method:
    """The part of a document from which the map is rebuilt."""

    method: str
    metrics: tuple[str, ...]
    parameters: dict[str, JsonValue]


DOCUMENT = Codec({**LAYOUTS, Calibration: CALIBRATION})
"""Reads documents, and writes them without their sentences, which `hcat.core.wording` adds."""
