"""Evidence of a report, as plain values that can come from a project's workspace or from a folder of files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from hcat.core.calibration.calibration import Calibration
from hcat.core.capabilities.agreement.summary import Agreement
from hcat.core.capabilities.attacks.results import AttackResults
from hcat.core.capabilities.coverage.run_coverage import RunCoverage
from hcat.core.capabilities.fairness.counterfactual.comparison import Fairness
from hcat.core.capabilities.findings.view import FindingEvidence
from hcat.core.capabilities.report.evidence.finding_records import WithdrawnFinding
from hcat.core.capabilities.report.evidence.machine_records import JudgeEvidence, ToneEvidence
from hcat.core.capabilities.report.evidence.plan_records import PlanEvidence
from hcat.core.capabilities.report.evidence.policy_records import PolicyEvidence
from hcat.core.capabilities.robustness.variants.comparison import Robustness
from hcat.core.estimates.level_clusters import LevelClusters
from hcat.core.estimates.paired_difference import DifferenceEstimates
from hcat.core.estimates.prediction_powered import PassRateEstimates
from hcat.core.estimates.probabilistic import ProbabilisticScores
from hcat.core.estimates.run_estimates import LabelDraw
from hcat.core.estimates.slices import SliceEstimate
from hcat.core.estimates.verdict_errors import VerdictErrors
from hcat.core.labelling.ties import TieBounds
from hcat.core.metrics.funnel import RunFunnel
from hcat.core.privacy.review import PrivacyReview
from hcat.core.records.design_weights import DesignSummary
from hcat.core.records.fairness import SettledFairness
from hcat.core.records.report import Opinion
from hcat.core.records.risks import RiskEvidence, RiskRegister
from hcat.core.records.samples.likely_trials import LikelyTrials
from hcat.core.refusals.state import AnswerState
from hcat.core.scoring.bare_texts import BareReferences
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import MetricSummary
from hcat.core.slices.table import WeaknessTable
from hcat.core.topics.model import TopicModel
from hcat.core.types import Criterion, Direction, Estimate, JsonValue
from hcat.core.view.tree import Report, SampleExcerpt


@dataclass(frozen=True, slots=True)
class MetricNote:
    """Facts on a metric for readers. `source` names the section of the paper that defines it, `limit` the errors that
    it does not detect."""

    title: str
    direction: Direction = "higher"
    source: str = ""
    description: str = ""
    limit: str = ""


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
    languages: Mapping[str, int] = field(default_factory=dict)
    provenance: Provenance | None = None
    scores: Mapping[str, MetricSummary] = field(default_factory=dict)
    answer_states: Mapping[AnswerState, int] = field(default_factory=dict)
    refusals_as_answers: bool = False
    clusters: int | None = None
    likely_trials: LikelyTrials | None = None
    doubtful: tuple[DoubtfulNumbers, ...] = ()
    bare_references: BareReferences | None = None
    design: DesignSummary | None = None


@dataclass(frozen=True, slots=True)
class WithoutLabel:
    """Samples that an annotator looked at and that nobody labelled: skipped, or marked as “can't judge”."""

    skipped: int
    not_judged: int


@dataclass(frozen=True, slots=True)
class Blindness:
    """Labels in force by whether the annotator had seen scores or labels of others on the sample before; `unknown`
    where nothing recorded it, as for labels from a file."""

    blind: int
    not_blind: int
    unknown: int


@dataclass(frozen=True, slots=True)
class LabelEvidence:
    """The labels of one kind of annotator on one criterion of one run.

    `decisions` over the labels of others are counted separately: a person who only decides is none of the `annotators`.
    `passes` is the share that passes, by decision or majority, weighted by the sampling design. It leaves ties out;
    `tied` are its bounds once they are decided. `passes` is of answers like these, `passes_here` of the run's own
    answers; None in earlier documents.
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
    without_label: WithoutLabel | None = None
    blindness: Blindness | None = None
    passes_here: Estimate | None = None


@dataclass(frozen=True, slots=True)
class AgreementEvidence:
    """Agreement of the people who labelled a run on a criterion."""

    run: str
    criterion: str
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class PassRateEvidence:
    """The corrected pass rate of a run on a criterion, and of its slices by dimension; how samples were predicted.

    `by_rule` of its labelled samples have the label of a rule, because no person labelled them. `tied` says between
    what the PPI++ rate lies once ties are decided; None without any. `likely_clusters` are dimensions whose levels may
    be clusters. `drawn` says how labelled samples were drawn.
    """

    run: str
    criterion: str
    metrics: tuple[str, ...]
    method: str
    estimates: PassRateEstimates
    slices: Mapping[str, tuple[SliceEstimate, ...]] = field(default_factory=dict)
    by_rule: int = 0
    tied: TieBounds | None = None
    likely_clusters: tuple[LevelClusters, ...] = ()
    drawn: LabelDraw = field(default_factory=LabelDraw)


@dataclass(frozen=True, slots=True)
class VerdictEvidence:
    """The machine verdicts of a run's metrics against its labels on one criterion."""

    run: str
    errors: VerdictErrors


@dataclass(frozen=True, slots=True)
class FitnessEvidence:
    """The verdict on one metric by the labels of a run on a criterion, in the words of the capability calibration.

    `auc` has the interval at the level of the verdict's test, NaN where it can't be measured. `labels` counts samples
    with a label, `by_people` those that a person labelled.
    """

    run: str
    criterion: str
    metric: str
    verdict: str
    auc: Estimate
    labels: int
    by_people: int


