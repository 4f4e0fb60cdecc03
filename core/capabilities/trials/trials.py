"""Repeated trials of test cases, rated by a checker: scores by slice, and the diversity of the answers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from hcat.core.capabilities.trials.variance_components import ComponentSplit, split_variance
from hcat.core.errors import HcatError
from hcat.core.estimates.probabilistic import ProbabilisticScores, probabilistic_scores
from hcat.core.labelling.consensus import consensus
from hcat.core.types import Criterion, Label, Sample

if TYPE_CHECKING:
    from hcat.core.calibration.calibration import Calibration
    from hcat.core.scoring.score_table import ScoreTable

ALIKE = 0.9
"""The least cosine of answers that count as the same."""

NO_ANSWER = "(no answer)"


class OfTestCase(Protocol):
    """A sample, or its data without the texts."""

    @property
    def id(self) -> str: ...

    @property
    def test_case(self) -> str | None: ...

    @property
    def expected(self) -> float | None: ...


@dataclass(frozen=True, slots=True)
class Checker:
    """The source of E: 1 if a sample is good, 0 if bad; samples that it left out are unscored.

    `source` says whether it is from labels, a calibration or a metric."""

    name: str
    source: Literal["labels", "calibration", "metric"]
    outcomes: Mapping[str, float]

    def of(self, samples: Sequence[OfTestCase]) -> NDArray[np.float64]:
        """E of each sample (T,), NaN if unscored."""
        return np.array([self.outcomes.get(sample.id, math.nan) for sample in samples], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class LevelScores:
    """S_u, S_c and S_t of the test cases at one level of a dimension."""

    level: str
    scores: ProbabilisticScores


@dataclass(frozen=True, slots=True)
class FactorScores:
    """A factor of relevance F (PROB 3): its checker, its scores, and those at each level of a dimension."""

    checker: Checker
    scores: ProbabilisticScores
    levels: tuple[LevelScores, ...] = ()


def labels_checker(labels: Iterable[Label], criterion: Criterion) -> Checker:
    """A checker by the consensus of labels on each sample; ties are unscored."""
    agreed = consensus((label for label in labels if label.criterion == criterion.name), passing=criterion.passing)
    outcomes = {label.sample_id: float(label.level >= criterion.passing) for label in agreed.labels}
    return Checker(f"labels on {criterion.name}", "labels", outcomes)


def calibration_checker(calibration: Calibration, scores: ScoreTable, *, threshold: float = 0.5) -> Checker:
    """A checker that passes samples whose calibrated probability of a pass is at least the threshold."""
    outcomes = _outcomes(scores.sample_ids, calibration.probability(scores), threshold, lower=False)
    return Checker(f"calibration on {calibration.criterion} at {threshold:g}", "calibration", outcomes)


def metric_checker(scores: ScoreTable, metric: str, *, threshold: float) -> Checker:
    """A checker that passes samples whose metric is at the threshold or better; at it or below if lower is better."""
    lower = scores.direction_of(metric) == "lower"
    outcomes = _outcomes(scores.sample_ids, scores.values(metric), threshold, lower=lower)
    return Checker(f"{metric} {'≤' if lower else '≥'} {threshold:g}", "metric", outcomes)


def cases_of(samples: Sequence[OfTestCase]) -> list[str]:
    """The name of each sample's test case: its own id if it has none."""
    return [sample.test_case or sample.id for sample in samples]


def expectations(samples: Sequence[OfTestCase]) -> dict[str, float]:
    """H of each test case that has one: the mean over its trials."""
    stated: dict[str, list[float]] = {}
    for case, sample in zip(cases_of(samples), samples, strict=True):
        if sample.expected is not None:
            stated.setdefault(case, []).append(sample.expected)
    return {case: sum(values) / len(values) for case, values in stated.items()}


@dataclass(frozen=True, slots=True)
class PeoplesExpectations:
    """H of test cases by several people.

    `mean` by test case, of `test_cases` of the run, by so many `people`. `spread` is the mean range between people,
    over the `shared` test cases that two of them or more judged; NaN without any."""

    mean: Mapping[str, float]
    test_cases: int
    people: int
    shared: int
    spread: float


def peoples_expectations(
    given: Mapping[str, Mapping[str, float]], samples: Sequence[OfTestCase]
) -> PeoplesExpectations:
    """The mean of people's expectations, by test case and annotator. HcatError if they are of other test cases."""
    here = set(cases_of(samples))
    own = {case: tuple(values.values()) for case, values in given.items() if case in here}
    if not own:
        raise HcatError("the expected rates are of test cases that this run lacks: name them as its test_case does")
    ranges = [max(values) - min(values) for values in own.values() if len(values) > 1]
    return PeoplesExpectations(
        {case: math.fsum(values) / len(values) for case, values in own.items()},
        len(own),
        len({annotator for case in own for annotator in given[case]}),
        len(ranges),
        math.fsum(ranges) / len(ranges) if ranges else math.nan,
    )


def repeated_trials(samples: Sequence[OfTestCase]) -> list[str]:
    """The ids of the samples whose test case has several."""
    cases = cases_of(samples)
    n = Counter(cases)
    return [sample.id for sample, case in zip(samples, cases, strict=True) if n[case] > 1]


