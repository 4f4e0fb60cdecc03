"""Quotations and comparisons in a report: worst samples, two runs, retrieval, trials, judges, doubtful numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from hcat.core.calibration.calibration import Calibration
from hcat.core.capabilities.attacks.analysis import evaluate_attacks
from hcat.core.capabilities.attacks.family import CRITERION
from hcat.core.capabilities.attacks.results import AttackResults
from hcat.core.capabilities.estimates.estimate import compare_runs, one_asks_variants
from hcat.core.capabilities.fairness.analysis.matched import comparable, compare_levels
from hcat.core.capabilities.fairness.analysis.paired import compare_groups
from hcat.core.capabilities.fairness.counterfactual.pairing import counterfactuals_in
from hcat.core.capabilities.judges.against_people import judge_agreement
from hcat.core.capabilities.judges.stored import StoredCheck, StoredJudgement
from hcat.core.capabilities.judges.verdict import mean_scores
from hcat.core.capabilities.report.analysis.reported_run import ReportedRun
from hcat.core.capabilities.report.evidence.excerpts import worst_samples
from hcat.core.capabilities.report.evidence.machine_records import JudgedCriterion, JudgeEvidence, ToneEvidence
from hcat.core.capabilities.report.evidence.records import (
    ComparisonEvidence,
    DoubtfulNumbers,
    FairnessEvidence,
    PrivacyEvidence,
    RetrievalEvidence,
    RobustnessEvidence,
    TrialsEvidence,
    WorstSamples,
)
from hcat.core.capabilities.robustness.analysis.robustness import compare_variants, paired_variants
from hcat.core.capabilities.safety.analysis import privacy_review
from hcat.core.capabilities.safety.tone import tone_flags
from hcat.core.capabilities.safety.toxicity_functions import packaged_functionality
from hcat.core.capabilities.trials.trials import labels_checker, most_trials, trial_scores
from hcat.core.capabilities.weaknesses.slice_metrics import default_score
from hcat.core.metrics.funnel import run_funnel
from hcat.core.metrics.privacy import pii_leak
from hcat.core.metrics.registry import metrics
from hcat.core.metrics.sample_view import PARTS, SampleView, placed_sentences
from hcat.core.opened.run import Opened, RunColumns
from hcat.core.records.clusters import clusters_across_columns
from hcat.core.records.fairness import FairnessSettings
from hcat.core.records.samples.columns import trials_in
from hcat.core.records.samples.right_answers import with_nearest_reference
from hcat.core.text import sentences
from hcat.core.types import Criterion, Sample

COUNTED = ("factual_numbers", "factual_numbers_reference")
"""Metrics that distinguish doubtful numbers from numbers that are found and from numbers that are not."""


def comparisons(
    runs: Sequence[Opened], criteria: Sequence[Criterion], predicting: Mapping[str, Sequence[str]]
) -> list[ComparisonEvidence]:
    """Each two runs that share questions and are both labelled on a criterion, the later less the earlier.

    A run of variants is not set against one without: they ask other questions. `predicting` are the metrics that
    predict labels on a criterion; where a run lacks their scores, nothing is said.
    """
    alike = [(first, second) for first, second in combinations(runs, 2) if not one_asks_variants(first, second)]
    pairs = [(pair, criterion) for pair in alike for criterion in criteria]
    compared = (_comparison(*pair, criterion, predicting.get(criterion.name, ())) for pair, criterion in pairs)
    return [item for item in compared if item is not None]


def _comparison(
    first: Opened, second: Opened, criterion: Criterion, predicting: Sequence[str]
) -> ComparisonEvidence | None:
    runs = (first, second)
    if not predicting or any(not set(predicting) <= _scored(run.columns) for run in runs):
        return None
    shared = _shared_questions(first, second)
    if not shared or any(not len(run.labels(criterion).sample_ids) for run in runs):
        return None
    estimates = compare_runs(first, second, criterion, metrics=predicting)
    return ComparisonEvidence(first.name, second.name, criterion.name, tuple(predicting), shared, estimates)


def _scored(columns: RunColumns) -> set[str]:
    return set() if columns.given_scores is None else set(columns.scores.metrics)


def _shared_questions(first: Opened, second: Opened) -> int:
    if not (first.columns.has_samples and second.columns.has_samples):
        return 0
    one, other = clusters_across_columns(first.columns.sample_columns, second.columns.sample_columns)
    return len(set(one.values()) & set(other.values()))


def retrieval(run: Opened) -> list[RetrievalEvidence]:
    """Both stages of a run's retrieval; empty where no sample states its relevant passages."""
    measured = run_funnel(run.columns.sample_columns)
    return [RetrievalEvidence(run.name, measured)] if measured.funnels else []


def trials(run: Opened, criteria: Sequence[Criterion]) -> list[TrialsEvidence]:
    """Scores over repeated trials by the labels on each criterion; nothing where each test case has one trial."""
    samples = trials_in(run.columns.sample_columns)
    if most_trials(samples) < 2:
        return []
    checked = [(criterion, labels_checker(run.labels(criterion).labels, criterion)) for criterion in criteria]
    scores = [(criterion.name, trial_scores(samples, checker)) for criterion, checker in checked if checker.outcomes]
    return [TrialsEvidence(run.name, name, of_criterion) for name, of_criterion in scores if of_criterion.trials]


def robustness(run: Opened, vectors: Mapping[str, NDArray[np.float32]] | None) -> list[RobustnessEvidence]:
    """The variants of a run compared with their origins in the same run, by labels, by the calibration, and by the
    metric for sorting samples. Empty without such pairs."""
    if not paired_variants(run.columns).pairs:
        return []
    scored = run.columns.given_scores is not None
    compared = compare_variants(
        run,
        metrics=[default_score(run.columns)] if scored else [],
        vectors=vectors,
    )
    return [RobustnessEvidence(run.name, compared)]


