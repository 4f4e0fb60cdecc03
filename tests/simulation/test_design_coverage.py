"""Pass rates of a corpus from a test set that a design drew with unequal probabilities, by simulation."""

from __future__ import annotations

import os

import numpy as np
from scipy import stats

from hcat.core.capabilities.test_sets.design import draw
from hcat.core.estimates.labelled_run import LabelledRun, labelled_run
from hcat.core.estimates.prediction_powered import estimate_pass_rate
from tests.draws import fewer

DRAWS = int(os.environ.get("HCAT_DRAWS", fewer(400)))
TOPICS = 12
SIZES = np.array([20, 30, 40, 60, 80, 100, 150, 200, 300, 400, 600, 800])
RATES = 0.6 + 0.35 * np.arange(TOPICS)[::-1] / (TOPICS - 1)
"""Small topics pass more often, so that an unweighted rate of an equal design is too high."""
TOPIC = np.repeat(np.arange(TOPICS), SIZES)
NAMES = [f"{topic}-{k}" for topic, size in enumerate(SIZES.tolist()) for k in range(size)]
"""The passages of the corpus, and the topic of each."""


def corpus(rng: np.random.Generator) -> tuple[dict[str, tuple[str, ...]], dict[str, float], dict[str, float]]:
    """Passages by topic, whether the system passes each, and what a machine predicts for it."""
    passes = (rng.random(len(NAMES)) < RATES[TOPIC]).astype(float)
    predicted = np.clip(0.2 + 0.5 * passes + rng.normal(0, 0.2, len(NAMES)), 0.01, 0.99)
    strata = {name: (f"t{topic:02}",) for name, topic in zip(NAMES, TOPIC.tolist(), strict=True)}
    return strata, *(dict(zip(NAMES, values.tolist(), strict=True)) for values in (passes, predicted))


def one_run(rng: np.random.Generator, *, kind: str) -> tuple[LabelledRun, float]:
    strata, passes, predicted = corpus(rng)
    weights = {"t06": 4.0, "t02": 0.5} if kind == "weighted" else None
    design = draw(strata, 240, kind=kind, weights=weights, least=2, rng=rng)  # type: ignore[arg-type]
    ids = [unit.id for unit in design.units for _ in range(unit.cases)]
    probability = np.array([unit.probability for unit in design.units for _ in range(unit.cases)])
    labelled = rng.random(len(ids)) < 0.5
    y = np.array([passes[name] for name in ids])
    run = labelled_run(
        np.where(labelled, y, np.nan), [predicted[name] for name in ids], clusters=ids, design=1 / probability
    )
    return run, float(np.average(RATES, weights=SIZES))


def coverage(kind: str) -> dict[str, float]:
    rng = np.random.default_rng(14)
    hits = {"labels only": 0, "PPI++": 0, "unweighted": 0}
    for _ in range(DRAWS):
        run, rate = one_run(rng, kind=kind)
        found = estimate_pass_rate(run)
        plain = estimate_pass_rate(labelled_run(run.passed, run.prediction))
        for name, interval in (("labels only", found.labels_only), ("PPI++", found.ppi), ("unweighted", plain.ppi)):
            hits[name] += interval.low <= rate <= interval.high
    return {name: count / DRAWS for name, count in hits.items()}


def test_weighted_intervals_cover_and_unweighted_ones_do_not() -> None:
    low, high = stats.binom.interval(0.999, DRAWS, 0.95)
    for kind in ("equal", "weighted"):
        covered = coverage(kind)
        print(kind, covered)
        for name in ("labels only", "PPI++"):
            assert low / DRAWS - 0.005 <= covered[name] <= max(high / DRAWS, 0.99), (kind, covered)
        assert covered["unweighted"] < 0.8, (kind, covered)


def test_a_proportional_design_needs_no_weights() -> None:
    rng = np.random.default_rng(3)
    run, _ = one_run(rng, kind="proportional")
    assert run.design is not None
    strata, _, _ = corpus(rng)
    design = draw(strata, 400, least=0, rng=rng)
    assert not design.is_unequal