def most_trials(samples: Sequence[OfTestCase]) -> int:
    """The largest number of trials of a test case; 0 without samples."""
    return max(np.unique(cases_of(samples), return_counts=True)[1].tolist(), default=0)


def trial_scores(
    samples: Sequence[OfTestCase],
    checker: Checker,
    *,
    expected: Mapping[str, float] | None = None,
    level: float = 0.95,
) -> ProbabilisticScores:
    """S_u, S_c and S_t of the whole run by one checker. PROB 3.4.

    `expected` is H by test case, by default as samples state."""
    h = expectations(samples) if expected is None else expected
    return probabilistic_scores(checker.of(samples), cases_of(samples), expected=h, level=level)


def level_scores(
    samples: Sequence[OfTestCase],
    checker: Checker,
    levels: Sequence[str],
    *,
    expected: Mapping[str, float] | None = None,
    level: float = 0.95,
) -> tuple[LevelScores, ...]:
    """The same for each level of a dimension; `levels` (T,) names that of each sample."""
    if len(levels) != len(samples):
        raise HcatError(f"each of the {len(samples)} samples needs a level, not {len(levels)} of them")
    inside = {name: [s for s, at in zip(samples, levels, strict=True) if at == name] for name in dict.fromkeys(levels)}
    return tuple(
        LevelScores(name, trial_scores(at_level, checker, expected=expected, level=level))
        for name, at_level in inside.items()
    )


def factor_scores(
    samples: Sequence[OfTestCase],
    checker: Checker,
    levels: Sequence[str] | None = None,
    *,
    expected: Mapping[str, float] | None = None,
) -> FactorScores:
    """The scores of a factor of relevance; `levels` (T,), if a dimension is given, has that of each sample."""
    parts = () if levels is None else level_scores(samples, checker, levels, expected=expected)
    return FactorScores(checker, trial_scores(samples, checker, expected=expected), parts)


def judgement_split(
    samples: Sequence[OfTestCase],
    judgements: Iterable[tuple[str, str, float]],
    *,
    judge: str,
    generator: np.random.Generator,
    level: float = 0.95,
) -> ComponentSplit:
    """Variance of judgements (sample id, judge, value) between test cases, trials of one, and judges; then the rest.

    `judge` says what judges are: annotators or checkers. Variances are of 0 and 1 on their own scale. Confounded
    sources are reported: trials need several judges, judges several of them on the same samples."""
    case_of = {sample.id: case for sample, case in zip(samples, cases_of(samples), strict=True)}
    counted = [judgement for judgement in judgements if judgement[0] in case_of]
    cases = [case_of[sample_id] for sample_id, _, _ in counted]
    sources = {
        "test case": cases,
        "trial": [sample_id for sample_id, _, _ in counted],
        judge: [name for _, name, _ in counted],
    }
    values = [value for _, _, value in counted]
    return split_variance(values, sources, clusters=cases, generator=generator, level=level)


def ratings(labels: Iterable[Label], criterion: Criterion) -> list[tuple[str, str, float]]:
    """Each person's current judgement: sample id, annotator, 1 for a pass or 0; without adjudications."""
    judgements: dict[tuple[str, str], float] = {}
    for label in labels:
        if label.criterion == criterion.name and label.source == "person":
            judgements[label.sample_id, label.annotator] = float(label.level >= criterion.passing)
    return [(sample_id, annotator, value) for (sample_id, annotator), value in judgements.items()]


def answer_kinds(
    samples: Sequence[Sample], vectors: Mapping[str, NDArray[np.float32]], *, alike: float = ALIKE
) -> list[str]:
    """The kind of each answer (T,), by meaning, within its test case: any two of a kind have at least this cosine.

    `vectors` are unit vectors by text. Equal texts are one kind, and so are missing answers. Complete linkage."""
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import pdist

    if not -1 <= alike <= 1:
        raise HcatError(f"the cosine from which answers count as the same must lie between −1 and 1, not {alike}")
    texts_of: dict[str, list[str]] = {}
    for case, sample in zip(cases_of(samples), samples, strict=True):
        texts_of.setdefault(case, []).append(_text(sample))
    kind: dict[tuple[str, str], str] = {}
    for case, texts in texts_of.items():
        distinct = [text for text in dict.fromkeys(texts) if text != NO_ANSWER]
        kind[case, NO_ANSWER] = NO_ANSWER
        if len(distinct) == 1:
            kind[case, distinct[0]] = "1"
        elif distinct:
            rows = np.stack([vectors[text] for text in distinct]).astype(np.float64)
            apart = np.maximum(pdist(rows, "cosine"), 0.0)
            grouped = fcluster(linkage(apart, "complete"), 1 - alike + 1e-9, criterion="distance")
            kind |= {(case, text): str(group) for text, group in zip(distinct, grouped, strict=True)}
    return [kind[case, _text(sample)] for case, sample in zip(cases_of(samples), samples, strict=True)]


def _text(sample: Sample) -> str:
    return sample.answer.strip() if sample.answer and sample.answer.strip() else NO_ANSWER


def _outcomes(ids: Sequence[str], values: NDArray[np.float64], threshold: float, *, lower: bool) -> dict[str, float]:
    good = values <= threshold if lower else values >= threshold
    return {name: float(g) for name, value, g in zip(ids, values, good, strict=True) if not math.isnan(value)}
