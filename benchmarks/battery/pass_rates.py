"""Verdicts on pass rates, where the true rate is exactly the target, or that of both runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from benchmarks.battery.nulls import Null
from benchmarks.battery.trial import Trial
from hcat.core.arrays import Floats
from hcat.core.capabilities.agreement.leniency import TARGET, conclusion
from hcat.core.capabilities.report.planned import THRESHOLD, outcome_of
from hcat.core.estimates.labelled_run import LabelledRun
from hcat.core.estimates.paired_difference import DIFFERENCE, estimate_difference
from hcat.core.estimates.prediction_powered import estimate_pass_rate

SAMPLES = 240
ONE_RATE = {"constant side": "a single rate has no second side"}


def drawn_run(null: Null, rng: np.random.Generator, *, share: float = 0.5) -> tuple[LabelledRun, float]:
    """A run of which a share is labelled, predictions that go with its outcomes, and the true rate."""
    drawn = null.draw_passes(rng, SAMPLES)
    prediction = np.clip(0.25 + 0.5 * drawn.values + rng.normal(0, 0.2, len(drawn)), 0, 1)
    known = np.arange(len(drawn)) < (share if not null.few else 1.0) * len(drawn)
    passed: Floats = np.where(known, drawn.values, np.nan)
    return LabelledRun(passed, prediction, drawn.weights, clusters=drawn.units), drawn.mean


def wrong_target(null: Null, rng: np.random.Generator) -> bool:
    """Whether the target, which is the true rate, is shown or refuted."""
    run, rate = drawn_run(null, rng)
    return conclusion(estimate_pass_rate(run).ppi, rate) in TARGET.words


def wrong_threshold(null: Null, rng: np.random.Generator) -> bool:
    """The same of a planned threshold, by labels alone."""
    run, rate = drawn_run(null, rng)
    return outcome_of(estimate_pass_rate(run).labels_only, rate) in THRESHOLD.words


def wrong_difference(null: Null, rng: np.random.Generator) -> bool:
    """Whether two runs of one rate, on the same cases, are said to differ."""
    (first, _), (second, _) = drawn_run(null, rng), drawn_run(null, rng)
    if null.clustered:  # each run has clusters of its own, so that nothing is paired
        second = replace(second, clusters=second.keys.astype(np.intp) + SAMPLES)
    if null.constant_side:
        first = replace(first, passed=np.where(first.labelled, 1.0, np.nan))
        second = replace(second, passed=np.where(second.labelled, 1.0, np.nan))
    found = estimate_difference(first, second).ppi
    return found.low > 0 or found.high < 0


TRIALS = (
    Trial(THRESHOLD, wrong_threshold, skips=ONE_RATE),
    Trial(TARGET, wrong_target, skips=ONE_RATE),
    Trial(DIFFERENCE, wrong_difference),
)