@dataclass(frozen=True, slots=True)
class CalibrationEvidence:
    """A calibration, its decisions on a run, and the scores of its check labels."""

    run: str
    calibration: Calibration
    decisions: Mapping[str, int] = field(default_factory=dict)
    curve: tuple[tuple[float, float], ...] = ()
    checked: tuple[tuple[float, bool], ...] = ()


@dataclass(frozen=True, eq=False)
class WeaknessEvidence:
    """The slices of one run that were tested; `fitness` describes for each metric how well it replaces people's
    labels."""

    run: str
    table: WeaknessTable
    fitness: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WorstSamples:
    """Worst samples of one run: answers that the labels failed, the lowest score on the metric first; the lowest scores
    without a label; low scores that people passed. `n_failed` counts all failed answers. `by_people`: people, not rules
    alone, failed some of them."""

    run: str
    metric: str
    failed: tuple[SampleExcerpt, ...] = ()
    unlabelled: tuple[SampleExcerpt, ...] = ()
    passed: tuple[SampleExcerpt, ...] = ()
    n_failed: int = 0
    by_people: bool = True


@dataclass(frozen=True, slots=True)
class TopicEvidence:
    """Topics found in a run: in its queries or its contexts."""

    run: str
    source: str
    model: TopicModel


@dataclass(frozen=True, slots=True)
class DoubtfulNumbers:
    """Doubtful numbers of one metric: `numbers` found only under another sign, scale, unit or period, in `samples` of
    the `scored` samples; `of_another` counts samples with a number that may refer to another thing."""

    metric: str
    numbers: int
    samples: int
    scored: int
    of_another: int = 0


@dataclass(frozen=True, slots=True)
class ComparisonEvidence:
    """The difference in pass rate between two runs with `shared` questions; `metrics` predict the labels."""

    first: str
    second: str
    criterion: str
    metrics: tuple[str, ...]
    shared: int
    estimates: DifferenceEstimates


@dataclass(frozen=True, eq=False)
class RetrievalEvidence:
    """Both stages of one run's retrieval."""

    run: str
    funnel: RunFunnel


@dataclass(frozen=True, slots=True)
class TrialsEvidence:
    """Scores over the repeated trials of one run, by the labels on a criterion."""

    run: str
    criterion: str
    scores: ProbabilisticScores


@dataclass(frozen=True, slots=True)
class RobustnessEvidence:
    """Comparison of the variants of one run with their origins."""

    run: str
    compared: Robustness


@dataclass(frozen=True, slots=True)
class FairnessEvidence:
    """The groups of people in one run compared; the margins as they were settled, of so many times that they were set,
    and when the run was imported: None for files."""

    run: str
    compared: Fairness
    settled: SettledFairness | None = None
    changes: int = 0
    run_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class PrivacyEvidence:
    """Disclosures in the answers of one run."""

    run: str
    review: PrivacyReview


@dataclass(frozen=True, slots=True)
class ReportChange:
    """A version of the report, with its basis; the one that is being built has no hash yet."""

    version: int
    at: datetime
    author: str = ""
    note: str = ""
    opinion: str = ""
    runs: int = 0
    labels: int = 0
    findings: int = 0
    hash: str = ""
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that a report says follows from this. Empty parts are reported as missing, not left out. `previous` is the
    report to whose numbers these are compared."""

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
    withdrawn: tuple[WithdrawnFinding, ...] = ()
    topics: tuple[TopicEvidence, ...] = ()
    settings: Mapping[str, JsonValue] = field(default_factory=dict)
    hashes: Mapping[str, str] = field(default_factory=dict)
    packages: Mapping[str, str] = field(default_factory=dict)
    commands: tuple[str, ...] = ()
    runs_left_out: tuple[str, ...] = ()
    comparisons: tuple[ComparisonEvidence, ...] = ()
    retrieval: tuple[RetrievalEvidence, ...] = ()
    trials: tuple[TrialsEvidence, ...] = ()
    robustness: tuple[RobustnessEvidence, ...] = ()
    fairness: tuple[FairnessEvidence, ...] = ()
    attacks: tuple[AttackResults, ...] = ()
    coverage: tuple[RunCoverage, ...] = ()
    privacy: tuple[PrivacyEvidence, ...] = ()
    judges: tuple[JudgeEvidence, ...] = ()
    tone: tuple[ToneEvidence, ...] = ()
    policies: tuple[PolicyEvidence, ...] = ()
    plans: tuple[PlanEvidence, ...] = ()
    opinion: Opinion | None = None
    register: RiskRegister | None = None
    risk_evidence: tuple[RiskEvidence, ...] = ()
    changes: tuple[ReportChange, ...] = ()
    fitness: tuple[FitnessEvidence, ...] = ()
    previous: Report | None = None
    verifier: str = ""
    gathered: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """Evidence that a capability's declaration gathers for its chapters, by capability and run."""

    def title(self, metric: str) -> str:
        """The metric's title, as on screen."""
        return self.metrics[metric].title if metric in self.metrics else metric

    def direction(self, metric: str) -> Direction:
        return self.metrics[metric].direction if metric in self.metrics else "higher"

    def titles(self, metrics: Iterable[str]) -> str:
        """Several of them as one: "Groundedness + Answer F1"."""
        return " + ".join(map(self.title, metrics))
