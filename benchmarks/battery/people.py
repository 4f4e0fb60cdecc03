"""Verdicts on annotators, judges, attacks and wordings of questions, where nobody and nothing differs."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import numpy as np

from benchmarks.battery.nulls import DISCRETE, TIES, WITHIN_CLUSTERS, Drawn, Null
from benchmarks.battery.trial import Trial
from hcat.core.arrays import Bools, Floats
from hcat.core.capabilities.agreement.drift import DRIFT, drifts
from hcat.core.capabilities.agreement.leniency import LENIENCY, leniencies
from hcat.core.capabilities.agreement.ratings import Ratings
from hcat.core.capabilities.attacks.analysis import family_verdicts
from hcat.core.capabilities.attacks.results import ATTACK
from hcat.core.capabilities.attacks.success import AttackOutcomes, attack_success
from hcat.core.capabilities.grammar.answers import GroupedAnswers
from hcat.core.capabilities.grammar.differences import GRAMMAR_DIFFERENCE, compare_groups
from hcat.core.capabilities.judges.against_people import BEYOND_CHANCE, RUBRIC_GAIN, judge_agreement, kappa_gain
from hcat.core.capabilities.judges.pairs import PAIR_BIAS, Choice, PairVerdict, pair_biases
from hcat.core.capabilities.judges.rubric import RubricCriterion
from hcat.core.types import Criterion, Label, Score

PEOPLE = Criterion("correctness")
RUBRIC = RubricCriterion("c", "C", "Is it right?", ("1", "2"), passing=2)
START = datetime(2025, 1, 1, tzinfo=UTC)
REPLICATES = 400


def hits(rng: np.random.Generator, drawn: Drawn, rate: float) -> Bools:
    """Hits (n,) of this rate, which within a cluster repeat the first as often as the values of the null do."""
    own = rng.random(len(drawn)) < rate
    if drawn.clusters is None:
        return own
    first = np.unique(drawn.clusters, return_index=True)[1]
    return np.where(rng.random(len(drawn)) < math.sqrt(WITHIN_CLUSTERS), own[first][drawn.clusters], own)


def quiet(drawn: Drawn) -> Bools:
    """The half of a null with a constant side in which all are alike (n,)."""
    return drawn.has_constant_side & (np.arange(len(drawn)) < len(drawn) // 2)


def a_bias_on_pairs(null: Null, rng: np.random.Generator) -> bool:
    """Two judges that err at random in either order; the longer and the own answer are right in 7 of 10 pairs."""
    drawn = null.draw_passes(rng, 80)
    ties = {DISCRETE.name: 0.3, TIES.name: 0.8}.get(null.name, 0.0)
    side = rng.random(len(drawn)) < 0.7
    verdicts = []
    for judge in ("one", "other"):
        wrong = [hits(rng, drawn, null.failures) & ~quiet(drawn) for _ in range(2)]
        wrong[1] = np.where(rng.random(len(drawn)) < 0.6, wrong[0], wrong[1])
        tied = rng.random((2, len(drawn))) < ties
        right_a = rng.random(len(drawn)) < 0.5
        for k, cluster in enumerate(drawn.units.tolist()):
            said: list[Choice] = ["tie" if tied[o, k] else "B" if wrong[o][k] == right_a[k] else "A" for o in (0, 1)]
            a_is_long = bool(side[k] == right_a[k])
            verdicts.append(
                PairVerdict(
                    *(str(k), judge, said[0], said[1], "A" if right_a[k] else "B"),
                    *(2.0 if a_is_long else 1.0, 1.0 if a_is_long else 2.0),
                    *(("own", "else") if a_is_long else ("else", "own")),
                    "" if drawn.clusters is None else f"c{cluster}",
                )
            )
    biases = pair_biases(verdicts, own={"one": "own", "other": "own"})
    return any(effect.is_flagged for bias in biases for effect in bias.effects)


def _team(null: Null, rng: np.random.Generator, annotators: int, n: int) -> tuple[Drawn, Floats]:
    """Passes (n, annotators) by a team that judges alike: each repeats what is right in 7 of 10 answers."""
    drawn = null.draw_passes(rng, n)
    right, rate = drawn.values == 1, 1 - null.failures
    columns = [np.where(hits(rng, drawn, 0.7) | quiet(drawn), right, hits(rng, drawn, rate)) for _ in range(annotators)]
    return drawn, np.column_stack(columns).astype(np.float64)


def a_lenient_or_strict_one(null: Null, rng: np.random.Generator) -> bool:
    """Six annotators who judge alike, of whom each labels two thirds of 60 answers."""
    drawn, levels = _team(null, rng, 6, 60)
    levels[rng.random(levels.shape) < 1 / 3] = np.nan
    cases = None if drawn.clusters is None else tuple(f"c{code}" for code in drawn.clusters.tolist())
    table = Ratings(tuple(map(str, range(len(drawn)))), tuple("abcdef"), levels, cases)
    return any(one.manner in LENIENCY.words for one in leniencies(table, criterion=PEOPLE))


def a_drift(null: Null, rng: np.random.Generator) -> bool:
    """Four annotators who label 60 answers, whose order says nothing."""
    drawn, levels = _team(null, rng, 4, 60)
    labels = [
        Label(f"s{row}", PEOPLE.name, int(level), f"a{column}", at=START + timedelta(minutes=row))
        for column, of_one in enumerate(levels.T)
        for row, level in enumerate(of_one)
    ]
    cases = None if drawn.clusters is None else {f"s{row}": f"c{code}" for row, code in enumerate(drawn.clusters)}
    found = drifts(labels, criterion=PEOPLE, rng=rng, test_cases=cases, permutations=400)
    return any(one.is_shown for one in found)


def agreement_by_chance(null: Null, rng: np.random.Generator) -> bool:
    """A judge that passes 60 answers as often as people do, and others."""
    drawn = null.draw_passes(rng, 60)
    said = ~(hits(rng, drawn, null.failures) & ~quiet(drawn))
    labels = [Label(str(row), PEOPLE.name, int(level), "P") for row, level in enumerate(drawn.values)]
    scores = {str(row): Score(2.0 if passes else 1.0) for row, passes in enumerate(said)}
    clusters = None if drawn.clusters is None else {str(row): f"c{code}" for row, code in enumerate(drawn.clusters)}
    found = judge_agreement(
        scores, labels, people=PEOPLE, judge=RUBRIC, rng=rng, clusters=clusters, replicates=REPLICATES
    )
    return found.is_shown


def a_gain_in_four_tries(null: Null, rng: np.random.Generator) -> bool:
    """Four rubrics that are no better than the first, tried one after the other on the same 60 answers."""
    drawn = null.draw_passes(rng, 60)
    people = drawn.values == 1

    def judge() -> list[bool]:
        return (people ^ (hits(rng, drawn, 0.25) & ~quiet(drawn))).tolist()

    first, clusters = judge(), None if drawn.clusters is None else [f"c{code}" for code in drawn.clusters]
    return any(
        kappa_gain(
            first, judge(), people.tolist(), rng=rng, clusters=clusters, replicates=REPLICATES, tries=tries
        ).is_shown
        for tries in range(1, 5)
    )


def an_attack_that_succeeds(null: Null, rng: np.random.Generator) -> bool:
    """Four families, of whose 40 attacks as many succeed as of their controls."""
    found = []
    for _ in range(4):
        drawn = null.draw_passes(rng, 40)
        arms = [hits(rng, drawn, null.failures) & ~quiet(drawn) for _ in range(2)]
        n, is_attack = len(drawn), np.repeat([True, False], len(drawn))
        seeds, unknown = np.tile(drawn.units, 2).astype(np.str_), np.full(2 * n, math.nan)
        outcomes = AttackOutcomes(np.concatenate(arms).astype(np.float64), is_attack, seeds, unknown, np.ones(2 * n))
        found.append(attack_success(outcomes))
    return any(verdict in ATTACK.words for _, verdict in family_verdicts(found))


def a_difference_of_runs(null: Null, rng: np.random.Generator) -> bool:
    """Three runs that answer 40 groups of three questions, or groups of unequal size, alike."""
    runs = {}
    for name in "abc":
        drawn = null.draw_passes(rng, 120 if null.clustered else 40)
        each = 1 if null.clustered else 3
        right = np.stack([np.where(quiet(drawn), True, drawn.values == 1)] + [
            hits(rng, drawn, 1 - null.failures) | quiet(drawn) for _ in range(each - 1)
        ])  # fmt: skip
        groups = np.tile(drawn.units, each).astype(np.str_)
        unknown = np.full(right.size, math.nan)
        runs[name] = GroupedAnswers(groups, right.ravel(), unknown, unknown, (frozenset(),) * right.size)
    return any(
        made.verdict in GRAMMAR_DIFFERENCE.words
        for found in compare_groups(runs)
        for made in (found.robustness, found.accuracy)
    )


LABELS = {"weighted": "labels of annotators are compared without weights"}
JUDGED = {"weighted": "judged answers and pairs of them carry no weights"}
TRIALS = (
    Trial(LENIENCY, a_lenient_or_strict_one, skips=LABELS, thin=100),
    Trial(DRIFT, a_drift, skips=LABELS, thin=40),
    Trial(BEYOND_CHANCE, agreement_by_chance, skips=JUDGED, thin=60),
    Trial(PAIR_BIAS, a_bias_on_pairs, skips=JUDGED, thin=60),
    Trial(RUBRIC_GAIN, a_gain_in_four_tries, skips=JUDGED, thin=30),
    Trial(ATTACK, an_attack_that_succeeds, skips=JUDGED, thin=60),
    Trial(GRAMMAR_DIFFERENCE, a_difference_of_runs, skips=JUDGED, thin=100),
)