def fairness(reported: ReportedRun) -> list[FairnessEvidence]:
    """The groups of people in a run compared by the margins in force: over the same questions, and matched by the
    selected dimensions. Empty where the run has neither."""
    run = reported.run
    settled = reported.settled[0] if reported.settled else None
    stated = FairnessSettings() if settled is None else settled.settings
    compared = []
    if counterfactuals_in(run.columns.sample_columns):
        settings = comparable(run).limit(stated)
        compared.append(compare_groups(run, settings))
    if stated.by:
        settings = comparable(run, by=stated.by).limit(stated)
        if settings.by:
            compared.append(compare_levels(run, settings.by, settings, match=settings.match))
    changes = len(reported.settled)
    return [FairnessEvidence(run.name, each, settled, changes, reported.imported_at) for each in compared]


def attacks(run: Opened, criteria: Sequence[Criterion]) -> list[AttackResults]:
    """The attacks of a run, corrected by the labels on the criterion for them, where the project has it; nothing where
    the run was asked none."""
    if not run.columns.sample_columns.levels("attack_family").is_given:
        return []
    return [evaluate_attacks(run, next((each for each in criteria if each.name == CRITERION), None))]


def privacy(run: Opened) -> list[PrivacyEvidence]:
    """Disclosures in the answers of a run; empty where it has no score for them."""
    if pii_leak.name not in _scored(run.columns) or run.columns.given_samples is None:
        return []
    return [PrivacyEvidence(run.name, privacy_review(run.columns.samples))]


def judges(reported: ReportedRun, seed: int) -> list[JudgeEvidence]:
    """Agreement of each judge of the run with the labels on every criterion that has some, and its check for bias."""
    by_name: dict[str, JudgeEvidence] = {}
    for stored in reported.judges:
        name = stored.facts.judge
        item = by_name.get(name, JudgeEvidence(reported.run.name, name, None))
        if isinstance(stored, StoredCheck):
            by_name[name] = replace(item, checked=stored.facts, biases=stored.biases)
        else:
            criteria = tuple(_judged(reported, stored, criterion, seed) for criterion in stored.criteria)
            by_name[name] = replace(item, judged=stored.facts, criteria=criteria)
    return list(by_name.values())


def _judged(reported: ReportedRun, stored: StoredJudgement, criterion: str, seed: int) -> JudgedCriterion:
    run = reported.run
    scores = mean_scores(stored.verdicts, criterion)
    labelled = {each: run.label_source.labels(each.name) for each in reported.criteria}
    beside = {
        people.name: judge_agreement(
            scores,
            labels,
            people=people,
            judge=stored.rubric.criterion(criterion),
            rng=np.random.default_rng(seed),
            clusters=run.columns.clusters,
        )
        for people, labels in labelled.items()
        if labels
    }
    return JudgedCriterion(criterion, len(scores), stored.unscored(criterion), beside)


def tone(run: Opened) -> list[ToneEvidence]:
    """The classifier's results on the tone of a run's answers; empty where it did not read them."""
    table = run.columns.given_scores
    flags = () if table is None else tone_flags(table)
    if table is None or not flags:
        return []
    functions = packaged_functionality()
    measured = functions.revision in table.provenance.models.values()
    return [ToneEvidence(run.name, flags, functions if measured else None)]


def doubtful_numbers(columns: RunColumns) -> tuple[DoubtfulNumbers, ...]:
    """Doubtful numbers by metric: those found only under another sign, scale, unit or period, and the number of samples
    with one that may refer to another thing."""
    chosen = [metric for metric in metrics() if metric.name in COUNTED and metric.name in _scored(columns)]
    counts = []
    for metric in chosen:
        outcomes = [metric(_view(sample)) for sample in columns.samples]
        explained = [outcome.explain() for outcome in outcomes if outcome.score.value is not None]
        sizes = [len(each) for row in explained if isinstance(each := row["doubtful"], list) and each]
        of_another = sum("maybe_of_another" in row for row in explained)
        counts.append(DoubtfulNumbers(metric.name, sum(sizes), len(sizes), len(explained), of_another))
    return tuple(counts)


def _view(sample: Sample) -> SampleView:
    """The sample in sentences, for metrics that read texts alone."""
    sample = with_nearest_reference(sample)
    return SampleView(sample, {part: placed_sentences(sample, part, sentences) for part in PARTS})


def predicting_metrics(
    calibrations: Sequence[Calibration], criteria: Sequence[Criterion], fallback: str | None
) -> dict[str, tuple[str, ...]]:
    """The metrics of each criterion's newest calibration, else the one that runs are judged by."""
    by_criterion = {calibration.criterion: tuple(calibration.metrics) for calibration in calibrations}
    rest = () if fallback is None else (fallback,)
    return {criterion.name: by_criterion.get(criterion.name, rest) for criterion in criteria}


def worst(run: Opened, metric: str, criteria: Sequence[Criterion]) -> WorstSamples:
    """The run's worst samples on a metric, by the labels on the criterion with the most labelled samples."""
    labels = [run.labels(criterion) for criterion in criteria]
    columns = run.columns
    return worst_samples(
        columns.samples,
        columns.scores,
        run=columns.name,
        metric=metric,
        title=columns.scores.facts(metric).title,
        labels=max(labels, key=lambda judged: len(judged.sample_ids), default=None),
        direction=columns.scores.direction_of(metric),
    )
