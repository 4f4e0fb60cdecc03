"""How far a metric stands in for people, in one sentence for screen, command and report."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from core.analysis.fitness import FIT, NEVER, NOT_FIT, NOT_SHOWN_FIT, MetricFitness
from core.display.numbers import counted, format_estimate
from core.weakness.keys import CORRECTED
from core.wording.slice_metrics import slice_metric_title

MOST_NAMED = 3


def fitness_sentence(fitness: MetricFitness) -> str:
    """The verdict with its AUC and labels, and what it means for slices that score lower."""
    if fitness.metric == CORRECTED:
        return _of_calibration(fitness)
    title = slice_metric_title(fitness.metric)
    if fitness.verdict == NEVER:
        return f"{title} was never compared with people on this run: a lower score does not say that answers are worse."
    if fitness.verdict == FIT:
        return f"{title} is fit for use on {fitness.criterion}: {_measured(fitness)}."
    verdict = "not fit for use" if fitness.verdict == NOT_FIT else "not shown to be fit for use"
    return (
        f"{title} is {verdict} on {fitness.criterion}: {_measured(fitness)}. A lower score does not say that people "
        "pass fewer answers."
    )


def fitness_sentences(several: Sequence[MetricFitness]) -> list[str]:
    """One each, or of many how many have which verdict."""
    if len(several) <= MOST_NAMED:
        return [fitness_sentence(fitness) for fitness in several]
    counts = Counter(fitness.verdict for fitness in several)
    by_verdict = [f"{counts[verdict]} {verdict}" for verdict in (FIT, NOT_SHOWN_FIT, NOT_FIT, NEVER) if counts[verdict]]
    return [f"Of {len(several)} metrics, {', '.join(by_verdict)}. Only by labels is a slice called weak."]


def _of_calibration(fitness: MetricFitness) -> str:
    return (
        f"The calibration behind the corrected pass rate is {fitness.verdict} on {fitness.criterion}: "
        f"{_measured(fitness)}. Slices with labels enough of their own do not depend on that."
    )


def _measured(fitness: MetricFitness) -> str:
    if math.isnan(fitness.auc.value):
        return f"{_labels(fitness)}, too few to measure how it tells passes from fails"
    return f"AUC {format_estimate(fitness.auc)} ({_labels(fitness)}; 0.5 is chance)"


def _labels(fitness: MetricFitness) -> str:
    if not fitness.by_people and fitness.labels:
        return f"{counted(fitness.labels, 'label')} of a reference rule, none of people"
    rule = fitness.labels - fitness.by_people
    return counted(fitness.labels, "label") + (f", {rule} of a reference rule" if rule else "")
