"""The parts of a report's evidence, from samples, scores, labels and calibrations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.dataset import join_scores
from hcat.core.calibration.maps.methods import find_method
from hcat.core.capabilities.report.evidence.records import (
    CalibrationEvidence,
    DoubtfulNumbers,
    LabelEvidence,
    PassRateEvidence,
    RunEvidence,
)
from hcat.core.estimates.labelled_run import LabelledRun, labelled_run
from hcat.core.estimates.level_clusters import level_clusters
from hcat.core.estimates.prediction_powered import LabelledRate, estimate_labels_only, estimate_pass_rate
from hcat.core.estimates.run_estimates import prepare_run
from hcat.core.estimates.slices import estimate_slices
from hcat.core.labelling.consensus import ConsensusLabels, Labels, labelled_by_rule, resolve_labels
from hcat.core.labelling.label_source import BY_PEOPLE
from hcat.core.labelling.ties import tie_bounds
from hcat.core.records.clusters import clusters_of, shared_clusters
from hcat.core.records.design_weights import design_probabilities, design_summary
from hcat.core.records.samples.by_sample import LevelBySample, SampleOrder, numbers_at
from hcat.core.records.samples.likely_trials import likely_trials
from hcat.core.refusals.state import answer_state, count_states
from hcat.core.scoring.bare_texts import bare_references
from hcat.core.scoring.languages import languages_of
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.slices.slices import input_dimensions
from hcat.core.types import Criterion, Label, Sample

if TYPE_CHECKING:
    import pandas as pd

CURVE_POINTS = 200
MOST_DIMENSIONS = 6
"""Number of dimensions of input by which a report looks at slices: the first ones."""


def run_evidence(
    name: str,
    samples: Sequence[Sample],
    scores: ScoreTable | None,
    *,
    content_hash: str,
    filename: str = "",
    format: str = "",  # noqa: A002
    doubtful: tuple[DoubtfulNumbers, ...] = (),
) -> RunEvidence:
    """A run as the report describes it."""
    clusters, drawn = clusters_of(samples), design_probabilities(samples)
    return RunEvidence(
        name=name,
        content_hash=content_hash,
        n=len(samples),
        unanswered=sum(sample.answer is None for sample in samples),
        test_cases=len({sample.test_case or sample.id for sample in samples}),
        filename=filename,
        format=format,
        languages=languages_of(samples),
        provenance=None if scores is None else scores.provenance,
        scores={} if scores is None else scores.summary(clusters, samples=samples),
        answer_states=count_states(answer_state(sample) for sample in samples),
        refusals_as_answers=scores is not None and scores.answer_states is None,
        clusters=len(set(clusters.values())),
        likely_trials=likely_trials(samples),
        doubtful=doubtful,
        bare_references=bare_references(samples),
        design=design_summary({sample.id: drawn.get(sample.id) for sample in samples} if drawn else {}),
    )


def label_evidence(
    labels: Iterable[Label],
    *,
    run: str,
    criterion: Criterion,
    test_cases: Mapping[str, str] | None = None,
    strata: Mapping[str, str] | None = None,
    design: Mapping[str, float] | None = None,
) -> tuple[LabelEvidence, ...]:
    """The labels of one run on one criterion, people and rules apart; kinds without labels are left out.

    `test_cases` map the IDs of all samples to the clusters for the interval of the pass rate. `strata` map them to the
    strata of a stratified queue, and `design` to design weights. The rate is the labels-only one of
    `estimate_pass_rate`.
    """
    cases = test_cases or {}
    on_criterion = [label for label in labels if label.criterion == criterion.name]
    of_rules = [label for label in on_criterion if label.source == "rule"]
    of_people = [label for label in on_criterion if label.source in BY_PEOPLE]
    kinds = [(kind, group) for kind, group in _kinds(of_people, of_rules) if group]
    return tuple(_labels_of_kind(group, kind, run, criterion, cases, strata, design) for kind, group in kinds)


def calibration_evidence(
    calibration: Calibration,
    scores: ScoreTable,
    labels: Labels,
    *,
    criterion: Criterion,
    run: str,
    groups: Mapping[str, str | None] | None = None,
    split_keys: Mapping[str, str] | None = None,
) -> CalibrationEvidence:
    """A calibration applied to the scores of a run, with the labels of its check split, or all where none is set aside.
    Curves are of one metric.

    `groups` give each sample's level of the dimension that thresholds are by, where they are by one;
    `split_keys` what the calibration divided labels by.
    """
    decisions = calibration.predict(scores, groups=groups)["decision"].value_counts()
    counts = {str(decision): int(count) for decision, count in decisions.items()}
    if len(calibration.metrics) != 1:
        return CalibrationEvidence(run, calibration, counts)
    joined = join_scores(
        labels,
        scores,
        criterion=criterion,
        metrics=calibration.metrics,
        test_cases=split_keys,
    )
    checked = joined.part("check") if calibration.sets_by_score is None else joined.in_order_of_content({})
    values = scores.values(calibration.metrics[0])
    values = values[np.isfinite(values)]
    if not len(values):
        return CalibrationEvidence(run, calibration, counts)
    axis = np.linspace(values.min(), values.max(), CURVE_POINTS)
    curve = zip(axis.tolist(), calibration.map.probability(axis[:, None]).tolist(), strict=True)
    points = zip(checked.X[:, 0].tolist(), checked.passed.tolist(), strict=True)
    return CalibrationEvidence(run, calibration, counts, tuple(curve), tuple(points))


def pass_rate_evidence(
    labels: Labels,
    scores: ScoreTable,
    dimensions: pd.DataFrame,
    *,
    metrics: tuple[str, ...],
    method: str,
    criterion: Criterion,
    run: str,
    strata: Mapping[str, str] | None = None,
    test_cases: Mapping[str, str] | None = None,
    design: Mapping[str, float] | None = None,
) -> PassRateEvidence:
    """The pass rate of a run by its labels and these metrics, and at each level of its input's `dimensions`.

    The calibration method predicts the samples; where that gives each level its probability, the combined one does,
    which takes any number of metrics too. `strata`, `test_cases` and `design` map sample ids, as in `prepare_run`.
    """
    judged = resolve_labels(labels, criterion)
    predicted_by = "combined" if find_method(method).by_level else method
    prepare = partial(
        prepare_run,
        scores=scores,
        criterion=criterion,
        metrics=metrics,
        method=predicted_by,
        strata=strata,
        clusters=test_cases,
        design=design,
    )
    prepared = prepare(judged)
    levels = {
        name: [str(level) for level in dimensions[name].loc[list(scores.sample_ids)]]
        for name in input_dimensions(dimensions)[:MOST_DIMENSIONS]
    }
    slices = {name: estimate_slices(prepared.run, of_each) for name, of_each in levels.items()}
    return PassRateEvidence(
        run,
        criterion.name,
        metrics,
        predicted_by,
        estimate_pass_rate(prepared.run, note=prepared.note),
        slices,
        labelled_by_rule(judged, scores.sample_ids),
        tie_bounds(judged, criterion, lambda decided: estimate_pass_rate(prepare(decided).run).ppi),
        level_clusters(prepared.run, levels.items()),
        prepared.drawn,
    )


def _kinds(
    people: list[Label], rules: list[Label]
) -> tuple[tuple[Literal["people"], list[Label]], tuple[Literal["rule"], list[Label]]]:
    return ("people", people), ("rule", rules)


def _labels_of_kind(
    labels: list[Label],
    kind: Literal["people", "rule"],
    run: str,
    criterion: Criterion,
    cases: Mapping[str, str],
    strata: Mapping[str, str] | None,
    design: Mapping[str, float] | None,
) -> LabelEvidence:
    judgements = [label for label in labels if label.source != "adjudication"]
    judged = resolve_labels(labels, criterion)
    found = _pass_rate_of_labels(judged, cases, strata, design)
    return LabelEvidence(
        run=run,
        criterion=criterion.name,
        kind=kind,
        annotators=tuple(sorted({label.annotator for label in judgements})),
        labels=len(judgements),
        samples=len({label.sample_id for label in labels}),
        passes=found.rate,
        ties=judged.ties,
        drawn_equally=len(np.unique(judged.weights)) <= 1 and design is None,
        decisions=len(labels) - len(judgements),
        tied=tie_bounds(judged, criterion, lambda decided: _pass_rate_of_labels(decided, cases, strata, design).rate),
        passes_here=found.of_these,
    )


def _pass_rate_of_labels(
    judged: ConsensusLabels,
    cases: Mapping[str, str],
    strata: Mapping[str, str] | None,
    design: Mapping[str, float] | None,
) -> LabelledRate:
    return estimate_labels_only(labels_of_run(judged, cases, strata, design)[1])


def labels_of_run(
    judged: ConsensusLabels,
    cases: Mapping[str, str],
    strata: Mapping[str, str] | None,
    design: Mapping[str, float] | None = None,
) -> tuple[tuple[str, ...], LabelledRun]:
    """All sample IDs with people's labels on them; no metric predicts anything. Labels on samples that the run lacks
    leave out the design weights."""
    known = cases.order if isinstance(cases, LevelBySample) else SampleOrder(tuple(cases))
    order, at = known, known.rows(judged.sample_ids)
    if (at < 0).any():
        order = SampleOrder(tuple(dict.fromkeys([*known.ids, *judged.sample_ids])))
        at = order.rows(judged.sample_ids)
    ids = tuple(order.ids)
    drawn = numbers_at(design, ids) if design else None
    passed, weights = np.full(len(ids), np.nan), np.ones(len(ids))
    passed[at], weights[at] = judged.levels >= judged.criterion.passing, judged.weights
    return ids, labelled_run(
        passed,
        np.full(len(ids), np.nan),
        weights=weights,
        strata=None if strata is None else [strata.get(sample_id, "") for sample_id in ids],
        clusters=_shared_names(cases, ids),
        design=None if drawn is None or np.isnan(drawn).any() else drawn,
    )


def _shared_names(cases: Mapping[str, str], ids: Sequence[str]) -> list[str] | None:
    """The cluster of each of these samples, its own id where it has none; None where each is its own."""
    if not (shared := shared_clusters(cases)) and len(cases) == len(ids):
        return None
    names = [(shared or cases).get(sample_id, sample_id) for sample_id in ids]
    return names if len(set(names)) < len(names) else None
