"""Metrics by which the slices of a run can be compared, and the defaults of pages, commands and the report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from hcat.core.opened.run import Opened, RunColumns
from hcat.core.scoring.bare_texts import DATE, NUMBER
from hcat.core.slices.keys import CORRECTED, criterion_of, pass_rate_key
from hcat.core.slices.slices import input_dimensions
from hcat.core.slices.testable import by_testable_levels, testable_levels

if TYPE_CHECKING:
    from hcat.core.records.samples.columns import SampleColumns
    from hcat.core.types import Criterion

BY_NUMBERS = ("factual_numbers_recall", "factual_numbers_reference")
"""Metrics for references that are numbers: the share of these that an answer contains, and the share of the answer's
numbers that are right."""
BY_TEXT = ("answer_f1", "groundedness")
MOST_DIMENSIONS = 4
"""With more, the pairs of their levels become so many tests that little is shown."""


def slice_metrics(run: Opened) -> tuple[str, ...]:
    """Keys of the metrics by which slices can be compared. They are the corrected pass rate where there is a
    calibration, people's pass rate on each criterion with labels, and the metrics of the score table."""
    by_people = tuple(pass_rate_key(criterion.name) for criterion in run.criteria if run.labels(criterion).sample_ids)
    scores = run.columns.given_scores
    corrected = (CORRECTED,) if run.calibration is not None and scores is not None else ()
    return (*corrected, *by_people, *(() if scores is None else scores.metrics))


def slice_values(run: Opened, metric: str) -> pd.Series[float] | None:
    """A metric's scores, or of a pass rate by labels whether each sample passes (1 or 0), by sample id; None where the
    run has none of these."""
    if (name := criterion_of(metric)) is not None:
        on = next((criterion for criterion in run.criteria if criterion.name == name), None)
        if on is None or not (labels := run.labels(on)).sample_ids:
            return None
        passes = [float(level >= labels.criterion.passing) for level in labels.levels.tolist()]
        return pd.Series(passes, index=pd.Index(labels.sample_ids), dtype="float64")
    scores = run.columns.given_scores
    if scores is None or metric not in scores.metrics:
        return None
    return pd.Series(scores.values(metric), index=pd.Index(scores.sample_ids))


def most_labelled(run: Opened, among: Sequence[Criterion] | None = None) -> Criterion | None:
    """The criterion on which most samples have a label, of these or of all; None where none has."""
    criteria = run.criteria if among is None else among
    counts = {criterion.name: len(run.labels(criterion).sample_ids) for criterion in criteria}
    labelled = [criterion for criterion in criteria if counts[criterion.name]]
    return max(labelled, key=lambda criterion: counts[criterion.name]) if labelled else None


def default_metric(run: Opened, *, minimum_n: int = 10) -> str:
    """Default metric of pages, command line and report.

    People's verdicts, once their labels allow some slice to be tested. They are used with the calibration in force
    where it is of the same criterion, else by labels alone, on the criterion with most labels. Without that, the
    calibration in force if nothing speaks against it. Else a metric: of numbers where most references are numbers, then
    against the reference, then groundedness. NotFoundError where there are neither enough labels nor scores.
    """
    calibration = run.calibration
    allowed = [name for name in run.criteria if _allows_tests(run, name, minimum_n=minimum_n)]
    if calibration is not None and run.columns.given_scores is not None:
        by_labels = any(criterion.name == calibration.criterion for criterion in allowed)
        if by_labels or (not allowed and calibration.fit_for_use.value != "no"):
            return CORRECTED
    labelled = most_labelled(run, allowed)
    if labelled is not None:
        return pass_rate_key(labelled.name)
    return default_score(run.columns)


def default_score(columns: RunColumns) -> str:
    """The metric of the score table to begin with."""
    scores = columns.scores
    numbers = BY_NUMBERS if columns.has_samples and references_are_numbers(columns.sample_columns) else ()
    directed = [name for name in scores.metrics if scores.direction_of(name) != "none"]
    wanted = [name for name in (*numbers, *BY_TEXT, *directed) if name in scores.metrics]
    return next((name for name in wanted if scores.n_scored(name)), scores.metrics[0])


def references_are_numbers(columns: SampleColumns) -> bool:
    """Whether at least half of the references are a number, an amount or a date, and not a sentence."""
    counts = columns.levels("reference_kind").counts()
    return bool(counts) and 2 * (counts.get(NUMBER, 0) + counts.get(DATE, 0)) >= sum(counts.values())


def default_dimensions(run: Opened, metric: str, *, most: int = MOST_DIMENSIONS) -> list[str]:
    """The dimensions to begin with: of those that describe the input, the ones with most levels that this metric can
    test, in the order of the run."""
    names = input_dimensions(run.columns.dimensions)
    levels = dimension_levels(run, metric)
    chosen = set(by_testable_levels({name: levels[name] for name in names})[:most])
    return [name for name in names if name in chosen]


def default_dimension(run: Opened, criterion: Criterion) -> str | None:
    """The dimension of the input to begin with where one is looked at: that with most levels with enough labels."""
    names = input_dimensions(run.columns.dimensions)
    levels = dimension_levels(run.on(criterion), pass_rate_key(criterion.name))
    return next(iter(by_testable_levels({name: levels[name] for name in names})), None)


def dimension_levels(run: Opened, metric: str) -> dict[str, int]:
    """Number of levels of each dimension that can be tested by this metric; for a rate by labels, only samples with
    labels count."""
    dimensions, criterion = run.columns.dimensions, criterion_of(metric)
    if criterion is not None:
        values = _labelled(run, run.criterion(criterion))
    elif metric != CORRECTED:
        scores = run.columns.scores
        values = pd.Series(scores.values(metric), index=pd.Index(scores.sample_ids))
    else:
        values = pd.Series(1.0, index=dimensions.index)
    return testable_levels(dimensions, values, clusters=run.columns.cluster_codes)


def _allows_tests(run: Opened, criterion: Criterion, *, minimum_n: int) -> bool:
    dimensions = run.columns.dimensions
    if len(run.labels(criterion).sample_ids) < 2 * minimum_n:
        return False
    labelled, names = _labelled(run, criterion), input_dimensions(dimensions)
    clusters = run.columns.cluster_codes
    return any(testable_levels(dimensions[names], labelled, minimum_n=minimum_n, clusters=clusters).values())


def _labelled(run: Opened, criterion: Criterion) -> pd.Series[float]:
    """1 for each sample with a label."""
    return pd.Series(1.0, index=pd.Index(run.labels(criterion).sample_ids), dtype="float64")
