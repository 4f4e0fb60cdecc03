"""Trials of the verdicts on metrics, on what labels are drawn from, and on findings that fresh labels confirm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from benchmarks.battery.nulls import Drawn, Null
from benchmarks.battery.trial import Trial
from hcat.core.arrays import Floats
from hcat.core.calibration.calibrate import calibrate
from hcat.core.calibration.checks.comparison import BEATS_A_CONSTANT, compare_methods
from hcat.core.calibration.checks.discrimination import discrimination_of_score
from hcat.core.calibration.checks.evidence import ABOVE_CHANCE, BELOW_CHANCE, Discrimination
from hcat.core.calibration.checks.exchangeability import UNLIKE_THE_RUN, Features, check_exchangeability
from hcat.core.calibration.checks.fitness import FIT_FOR_USE, NOT_FIT_FOR_USE
from hcat.core.calibration.dataset import join_scores
from hcat.core.errors import HcatError
from hcat.core.estimates.fresh_labels import CONFIRMED, CONFIRMED_BY_FRESH_LABELS, FreshLabels, compare_fresh
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, Label

CRITERION = Criterion("c")
METRICS = ("groundedness", "completeness", "context_relevancy")
LABELS = 160
LOOKS = (40, 80, 160)
SIDE_OF_SCORES = "scores have no two sides"
FEW_LABELS = "nothing is said of fewer than 20 units"


@dataclass(frozen=True)
class Labelled:
    """Labels that have nothing to do with the scores of three metrics, or follow the first of them."""

    labels: tuple[Label, ...]
    scores: ScoreTable
    cases: dict[str, str] | None


def labelled(null: Null, rng: np.random.Generator, *, follow: bool = False) -> Labelled:
    """Scores are drawn as the null's values are; labels fail as often as it says."""
    drawn = null.draw_passes(rng, LABELS)
    columns = {name: _scores(null, drawn, rng) for name in METRICS}
    passed = drawn.values
    if follow:
        place = np.argsort(np.argsort(columns[METRICS[0]] + 1e-9 * rng.random(len(drawn))))
        noisy = place / len(drawn) + rng.normal(0, 0.25, len(drawn))
        passed = (noisy > np.quantile(noisy, max(null.failures, 0.15))).astype(np.float64)
    ids = [f"s{k}" for k in range(len(drawn))]
    probability = np.ones(len(drawn)) if drawn.weights is None else 1 / drawn.weights
    labels = tuple(
        Label(name, "c", int(level), probability=float(chance))
        for name, level, chance in zip(ids, passed.tolist(), probability.tolist(), strict=True)
    )
    frame = pd.DataFrame(columns, index=pd.Index(ids, name="sample_id", dtype="str"))
    cases = None if drawn.clusters is None else dict(zip(ids, map(str, drawn.clusters.tolist()), strict=True))
    return Labelled(labels, ScoreTable(frame, Provenance("0", "r", METRICS)), cases)


def _scores(null: Null, drawn: Drawn, rng: np.random.Generator) -> Floats:
    values = null.make(rng, len(drawn))
    if drawn.clusters is None:
        return values
    first = np.unique(drawn.clusters, return_index=True)[1]
    return np.where(rng.random(len(values)) < 0.5, values[first][drawn.clusters], values)


def is_called(value: str, made: Labelled, names: tuple[str, ...]) -> bool:
    """Whether any of these metrics is ever called so, at looks as labels come in."""
    return any(_verdict(made, n, name) == value for n in LOOKS if n <= len(made.labels) for name in names)


def _verdict(made: Labelled, n: int, name: str) -> str:
    asked = {"criterion": CRITERION, "metrics": [name], "test_cases": made.cases, "replicates": 0, "repeats": 10}
    try:
        return calibrate(made.labels[:n], made.scores, **asked).fit_for_use.value  # type: ignore[arg-type]
    except HcatError:  # too few labels of a kind
        return ""


def fit(null: Null, rng: np.random.Generator) -> bool:
    """A useless metric is called fit for use at one of three looks."""
    return is_called("yes", labelled(null, rng), METRICS[:1])


def not_fit(null: Null, rng: np.random.Generator) -> bool:
    """A metric that labels follow is called not fit at one of three looks."""
    return is_called("no", labelled(null, rng, follow=True), METRICS[:1])


