"""Intervals of judges: the gain of a rubric on held-out answers, shifts of scores by changed answers, pairs."""

from __future__ import annotations

import os

import numpy as np
import pytest
from scipy import stats

from hcat.core.arrays import Floats
from hcat.core.capabilities.judges.against_people import kappa_gain
from hcat.core.capabilities.judges.manipulations import score_shift
from hcat.core.capabilities.judges.pairs import POSITION, VERBOSITY, PairBias, PairVerdict, pair_biases
from hcat.core.capabilities.judges.rubric import Rubric, RubricCriterion
from hcat.core.capabilities.judges.self_preference import AnswersOfModel, SelfPreference, self_preferences
from hcat.core.capabilities.judges.verdict import JudgeVerdict
from hcat.core.types import Criterion, Estimate, Label, Sample, Score
from tests.draws import fewer
from tests.grids import each_value_once

DRAWS = int(os.environ.get("HCAT_DRAWS", fewer(60)))
"""1000 in `make simulate`."""
RUBRIC = Rubric("r", "You judge.", (RubricCriterion("c", "C", "Is it good?", ("1", "2", "3", "4", "5")),))


def lowest(level: float = 0.93) -> float:
    return float(stats.binom.ppf(0.0005, DRAWS, level)) / DRAWS


def verdicts(passes: float, right: tuple[float, float], alike: float) -> Floats:
    """Probabilities by people, first judge, second judge: each is right so often, and so often on the same answers."""
    cube = np.zeros((2, 2, 2))
    for truth, share in ((0, 1 - passes), (1, passes)):
        a, b = (rate if truth else 1 - rate for rate in right)
        together = np.array([[1 - max(a, b), max(b - a, 0)], [max(a - b, 0), min(a, b)]])
        cube[truth] = share * (alike * together + (1 - alike) * np.outer([1 - a, a], [1 - b, b]))
    return cube


def kappa(table: Floats) -> float:
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    return float(1 - (table[0, 1] + table[1, 0]) / (rows[0] * columns[1] + rows[1] * columns[0]))


