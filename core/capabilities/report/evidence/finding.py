"""Evidence on a finding, and the current labels of its samples."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hcat.core.capabilities.findings.view import SlicePassRate
from hcat.core.capabilities.report.evidence.excerpts import Judgement, excerpt, judgements
from hcat.core.capabilities.report.evidence.gather import labels_of_run
from hcat.core.estimates.prediction_powered import estimate_pass_rate
from hcat.core.figures.slice_scores import Outcome
from hcat.core.labelling.consensus import ConsensusLabels
from hcat.core.labelling.label_source import BY_PEOPLE
from hcat.core.types import Estimate, JsonValue, Sample
from hcat.core.view.tree import SampleExcerpt

MOST_SAMPLES = 200
"""Number of samples of one finding that a report quotes at most."""

Numbers = Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class FrozenNumbers:
    """The statistics of a slice as frozen in a finding; None for values that were not recorded."""

    mean: Estimate | None
    q: float | None
    difference: Estimate | None
    shrunken: Estimate | None
    tested: int | None


def frozen_numbers(statistics: Numbers) -> FrozenNumbers:
    """Frozen numbers from a finding's statistics; all None where it is of no slice."""
    family = statistics.get("family")
    tested = family.get("slices_tested") if isinstance(family, Mapping) else None
    q = _number(statistics, "q")
    return FrozenNumbers(
        mean=_estimate(statistics, "mean", "low", "high"),
        q=None if math.isnan(q) else q,
        difference=_estimate(statistics, "difference", "difference_low", "difference_high"),
        shrunken=_whole(_estimate(statistics, "shrunken", "selected_low", "selected_high")),
        tested=tested if isinstance(tested, int) else None,
    )


def slice_pass_rates(
    labels: Iterable[ConsensusLabels],
    sample_ids: Iterable[str],
    *,
    clusters: Mapping[str, str] | None,
    strata: Mapping[str, Mapping[str, str] | None],
    design: Mapping[str, float] | None = None,
) -> tuple[SlicePassRate, ...]:
    """The pass rate by labels in these samples and in the others, for each criterion with a label in them.

    Both are domains of the run, weighted by how samples were drawn. `strata` are by criterion.
    """
    chosen, rates = set(sample_ids), []
    for judged in labels:
        name = judged.criterion.name
        ids, run = labels_of_run(judged, clusters or {}, strata.get(name), design)
        inside = np.array([sample_id in chosen for sample_id in ids], dtype=np.bool_)
        if (run.labelled & inside).any():
            here, rest = (estimate_pass_rate(run.part(rows)).labels_only for rows in (inside, ~inside))
            by_people = any(label.source in BY_PEOPLE for label in judged.labels if label.sample_id in chosen)
            rates.append(SlicePassRate(name, here, rest, by_people))
    return tuple(rates)


def dots(scores: Mapping[str, float | None], judged: Mapping[str, Judgement]) -> tuple[tuple[float, Outcome], ...]:
    """The frozen scores with the outcome by people for each sample; unscored samples have no dot."""
    return tuple((score, _outcome(judged.get(name))) for name, score in scores.items() if score is not None)


def finding_samples(
    samples: Sequence[Sample],
    scores: Mapping[str, float | None],
    labels: Sequence[ConsensusLabels],
    *,
    title: str,
    lower_is_worse: bool,
) -> tuple[SampleExcerpt, ...]:
    """A finding's samples, at most `MOST_SAMPLES`: those that people failed first, then by score, the worst first."""
    by_id = {sample.id: sample for sample in samples}
    judged = [judgements(each) for each in labels]

    def urgency(sample_id: str) -> tuple[int, float]:
        said = [of_criterion[sample_id].passed for of_criterion in judged if sample_id in of_criterion]
        score = scores[sample_id]
        worst = math.inf if score is None else score if lower_is_worse else -score
        return (0 if False in said else 1 if not said or None in said else 2), worst

    chosen = sorted((sample_id for sample_id in scores if sample_id in by_id), key=urgency)[:MOST_SAMPLES]
    return tuple(
        excerpt(
            by_id[sample_id],
            facts={title: scores[sample_id]},
            labels=[of[sample_id].text for of in judged if sample_id in of] or ["No label"],
        )
        for sample_id in chosen
    )


def _outcome(judgement: Judgement | None) -> Outcome:
    if judgement is None or judgement.passed is None:
        return "no label"
    return "pass" if judgement.passed else "fail"


def _estimate(statistics: Numbers, value: str, low: str, high: str) -> Estimate | None:
    numbers = [_number(statistics, name) for name in (value, low, high, "n")]
    if math.isnan(numbers[0]) or math.isnan(numbers[3]):
        return None
    return Estimate(numbers[0], numbers[1], numbers[2], int(numbers[3]))


def _whole(estimate: Estimate | None) -> Estimate | None:
    """The estimate where its interval was recorded, else None."""
    return None if estimate is None or math.isnan(estimate.low + estimate.high) else estimate


def _number(statistics: Numbers, name: str) -> float:
    value = statistics.get(name)
    return float(value) if isinstance(value, int | float) else math.nan
