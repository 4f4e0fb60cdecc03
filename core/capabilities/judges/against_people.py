"""A judge compared with people on the same answers: κ with its interval, the table of both, and disagreements."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hcat.core.arrays import Bools, Floats
from hcat.core.capabilities.agreement.kappa import cohen_kappa, confusion
from hcat.core.capabilities.agreement.pairwise import MINIMUM_N, raw_agreement
from hcat.core.capabilities.judges.rubric import RubricCriterion
from hcat.core.errors import HcatError
from hcat.core.labelling.consensus import ConsensusLabels, resolve_labels
from hcat.core.labelling.label_source import BY_PEOPLE
from hcat.core.statistics.bootstrap import REPLICATES, bootstrap_by_item
from hcat.core.statistics.hypergeometric import hypergeometric_tails
from hcat.core.types import Criterion, Estimate, Label, Score, Verdict

MOST_REPLICATES = 50_000
"""The most replicates: an interval at a higher level needs more."""
PRIOR_OF_GAIN = 0.5
"""The pseudo-items in the interval of a gain for each combination of verdicts.

With fewer, two judges that seldom differ would seem to differ significantly."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An answer on which judge and people differ: people's level, and the judge's score."""

    sample_id: str
    level: int
    score: float


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """A judge compared with the labels of a criterion, on the `n` samples that have both.

    `kappa` is of pass and fail; `kappa_levels` weights disagreements by the squared distance of levels, None if the
    numbers of levels differ. `table` counts samples, people's levels by the judge's scores. `by_people` is the number
    of labels by people; others are by a rule. `unscored` had a label and no verdict, by reason."""

    criterion: str
    n: int
    by_people: int
    kappa: Estimate
    kappa_levels: Estimate | None
    same: Estimate
    table: tuple[tuple[int, ...], ...]
    disagreements: tuple[Disagreement, ...]
    unscored: Mapping[str, int]

    @property
    def enough(self) -> bool:
        """Whether there are enough samples to conclude anything."""
        return self.n >= MINIMUM_N

    @property
    def is_shown(self) -> bool:
        """Whether agreement beyond chance is shown: the whole interval of κ is above 0."""
        return self.enough and self.kappa.low > 0


BEYOND_CHANCE = Verdict(
    name="agreement of a judge beyond chance",
    words=("shown",),
    claim="The judge agrees with the labels more often than by chance.",
    error=0.025,
    family="one criterion of one judge beside one criterion of the labels",
    decides="hcat.core.capabilities.judges.against_people:judge_agreement",
    carried_by="hcat.core.capabilities.judges.against_people:JudgeAgreement.is_shown",
)