@pytest.mark.parametrize(
    ("passes", "right", "alike", "n"),
    each_value_once(
        [(0.5, (0.8, 0.8), 0.8), (0.5, (0.9, 0.9), 0.0), (0.8, (0.7, 0.9), 0.5), (0.9, (0.8, 0.8), 0.0)], [20, 50, 150]
    ),
)
def test_the_gain_of_a_rubric_is_covered_and_seldom_shown_where_there_is_none(
    passes: float, right: tuple[float, float], alike: float, n: int
) -> None:
    rng = np.random.default_rng(43)
    cells = verdicts(passes, right, alike)
    truth = kappa(cells.sum(axis=1)) - kappa(cells.sum(axis=2))
    covered, shown = 0, 0
    for _ in range(DRAWS):
        drawn = rng.choice(8, size=n, p=cells.ravel())
        gain = kappa_gain(
            (drawn // 2 % 2 > 0).tolist(),
            (drawn % 2 > 0).tolist(),
            (drawn // 4 > 0).tolist(),
            rng=rng,
            replicates=200,
        )
        covered += not gain.gain.low > truth and not gain.gain.high < truth
        shown += gain.is_shown
    assert covered / DRAWS >= lowest()
    if abs(truth) < 1e-9:
        assert shown / DRAWS <= stats.binom.ppf(0.9995, DRAWS, 0.025) / DRAWS


SCORES = np.array([0.1, 0.1, 0.1, 0.2, 0.5])
STEPS = np.array([-1, 0, 1])


def shifted(rng: np.random.Generator, n: int, chances: list[float]) -> tuple[Floats, Floats]:
    """Scores from 1 to 5, most of them high, before and after a change that moves some by a point."""
    before: Floats = rng.choice(5, size=n, p=SCORES).astype(np.float64) + 1
    after: Floats = np.clip(before + rng.choice(STEPS, size=n, p=chances), 1, 5).astype(np.float64)
    return before, after


@pytest.mark.parametrize(
    ("chances", "n", "size"),
    each_value_once([[0.0, 1.0, 0.0], [0.1, 0.8, 0.1], [0.05, 0.65, 0.3], [0.0, 0.1, 0.9]], [12, 30, 80], [1, 3]),
)
def test_shifts_of_scores_and_of_the_pass_rate_are_covered(chances: list[float], n: int, size: int) -> None:
    rng = np.random.default_rng(47)
    before, after = shifted(rng, 400_000, chances)
    truth = (float((after - before).mean()), float((after >= 4).mean() - (before >= 4).mean()))
    cluster = np.arange(n) // size
    covered, flagged = np.zeros(2), 0
    for _ in range(DRAWS):
        own, shared = shifted(rng, n, chances), shifted(rng, n, chances)
        copied = (rng.random(n) < 0.6) & (size > 1)
        a, b = (np.where(copied, other[cluster], mine) for mine, other in zip(own, shared, strict=True))
        scored, rescored = ({str(i): Score(float(value)) for i, value in enumerate(values)} for values in (a, b))
        names = {str(i): str(group) for i, group in enumerate(cluster)}
        shift = score_shift("verbosity", "c", scored, rescored, names, within=(1.0, 5.0), passing=4)
        for place, (made, value) in enumerate(zip((shift.shift, shift.pass_rate), truth, strict=True)):
            covered[place] += made.low - 1e-3 <= value <= made.high + 1e-3
        flagged += shift.p <= 0.05
    assert (covered / DRAWS >= lowest()).all()
    if chances[0] == chances[2] == 0:
        assert flagged == 0


@pytest.mark.parametrize(
    ("right", "slot", "n"), each_value_once([(0.65, 0.0), (0.65, 0.15), (0.95, 0.02), (0.33, 0.3)], [12, 80])
)
def test_rates_and_biases_on_pairs_are_covered(right: float, slot: float, n: int) -> None:
    rng = np.random.default_rng(53)
    [truth] = pair_biases(pairs(rng, 8_000, right, slot))
    wanted = [estimate.value for estimate in estimates(truth)]
    covered = np.zeros(len(wanted))
    flagged = 0
    for _ in range(DRAWS):
        [made] = pair_biases(pairs(rng, n, right, slot))
        bounds = np.array([(each.low, each.high) for each in estimates(made)])
        covered += (bounds[:, 0] - 0.01 <= wanted) & (wanted <= bounds[:, 1] + 0.01)  # as the truth itself is drawn
        flagged += made.effect(VERBOSITY).p <= 0.05
    assert (covered / DRAWS >= lowest(0.92)).all()
    assert flagged / DRAWS <= stats.binom.ppf(0.9995, DRAWS, 0.06) / DRAWS  # length plays no part


def estimates(bias: PairBias) -> list[Estimate]:
    rates = (bias.accuracy, bias.consistent, bias.first_slot, bias.accuracy_if_first, bias.accuracy_if_second)
    return [*rates, bias.effect(POSITION).effect, bias.effect(VERBOSITY).effect]


def pairs(rng: np.random.Generator, n: int, right: float, slot: float) -> list[PairVerdict]:
    """Pairs that differ in how hard they are; whatever stands first is preferred `slot` more often."""
    a_is_right, longer = rng.random(n) < 0.5, np.where(rng.random(n) < 0.5, 1.0, -1.0)
    chance = rng.beta(4 * right, 4 * (1 - right), n)
    prefers_a = np.where(a_is_right, chance, 1 - chance)
    first, second = (rng.random(n) < np.clip(prefers_a + moved, 0, 1) for moved in (slot, -slot))
    return [
        PairVerdict(
            str(i),
            "judge",
            "A" if first[i] else "B",
            "A" if second[i] else "B",
            "A" if a_is_right[i] else "B",
            length_a=100 + float(longer[i]),
            length_b=100.0,
        )
        for i in range(n)
    ]


@pytest.mark.parametrize(("size", "bias"), [(1, 0.0), (3, 0.3)])
def test_self_preference_is_covered_and_better_answers_are_none(size: int, bias: float) -> None:
    """The own family is right more often, and harder questions have lower scores; `size` questions are of one case."""
    rng, covered, flagged = np.random.default_rng(71), np.zeros(2), 0
    truth = [each.value for each in _estimates(_preference(rng, 6_000, size, bias))] if bias else [0.0, 0.0]
    for _ in range(DRAWS):
        found = _preference(rng, 60, size, bias)
        for place, estimate in enumerate(_estimates(found)):
            covered[place] += estimate.low - 0.02 <= truth[place] <= estimate.high + 0.02  # as the truth is drawn
        flagged += found.p <= 0.05
    assert (covered / DRAWS >= lowest()).all()
    if not bias:
        assert flagged / DRAWS <= stats.binom.ppf(0.9995, DRAWS, 0.05) / DRAWS


def _estimates(found: SelfPreference) -> tuple[Estimate, Estimate]:
    return found.shift, found.pass_rate


def _preference(rng: np.random.Generator, n: int, size: int, bias: float) -> SelfPreference:
    case = np.arange(n) // size
    hard = rng.random(n // size)[case]
    sides = []
    for is_own, share in ((True, 0.9), (False, 0.6)):
        level = (rng.random(n) < share - 0.4 * hard).astype(int)
        exact = 2 + 2 * level - hard + rng.normal(size=n) + 1.5 * bias * is_own * rng.normal(1, 1, n // size)[case]
        score = np.clip(np.rint(exact), 1, 5).astype(int)
        sides.append(
            AnswersOfModel(
                [Sample(str(q), f"q{q}", "a", test_case=str(case[q])) for q in range(n)],
                [JudgeVerdict(str(q), "c", 0, int(score[q]), "") for q in range(n)],
                [Label(str(q), "correctness", int(level[q]), "ann") for q in range(n)],
                is_own,
            )
        )
    [found] = self_preferences(sides, RUBRIC, Criterion("correctness"))
    return found
