"""Unwarranted disclosures in the answers of a run, and the cost of a filter."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from hcat.core.metrics.privacy import verbatim_share
from hcat.core.metrics.registry import choose, find_metric
from hcat.core.models.model_set import ModelSet
from hcat.core.privacy.context_filter import FilterRule, filtered, held_back
from hcat.core.privacy.leaks import TracedHit, quick_hits
from hcat.core.privacy.review import FilterCost, KindOfHit, MetricChange, PrivacyReview
from hcat.core.records.clusters import clusters_of
from hcat.core.records.design_weights import design_probabilities, design_weights
from hcat.core.scoring.evaluate import score_samples
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.statistics.intervals import mean_interval
from hcat.core.types import OnProgress, Progress, Sample

NO_MODELS = ModelSet(())
FILTER_METRICS = ("token_f1", "token_groundedness", "factual_numbers", "factual_numbers_reference", "answer_length")
"""Metrics for the cost of a filter: those that need no model."""


def privacy_review(samples: Sequence[Sample], *, on_progress: OnProgress | None = None) -> PrivacyReview:
    """Look through every answer. Names are not looked for: they are no leak by themselves, and take a model."""
    answered = [each for each in samples if each.answer is not None and each.answer.strip() and each.erased is None]
    hits: dict[str, tuple[TracedHit, ...]] = {}
    for done, sample in enumerate(answered, start=1):
        hits[sample.id] = quick_hits(sample)
        if on_progress is not None:
            on_progress(Progress("look for personal data", done, len(answered)))
    told = [sample for sample in answered if sample.contexts]
    leaking = [float(any(each.is_leak for each in hits[sample.id])) for sample in told]
    clusters = clusters_of(samples)
    design = design_weights(design_probabilities(samples) or None)
    share = mean_interval(
        leaking,
        weights=None if design is None else [design[sample.id] for sample in told],
        clusters=[clusters[sample.id] for sample in told],
        within=(0.0, 1.0),
    )
    copies = score_samples(samples, metrics=verbatim_share.name, models=NO_MODELS)
    shares = zip(copies.sample_ids, copies.values(verbatim_share.name).tolist(), strict=True)
    return PrivacyReview(
        hits=hits,
        kinds=_kinds(hits),
        leaking=share,
        copying=copies.summary()[verbatim_share.name].mean,
        copied={name: value for name, value in shares if value > 0},
        answers=len(answered),
        without_contexts=len(answered) - len(told),
    )


def _kinds(hits: Mapping[str, Sequence[TracedHit]]) -> tuple[KindOfHit, ...]:
    """Kinds with most leaks first."""
    by_kind: dict[str, list[tuple[str, TracedHit]]] = {}
    for sample_id, each in hits.items():
        for traced in each:
            by_kind.setdefault(traced.hit.kind, []).append((sample_id, traced))
    kinds = [_kind(name, each) for name, each in by_kind.items()]
    return tuple(sorted(kinds, key=lambda kind: (-kind.leaks, -kind.hits, kind.kind)))


def _kind(name: str, hits: Sequence[tuple[str, TracedHit]]) -> KindOfHit:
    holders = [traced.held_by for _, traced in hits]
    return KindOfHit(
        kind=name,
        hits=len(hits),
        answers=len({sample_id for sample_id, _ in hits}),
        context=holders.count("context"),
        query=holders.count("query"),
        confidential=holders.count("confidential"),
        neither=holders.count("neither"),
        unknown=holders.count("unknown"),
        leaks=sum(traced.is_leak for _, traced in hits),
    )


def filtered_run(samples: Sequence[Sample], review: PrivacyReview, rule: FilterRule) -> tuple[Sample, ...]:
    """The run as it would have gone out through the filter."""
    return tuple(filtered(sample, review.hits.get(sample.id, ()), rule) for sample in samples)


def filter_cost(samples: Sequence[Sample], review: PrivacyReview, rule: FilterRule) -> FilterCost:
    """Score the run before and after the filter; no metric where the filter changes nothing.

    By metrics that need no model and that the run allows.
    """
    after = filtered_run(samples, review, rule)
    spans = sum(len(held_back(hits, rule)) for hits in review.hits.values())
    changed = tuple(old.id for old, new in zip(samples, after, strict=True) if old is not new)
    allowed = {metric.name for metric in choose("all", samples, unfilled=NO_MODELS.unfilled).metrics}
    metrics = [name for name in FILTER_METRICS if name in allowed]
    tables = [score_samples(each, metrics=metrics, models=NO_MODELS) for each in (samples, after)] if changed else []
    of_cluster = clusters_of(samples)
    clusters = [of_cluster[sample.id] for sample in samples]
    changes = [_change(name, tables, clusters) for name in metrics] if changed else []
    return FilterCost(rule, changed, spans, tuple(changes))


def _change(name: str, tables: Sequence[ScoreTable], clusters: Sequence[str]) -> MetricChange:
    before, after = (table.values(name) for table in tables)
    difference, (low, high) = after - before, find_metric(name).range
    both = np.isfinite(difference)
    estimate = mean_interval(difference, clusters=clusters, within=(low - high, high - low))
    if not both.any():
        return MetricChange(name, math.nan, math.nan, estimate)
    return MetricChange(name, float(before[both].mean()), float(after[both].mean()), estimate)