def judge_agreement(
    scores: Mapping[str, Score],
    labels: Sequence[Label],
    *,
    people: Criterion,
    judge: RubricCriterion,
    rng: np.random.Generator,
    clusters: Mapping[str, str] | None = None,
    replicates: int = REPLICATES,
) -> JudgeAgreement:
    """The agreement of the judge's scores with the consensus of the labels. A mean over trials counts at its nearest
    score.

    Samples without a verdict are not included, and counted by their reason. If items are clustered, the intervals are
    by cluster. That of `kappa` excludes 0 only if Fisher's test does so, too."""
    agreed = resolve_labels(labels, people)
    levels = dict(zip(agreed.sample_ids, agreed.levels.tolist(), strict=True))
    both = [name for name in agreed.sample_ids if name in scores and scores[name].value is not None]
    cases = None if clusters is None else [clusters.get(name, name) for name in both]
    given = np.array([levels[name] for name in both], dtype=np.float64)
    scored = np.array([_nearest(scores[name]) for name in both], dtype=np.float64)
    passes, judged_passes = given >= people.passing, scored >= judge.passing - 1
    alike = len(people.levels) == len(judge.levels)
    pass_table = np.column_stack([passes, judged_passes]).astype(np.float64)
    reasons = [scores[name].reason or "" for name in agreed.sample_ids if name in scores and name not in set(both)]
    return JudgeAgreement(
        criterion=judge.name,
        n=len(both),
        by_people=_by_people(agreed, set(both)),
        kappa=_reaching_0_by_chance(
            cohen_kappa(passes, judged_passes, rng=rng, n_levels=2, test_cases=cases, replicates=replicates),
            passes, judged_passes,
        ),
        kappa_levels=cohen_kappa(
            given, scored, rng=rng, weighting="quadratic", n_levels=len(judge.levels), test_cases=cases,
            replicates=replicates,
        ) if alike else None,
        same=raw_agreement(pass_table, rng=rng, test_cases=cases, replicates=replicates),
        table=_table(given, scored, len(people.levels), len(judge.levels)),
        disagreements=_disagreements(both, given, scored, scores, people, judge),
        unscored={reason: reasons.count(reason) for reason in dict.fromkeys(reasons)},
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class KappaGain:
    """The gain in agreement with people of a second rubric over a first, on the same `n` held-out answers.

    `tries` counts the comparisons on these held-out answers, this one included. The interval of the gain is at the
    level that remains for the last of them, see `level_of_try`."""

    first: Estimate
    second: Estimate
    gain: Estimate
    tries: int = 1

    @property
    def is_shown(self) -> bool:
        """Whether the whole interval is above 0."""
        return self.gain.low > 0


RUBRIC_GAIN = Verdict(
    name="gain of a rubric",
    words=("gain shown",),
    claim="The second rubric agrees better with people than the first.",
    error=0.025,
    family="all tries on the held-out answers of one run and criterion",
    decides="hcat.core.capabilities.judges.against_people:kappa_gain",
    carried_by="hcat.core.capabilities.judges.against_people:KappaGain.is_shown",
)


def level_of_try(tries: int) -> float:
    """The level of the interval at the k-th try on the same answers, 1 − 0.05/(k(k + 1)).

    For any number of tries, a gain is shown although there is none in at most 2.5% of cases: the shares sum to that."""
    if tries < 1:
        raise HcatError(f"tries are counted from 1, not {tries}")
    return 1 - 0.05 / (tries * (tries + 1))


def kappa_gain(
    first: Sequence[bool],
    second: Sequence[bool],
    people: Sequence[bool],
    *,
    rng: np.random.Generator,
    clusters: Sequence[str] | None = None,
    replicates: int = REPLICATES,
    tries: int = 1,
) -> KappaGain:
    """κ of pass and fail of two judges (n,) with people (n,), and the difference, in a joint bootstrap by item.

    Neither rubric may have been written from these answers. `tries` counts how often they were used to compare rubrics,
    this time included."""
    a, b, truth = (np.asarray(values, dtype=np.intp) for values in (first, second, people))
    each = [
        cohen_kappa(judge, truth, rng=rng, n_levels=2, test_cases=clusters, replicates=replicates) for judge in (a, b)
    ]
    kind_of = 4 * truth + 2 * a + b
    level = level_of_try(tries)

    def statistic(counts: Floats) -> Floats:
        return _kappa(counts, judge=1) - _kappa(counts, judge=0)

    gain = bootstrap_by_item(
        statistic, kind_of, np.full(8, PRIOR_OF_GAIN), level=level,
        replicates=min(replicates * tries * (tries + 1) // 2, MOST_REPLICATES), rng=rng,
        name="difference of κ", test_cases=None if clusters is None else list(clusters),
    ) if len(a) else Estimate(math.nan, math.nan, math.nan, 0, level, "difference of κ")  # fmt: skip
    return KappaGain(each[0], each[1], gain, tries)


def _kappa(counts: Floats, *, judge: int) -> Floats:
    """κ of people with the first or the second judge; `counts` (replicates, 8) by people, first, second."""
    cube = counts.reshape(-1, 2, 2, 2)
    table = cube.sum(axis=3 if judge == 0 else 2)
    n = table.sum(axis=(1, 2))
    observed = (table[:, 0, 1] + table[:, 1, 0]) * n
    rows, columns = table.sum(axis=2), table.sum(axis=1)
    expected = rows[:, 0] * columns[:, 1] + rows[:, 1] * columns[:, 0]
    ratio: Floats = np.divide(observed, expected, out=np.full(len(table), np.nan), where=expected > 0)
    return 1 - ratio


def _reaching_0_by_chance(kappa: Estimate, people: Bools, judge: Bools) -> Estimate:
    """κ with an interval that includes 0 if Fisher's test, by its mid-p, is not significant.

    For few items, or few that fail, the bootstrap excludes 0 too often. Source: Lancaster 1961, Significance tests in
    discrete distributions."""
    if not kappa.low > 0:
        return kappa
    hits = int((people & judge).sum())
    fewer, more = hypergeometric_tails(hits, total=len(people), marked=int(people.sum()), drawn=int(judge.sum()))
    p = (more + 1 - fewer) / 2
    return kappa if p <= (1 - kappa.level) / 2 else replace(kappa, low=0.0)


def _nearest(score: Score) -> float:
    """The level from 0 that is nearest to a mean of scores; the lower of two that are equally near."""
    return math.ceil((score.value or 0.0) - 0.5) - 1


def _by_people(agreed: ConsensusLabels, judged: set[str]) -> int:
    by_people = {label.sample_id for label in agreed.labels if label.source in BY_PEOPLE}
    return len(by_people & judged)


def _table(given: Floats, scored: Floats, people: int, judge: int) -> tuple[tuple[int, ...], ...]:
    size = max(people, judge)
    counts = confusion(given, scored, n_levels=size).astype(int)
    return tuple(tuple(row) for row in counts[:people, :judge].tolist())


def _disagreements(
    names: Sequence[str],
    given: Floats,
    scored: Floats,
    scores: Mapping[str, Score],
    people: Criterion,
    judge: RubricCriterion,
) -> tuple[Disagreement, ...]:
    """The samples that one passes and the other fails, the largest distance first, both on a scale from 0 to 1."""
    apart = np.abs(given / (len(people.levels) - 1) - scored / (len(judge.levels) - 1))
    differ = (given >= people.passing) != (scored >= judge.passing - 1)
    order = [row for row in np.argsort(-apart, kind="stable").tolist() if differ[row]]
    return tuple(Disagreement(names[row], int(given[row]), float(scores[names[row]].value or 0.0)) for row in order)
