"""Verdicts on paired differences and on two groups: fairness, robustness, and what moves a judge's scores."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from benchmarks.battery.nulls import Drawn, Null
from benchmarks.battery.trial import Trial
from hcat.core.arrays import Codes, Floats
from hcat.core.capabilities.fairness.gap import EQUIVALENT, GAP, Gap, judged, paired_gap
from hcat.core.capabilities.fairness.matched import matched_gap
from hcat.core.capabilities.judges.manipulations import MANIPULATED, score_shift
from hcat.core.capabilities.judges.rubric import Rubric, RubricCriterion
from hcat.core.capabilities.judges.self_preference import PREFERENCE, AnswersOfModel, self_preferences
from hcat.core.capabilities.judges.verdict import JudgeVerdict
from hcat.core.capabilities.robustness.change import CHANGE, changes_by_family
from hcat.core.capabilities.robustness.dose_response import TREND, dose_response, judged_trends
from hcat.core.statistics.multiplicity import holm
from hcat.core.types import Criterion, Label, Sample, Score

PAIRS, SAMPLES, IN_GROUP = 100, 300, 40
MARGIN = 0.1
"""On outcomes from 0 to 1; of those without a range a third of a standard deviation."""
NO_WEIGHTS = {"weighted": "what is compared here carries no weights"}
SCORED = {**NO_WEIGHTS, "skewed": "a judge's scores lie within the range of its rubric"}


def _pairs(null: Null, rng: np.random.Generator, n: int) -> tuple[Floats, Floats, list[str], Drawn]:
    """Outcomes of both sides of pairs, each pair in one cluster; the first side may be constant."""
    drawn = null.draw(rng, 2 * n)
    if drawn.clusters is None:
        first, second = drawn.values, null.draw(rng, 2 * n).values
        first, second, codes = first[:n], second[:n], np.arange(len(first[:n]))
    else:
        place = np.arange(len(drawn)) - np.unique(drawn.clusters, return_index=True)[1][drawn.clusters]
        one = np.flatnonzero((place % 2 == 0)[:-1] & (drawn.clusters[:-1] == drawn.clusters[1:]))
        first, second, codes = drawn.values[one], drawn.values[one + 1], drawn.clusters[one]
    if null.constant_side:
        first = np.full(len(first), drawn.mean)
    return first, second, [str(code) for code in codes], drawn


def _moved(values: Floats, drawn: Drawn, rng: np.random.Generator) -> tuple[Floats, float]:
    """The values of a group that differs by exactly the margin in the mean, by rare ones at an end; and the margin."""
    if not np.isfinite(drawn.within).all():
        margin = float(np.std(drawn.values)) / 3
        return values + margin, margin
    if drawn.has_constant_side:
        return values + MARGIN, MARGIN
    end = 1.0 if drawn.mean < 0.5 else 0.0
    return np.where(rng.random(len(values)) < MARGIN / abs(end - drawn.mean), end, values), MARGIN


def _gaps(null: Null, rng: np.random.Generator, *, at_margin: bool) -> list[Gap]:
    """One comparison over the same questions, one of groups that were asked different ones."""
    first, second, clusters, drawn = _pairs(null, rng, PAIRS)
    margin = MARGIN
    if at_margin:
        first, margin = _moved(first, drawn, rng)
    paired = paired_gap(first, second, clusters, group="a", reference="b", margin=margin, within=drawn.within)
    drawn = null.draw(rng, SAMPLES)
    is_group = drawn.units < (drawn.units[-1] + 1) * IN_GROUP / SAMPLES if not null.few else drawn.units % 2 == 0
    if null.few:  # twelve of either group
        drawn = Drawn(np.r_[drawn.values, null.draw(rng, SAMPLES).values], None, None, drawn.within, drawn.mean)
        is_group = drawn.units % 2 == 0
    values = drawn.values
    if null.constant_side:
        values = np.where(is_group, drawn.mean, values)
    if at_margin:
        moved, margin = _moved(values, _constant(drawn, null), rng)
        values = np.where(is_group, moved, values)
    strata = _strata(drawn.units, rng)
    matched = matched_gap(
        values, ["a" if each else "b" for each in is_group], strata, [str(unit) for unit in drawn.units],
        group="a", reference="b", margin=margin, within=drawn.within,
    )  # fmt: skip
    return list(judged([paired, matched]))


def _constant(drawn: Drawn, null: Null) -> Drawn:
    return Drawn(drawn.values, drawn.clusters, drawn.weights, drawn.within, drawn.mean, null.constant_side)


def _strata(units: Codes, rng: np.random.Generator) -> list[str | None]:
    """Three strata, each cluster in one."""
    return [str(place) for place in rng.integers(0, 3, int(units.max()) + 1)[units]]


def _gap(null: Null, rng: np.random.Generator) -> bool:
    return any(gap.verdict in GAP.words for gap in _gaps(null, rng, at_margin=False))


def _equivalent(null: Null, rng: np.random.Generator) -> bool:
    return any(gap.verdict in EQUIVALENT.words for gap in _gaps(null, rng, at_margin=True))


def _changed(null: Null, rng: np.random.Generator) -> bool:
    values, origins, families, clusters = [], [], [], []
    for family in "abcde":
        first, second, names, drawn = _pairs(null, rng, PAIRS // 2)
        values.append(first), origins.append(second)
        families += [family] * len(first)
        clusters += [f"{family} {name}" for name in names]
    changes = changes_by_family(
        np.concatenate(values), np.concatenate(origins), families, clusters, within=drawn.within
    )  # fmt: skip
    return any(change.verdict in CHANGE.words for change in changes)


def _trend(null: Null, rng: np.random.Generator) -> bool:
    """Three families, variants of each origin at three strengths."""
    doses = []
    for family in "abc":
        sides = [_pairs(null, rng, PAIRS // 2) for _ in range(3)]
        n = min(len(side[0]) for side in sides)
        of_origin, clusters = sides[0][1][:n], sides[0][2][:n]
        if null.constant_side:
            of_origin = np.full(n, sides[0][3].mean)
        change = np.concatenate([side[1 if null.constant_side else 0][:n] - of_origin for side in sides])
        origins = [str(place) for place in range(n)] * 3
        strengths = np.repeat([0.2, 0.5, 0.8], n)
        within = sides[0][3].within
        doses.append(dose_response(change, strengths, origins, clusters * 3, family=family, within=within))
    return any(dose.has_trend for dose in judged_trends(doses))


def _moved_score(null: Null, rng: np.random.Generator) -> bool:
    p = []
    for name in ("verbosity", "authority", "position"):
        before, after, clusters, _ = _pairs(null, rng, PAIRS // 2)
        scores = [_scores(1 + 4 * side) for side in (before, after)]
        cluster_of = {str(place): cluster for place, cluster in enumerate(clusters)}
        p.append(score_shift(name, "c", scores[0], scores[1], cluster_of, within=(1.0, 5.0), passing=4).p)
    return bool((holm(p) <= MANIPULATED.error).any())


def _scores(values: Floats) -> Mapping[str, Score]:
    return {str(place): Score(float(value)) for place, value in enumerate(values)}


RUBRIC = Rubric("r", "You judge.", (RubricCriterion("c", "C", "Is it good?", ("1", "2", "3", "4", "5")),))


def _preferred(null: Null, rng: np.random.Generator) -> bool:
    own, others, clusters, _ = _pairs(null, rng, PAIRS)
    level = rng.integers(0, 2, len(own))
    sides = [
        AnswersOfModel(
            [Sample(str(n), f"q{n}", "a", test_case=clusters[n]) for n in range(len(own))],
            [JudgeVerdict(str(n), "c", 0, int(1 + np.rint(4 * value)), "") for n, value in enumerate(values)],
            [Label(str(n), "correctness", int(level[n]), "ann") for n in range(len(own))],
            is_own,
        )
        for is_own, values in ((True, own), (False, others))
    ]
    return any(each.is_flagged for each in self_preferences(sides, RUBRIC, Criterion("correctness")))


TRIALS = (
    Trial(CHANGE, _changed, skips=NO_WEIGHTS, thin=60),
    Trial(TREND, _trend, skips=NO_WEIGHTS, thin=60),
    Trial(GAP, _gap, skips=NO_WEIGHTS, thin=40),
    Trial(EQUIVALENT, _equivalent, skips=NO_WEIGHTS, thin=40),
    Trial(MANIPULATED, _moved_score, skips=SCORED, thin=60),
    Trial(PREFERENCE, _preferred, skips=SCORED, thin=40),
)
