"""What a report rests on, as plain values that can come from a project's workspace or from a folder of files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

from core.agreement.summary import Agreement
from core.calibration.calibration import Calibration
from core.estimates.prediction_powered import PassRateEstimates
from core.estimates.slices import SliceEstimate
from core.estimates.verdict_errors import VerdictErrors
from core.labelling.ties import TieBounds
from core.records.likely_trials import LikelyTrials
from core.refusals.state import AnswerState
from core.report.tree import SampleExcerpt
from core.scoring.provenance import Provenance
from core.scoring.score_table import MetricSummary
from core.topics.model import TopicModel
from core.types import Criterion, Direction, Estimate, JsonValue
from core.weakness.table import WeaknessTable


@dataclass(frozen=True, slots=True)
class MetricNote:
    """What a reader must know about a metric. `source` names the section of the paper that defines it."""

    title: str
    direction: Direction = "higher"
    source: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class RunEvidence:
    """One run and its scores. `unanswered` counts samples that the system failed to answer, `answer_states` all samples
    by the state of their answer. `refusals_as_answers`: it was scored before refusals were kept apart. Its samples come
    from so many independent `clusters`; `likely_trials` look as if they came from fewer than the run says."""

    name: str
    content_hash: str
    n: int
    unanswered: int = 0
    test_cases: int = 0
    filename: str = ""
    format: str = ""
    provenance: Provenance | None = None
    scores: Mapping[str, MetricSummary] = field(default_factory=dict)
    answer_states: Mapping[AnswerState, int] = field(default_factory=dict)
    refusals_as_answers: bool = False
    clusters: int | None = None
    likely_trials: LikelyTrials | None = None


@dataclass(frozen=True, slots=True)
class LabelEvidence:
    """The labels of one kind of annotator on one criterion of one run.

    `decisions` over the labels of others are counted apart: who only decides is none of the `annotators`. `passes` is
    the share that passes, by decision or majority, weighted by how the samples were drawn; `tied` says between what it
    lies once the ties, which it leaves out, are decided.
    """

    run: str
    criterion: str
    kind: Literal["people", "rule"]
    annotators: tuple[str, ...]
    labels: int
    samples: int
    passes: Estimate
    ties: int = 0
    drawn_equally: bool = True
    decisions: int = 0
    tied: TieBounds | None = None


@dataclass(frozen=True, slots=True)
class AgreementEvidence:
    """How far the people who labelled a run agree on a criterion."""

    run: str
    criterion: str
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class PassRateEvidence:
    """The corrected pass rate of a run on a criterion, and of its slices by dimension; how samples were predicted.

    `by_rule` of its labelled samples have the label of a rule, because no person labelled them. `tied` says between
    what the PPI++ rate lies once ties are decided; None without any.
    """

    run: str
    criterion: str
    metrics: tuple[str, ...]
    method: str
    estimates: PassRateEstimates
    slices: Mapping[str, tuple[SliceEstimate, ...]] = field(default_factory=dict)
    by_rule: int = 0
    tied: TieBounds | None = None


@dataclass(frozen=True, slots=True)
class VerdictEvidence:
    """The machine verdicts of a run's metrics against its labels on one criterion."""

    run: str
    errors: VerdictErrors


@dataclass(frozen=True, slots=True)
class CalibrationEvidence:
    """A calibration, what it decides on a run, and where its check labels lie on the score axis."""

    run: str
    calibration: Calibration
    decisions: Mapping[str, int] = field(default_factory=dict)
    curve: tuple[tuple[float, float], ...] = ()
    checked: tuple[tuple[float, bool], ...] = ()


@dataclass(frozen=True, eq=False)
class WeaknessEvidence:
    """The slices of one run that were tested."""

    run: str
    table: WeaknessTable


@dataclass(frozen=True, slots=True)
class FindingEvidence:
    """A weakness that somebody confirmed; for a slice with its mean, q and verdict at that time, the shrunken mean with
    the interval that allows for its having been picked, and how many slices were tested with it."""

    title: str
    slice: str
    severity: str
    status: str
    comment: str
    author: str
    at: datetime
    owner: str = ""
    due: date | None = None
    frozen_hash: str | None = None
    mean: Estimate | None = None
    q: float | None = None
    verdict: str = ""
    shrunken: Estimate | None = None
    tested: int | None = None


@dataclass(frozen=True, slots=True)
class WorstSamples:
    """The samples of one run with the worst scores on one metric, worst first."""

    run: str
    metric: str
    items: tuple[SampleExcerpt, ...]


@dataclass(frozen=True, slots=True)
class TopicEvidence:
    """Topics found in a run: in its queries or its contexts."""

    run: str
    source: str
    model: TopicModel


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that a report says follows from this. Empty parts are reported as missing, not left out."""

    project: str
    created_at: datetime
    version: str
    description: str = ""
    author: str = ""
    runs: tuple[RunEvidence, ...] = ()
    metrics: Mapping[str, MetricNote] = field(default_factory=dict)
    criteria: tuple[Criterion, ...] = ()
    labels: tuple[LabelEvidence, ...] = ()
    agreements: tuple[AgreementEvidence, ...] = ()
    calibrations: tuple[CalibrationEvidence, ...] = ()
    pass_rates: tuple[PassRateEvidence, ...] = ()
    verdicts: tuple[VerdictEvidence, ...] = ()
    weaknesses: tuple[WeaknessEvidence, ...] = ()
    worst: tuple[WorstSamples, ...] = ()
    findings: tuple[FindingEvidence, ...] = ()
    topics: tuple[TopicEvidence, ...] = ()
    settings: Mapping[str, JsonValue] = field(default_factory=dict)
    hashes: Mapping[str, str] = field(default_factory=dict)
    packages: Mapping[str, str] = field(default_factory=dict)
    commands: tuple[str, ...] = ()

    def direction(self, metric: str) -> Direction:
        return self.metrics[metric].direction if metric in self.metrics else "higher"
