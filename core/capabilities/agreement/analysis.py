"""Results of an opened run by the labels of all annotators together, and of each alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hcat.core.calibration.calibrate import calibrate
from hcat.core.calibration.calibration import Calibration
from hcat.core.capabilities.agreement import summary
from hcat.core.capabilities.agreement.ratings import Ratings, ratings
from hcat.core.capabilities.agreement.summary import Agreement
from hcat.core.errors import HcatError
from hcat.core.estimates.prediction_powered import PassRateEstimates, estimate_pass_rate
from hcat.core.estimates.run_estimates import prepare_run
from hcat.core.labelling.consensus import resolve_labels
from hcat.core.labelling.label_source import BY_PEOPLE
from hcat.core.opened.run import Opened
from hcat.core.types import Criterion, Label


@dataclass(frozen=True, slots=True)
class Policy:
    """Estimates and calibration of a run by the labels of one annotator alone, or by the consensus of all.

    `annotator` is None for the consensus. `calibration` is None where labels do not suffice: `missing` says why.
    """

    annotator: str | None
    labels: int
    estimates: PassRateEstimates
    calibration: Calibration | None
    missing: str = ""


def annotator_ratings(run: Opened, criterion: Criterion) -> Ratings:
    """The table of the labels that people gave for themselves, which knows their clusters."""
    return ratings(run.labels(criterion).labels, criterion=criterion, test_cases=run.columns.shared_clusters)


def agreement(run: Opened, criterion: Criterion, *, seed: int = 7) -> Agreement:
    """Agreement between the annotators of the run."""
    return summary.agreement(annotator_ratings(run, criterion), criterion=criterion, rng=np.random.default_rng(seed))


def policies(
    run: Opened, criterion: Criterion, *, metrics: Sequence[str], method: str = "logistic", alpha: float = 0.1
) -> tuple[Policy, ...]:
    """The pass rate and the calibration by the consensus of people, and then by each annotator's labels alone.

    Each annotator's labels keep the probabilities with which their samples were drawn.
    """
    labels = run.labels(criterion).labels
    people = tuple(label for label in labels if label.source in BY_PEOPLE) or tuple(
        label for label in labels if label.source == "rule"
    )
    alone: dict[str, list[Label]] = {}
    for label in people:
        if label.source == "person":
            alone.setdefault(label.annotator, []).append(label)
    return (
        _policy(run, criterion, people, None, metrics, method, alpha),
        *(_policy(run, criterion, alone[name], name, metrics, method, alpha) for name in sorted(alone)),
    )


def _policy(
    run: Opened,
    criterion: Criterion,
    labels: Sequence[Label],
    annotator: str | None,
    metrics: Sequence[str],
    method: str,
    alpha: float,
) -> Policy:
    columns, judged = run.columns, resolve_labels(labels, criterion)
    prepared = prepare_run(
        judged,
        columns.scores,
        criterion=criterion,
        metrics=metrics,
        method=method,
        strata=run.strata(criterion),
        clusters=columns.shared_clusters,
        design=columns.design_weights,
    )
    estimates = estimate_pass_rate(prepared.run, note=prepared.note)
    try:
        fitted = calibrate(
            judged,
            columns.scores,
            criterion=criterion,
            metrics=metrics,
            method=method,
            alpha=alpha,
            test_cases=columns.clusters,
        )
    except HcatError as error:
        return Policy(annotator, len(labels), estimates, None, str(error))
    return Policy(annotator, len(labels), estimates, fitted)
