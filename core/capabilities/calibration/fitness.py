"""The fitness of a metric as a proxy for people's labels on a criterion of this run, to be reported with the metric."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.checks.fitness import Answer
from hcat.core.capabilities.calibration import calibrate as calibrating
from hcat.core.capabilities.calibration.wording.verdict import verdict_reason_of
from hcat.core.capabilities.weaknesses.slice_metrics import most_labelled
from hcat.core.errors import NoMaximumError, NotEnoughLabelsError
from hcat.core.labelling.label_source import BY_PEOPLE
from hcat.core.opened.run import Opened
from hcat.core.slices.keys import CORRECTED, criterion_of
from hcat.core.types import Criterion, Estimate

FIT, NOT_SHOWN_FIT, NOT_FIT, NEVER = "fit for use", "not shown to be fit", "not fit", "never compared with people"
UNKNOWN = Estimate(math.nan, math.nan, math.nan, 0)
_WORDS: dict[Answer, str] = {"yes": FIT, "not shown": NOT_SHOWN_FIT, "no": NOT_FIT}


@dataclass(frozen=True, slots=True)
class MetricFitness:
    """The verdict on a metric, a key of `slice_metrics`, for a criterion, with its reason.

    `auc` measures how well it separates what people pass from what they fail, NaN where that can't be measured;
    `auc_tested` is that with the interval at the level of the verdict's test. `labels` counts the samples with a label,
    `by_people` those that a person labelled.
    """

    metric: str
    verdict: str
    criterion: str = ""
    reason: str = ""
    auc: Estimate = UNKNOWN
    auc_tested: Estimate = UNKNOWN
    labels: int = 0
    by_people: int = 0


def fitness_beside(run: Opened, metric: str) -> MetricFitness | None:
    """The fitness of a metric to report with its slices, on the criterion with most labels. For the corrected pass rate
    it is that of the calibration, on its criterion. None for the pass rate by labels, which is what people say."""
    if criterion_of(metric) is not None:
        return None
    if metric == CORRECTED:
        if (calibration := run.calibration) is None:
            return None
        on = next((criterion for criterion in run.criteria if criterion.name == calibration.criterion), None)
        return _of_calibration(run, on, calibration, metric)
    criterion = most_labelled(run)
    return MetricFitness(metric, NEVER) if criterion is None else metric_fitness(run, criterion, metric)


def metric_fitness(run: Opened, criterion: Criterion, metric: str) -> MetricFitness:
    """The verdict that the Calibration page gives on this metric alone, calibrated by logistic regression.

    Tries and looks are paid for as there (docs/decisions/0009-fit-for-use.md): asking for all metrics costs nothing.
    """
    if not run.labels(criterion).sample_ids:
        return MetricFitness(metric, NEVER, criterion.name)
    try:
        fitted = calibrating.calibrate(run, criterion, metrics=(metric,), replicates=0)
    except (NotEnoughLabelsError, NoMaximumError) as error:
        counts = _counts(run, criterion)
        return MetricFitness(metric, NOT_SHOWN_FIT, criterion.name, f"{error}.", labels=counts[0], by_people=counts[1])
    return _of_calibration(run, criterion, fitted, metric)


def fitness_of_all(run: Opened, criterion: Criterion, metrics: Sequence[str] | None = None) -> list[MetricFitness]:
    """The verdict on each of these metrics alone, by default on all that are scored, in their order."""
    names = run.columns.scores.metrics if metrics is None else metrics
    return [metric_fitness(run, criterion, name) for name in names]


def _of_calibration(run: Opened, criterion: Criterion | None, fitted: Calibration, metric: str) -> MetricFitness:
    tells = None if fitted.evidence is None else fitted.evidence.discrimination
    labels, by_people = (0, 0) if criterion is None else _counts(run, criterion)
    return MetricFitness(
        metric,
        _WORDS[fitted.fit_for_use.value],
        fitted.criterion,
        verdict_reason_of(fitted),
        UNKNOWN if tells is None else tells.auc,
        UNKNOWN if tells is None else tells.auc_tested or tells.auc,
        labels,
        by_people,
    )


def _counts(run: Opened, criterion: Criterion) -> tuple[int, int]:
    """Samples with a label, and those among them that a person labelled."""
    labels = run.labels(criterion)
    by_people = {label.sample_id for label in labels.labels if label.source in BY_PEOPLE}
    return len(labels.sample_ids), len(by_people & set(labels.sample_ids))