def _looks(null: Null, rng: np.random.Generator) -> list[Discrimination]:
    made, found = labelled(null, rng), []
    for n in range(20, len(made.labels) + 1, 20):
        for name in METRICS:
            data = join_scores(
                made.labels[:n], made.scores, criterion=CRITERION, metrics=(name,), test_cases=made.cases
            )
            found.append(discrimination_of_score(made.scores, data, "higher", metrics=(name,), level=0.95))
    return found


def above_chance(null: Null, rng: np.random.Generator) -> bool:
    """One of three useless metrics is above chance at one of eight looks."""
    return any(one.shown for one in _looks(null, rng))


def below_chance(null: Null, rng: np.random.Generator) -> bool:
    """One of three useless metrics is below chance at one of eight looks."""
    return any(one.is_backwards for one in _looks(null, rng))


def unlike_the_run(null: Null, rng: np.random.Generator) -> bool:
    """Labels drawn from the run are said to differ from it at one of three looks."""
    drawn = null.draw(rng, 240)
    table = np.column_stack([drawn.values, _scores(null, drawn, rng), _scores(null, drawn, rng)])
    features = Features(("a", "b", "c"), table)
    codes = np.unique(drawn.units, return_inverse=True)[1]
    chance = np.full(len(drawn), 0.5) if drawn.weights is None else np.clip(0.05 * drawn.weights, 0.1, 0.9)
    order = rng.random(int(codes.max()) + 1)[codes]
    for share in (0.4, 0.7, 1.0):
        chosen = order < share * chance
        weights = None if drawn.weights is None else 1 / chance
        asked = {"weights": weights, "clusters": codes, "generator": rng, "draws": 99}
        if check_exchangeability(features, chosen, **asked).verdict == "violated":  # type: ignore[arg-type]
            return True
    return False


def beats_a_constant(null: Null, rng: np.random.Generator) -> bool:
    """One of three useless metrics, or a map of all, is shown to beat a constant."""
    made = labelled(null, rng)
    asked = {"criterion": CRITERION, "metrics": METRICS, "test_cases": made.cases, "splits": ("fit", "conformal")}
    try:
        compared = compare_methods(made.labels, made.scores, methods=("logistic", "isotonic"), repeats=1, **asked)  # type: ignore[arg-type]
    except HcatError:  # a fold without a pass or a fail
        return False
    return any(one.beats_base_rate for one in compared.candidates)


def confirmed(null: Null, rng: np.random.Generator) -> bool:
    """A finding whose samples are no worse is confirmed in one of two rounds."""
    drawn = null.draw_passes(rng, 240)
    passed = drawn.with_side(np.arange(len(drawn)) % 4 < 2) >= 0.5 if drawn.has_constant_side else drawn.values > 0
    inside = np.arange(len(drawn)) % 2 == 0 if drawn.clusters is None else rng.random(drawn.clusters.max() + 1) < 0.5
    inside = inside if drawn.clusters is None else inside[drawn.clusters]
    names = drawn.units.astype(np.str_)
    for number, n in ((1, len(drawn) // 2), (2, len(drawn))):
        labels = FreshLabels(passed[:n], inside[:n], names[:n], round=number)
        if compare_fresh(labels).verdict == CONFIRMED:
            return True
    return False


TRIALS = (
    Trial(FIT_FOR_USE, fit, skips={"constant side": SIDE_OF_SCORES, "few units": FEW_LABELS}, thin=6),
    Trial(
        NOT_FIT_FOR_USE,
        not_fit,
        skips={
            "constant side": SIDE_OF_SCORES,
            "few units": FEW_LABELS,
            "zero-inflated": "scores that are nearly all equal can't be useful",
            "clustered": "scores that are nearly all equal can't be useful",
            "weighted": "scores that are nearly all equal can't be useful",
            "rare": "scores that are nearly all equal can't be useful",
            "ties": "scores that are nearly all equal can't be useful",
        },
        thin=10,
    ),
    Trial(ABOVE_CHANCE, above_chance, skips={"constant side": SIDE_OF_SCORES}, thin=10),
    Trial(BELOW_CHANCE, below_chance, skips={"constant side": SIDE_OF_SCORES}, thin=10),
    Trial(UNLIKE_THE_RUN, unlike_the_run, skips={"constant side": SIDE_OF_SCORES, "few units": FEW_LABELS}, thin=10),
    Trial(BEATS_A_CONSTANT, beats_a_constant, skips={"constant side": SIDE_OF_SCORES}, thin=10),
    Trial(CONFIRMED_BY_FRESH_LABELS, confirmed, skips={"weighted": "fresh labels are drawn without weights"}, thin=40),
)
