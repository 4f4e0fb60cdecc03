"""Self-preference on single answers: whether a judge scores its own model family higher than people's levels warrant.

Answers to one question with the same level by people are compared, those of the judge's own family with those of
others. So neither harder questions nor better answers count as preference; differences within people's levels do."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hcat.core.arrays import Codes, Floats
from hcat.core.capabilities.judges.pairs import FLAGGED_AT, MINIMUM_PAIRS
from hcat.core.capabilities.judges.rubric import Rubric, RubricCriterion
from hcat.core.capabilities.judges.verdict import JudgeVerdict, mean_scores
from hcat.core.errors import HcatError
from hcat.core.labelling.consensus import resolve_labels
from hcat.core.records.clusters import clusters_across
from hcat.core.statistics.mean_score import MeanScore, difference_score
from hcat.core.statistics.multiplicity import holm
from hcat.core.types import Criterion, Estimate, Label, Sample, Verdict

LEVEL = 0.95
PREFERENCE = Verdict(
    name="self-preference on single answers",
    words=("flagged",),
    claim="The judge scores answers of its own model family differently from others on the same level.",
    error=FLAGGED_AT,
    family="all criteria of one call (Holm)",
    decides="hcat.core.capabilities.judges.self_preference:self_preferences",
    carried_by="hcat.core.capabilities.judges.self_preference:SelfPreference.is_flagged",
)


@dataclass(frozen=True, slots=True, eq=False)
class AnswersOfModel:
    """The answers of one system, with a judge's verdicts and people's labels.

    `is_own` if a model of the judge's own family wrote them."""

    samples: Sequence[Sample]
    verdicts: Sequence[JudgeVerdict]
    labels: Sequence[Label]
    is_own: bool


@dataclass(frozen=True, slots=True)
class SelfPreference:
    """The self-preference on a criterion, over `n` matches: a question with answers of both sides on one of people's
    levels.

    `shift` is the mean difference in score of the judge's own family, `pass_rate` the difference in pass rate. `apart`
    counts questions with answers of both sides that share no level, and are left out. `p` is of no preference, by the
    test that belongs to the interval of the shift (`difference_score`), NaN below 10 clusters; `p_holm` is adjusted
    over all criteria."""

    criterion: str
    n: int
    apart: int
    shift: Estimate
    pass_rate: Estimate
    p: float
    p_holm: float

    @property
    def is_flagged(self) -> bool:
        """Whether the effect is significant."""
        return self.p_holm <= FLAGGED_AT


@dataclass(frozen=True, slots=True)
class _Answer:
    question: str
    cluster: str
    level: int
    score: float
    is_own: bool


def model_family(name: str) -> str:
    """The family of a model by its name, for any provider: "meta-llama/Llama-3.1-8B" → "llama", "gpt-4o" → "gpt"."""
    last = name.strip().rstrip("/").rsplit("/", 1)[-1].casefold()
    letters = re.match(r"[a-z]+", last)
    return last if letters is None else letters.group()


def own_models(judges: Iterable[str], samples: Iterable[Sample]) -> tuple[str, ...]:
    """The models that wrote the answers and are of the family of a judge.

    They are named as `model` in the dimensions or the metadata of samples. Source: FUNNEL 3.3, a neutral judge."""
    families = {model_family(name) for name in judges if name.strip()}
    named = (sample.dimensions.get("model") or sample.metadata.get("model") for sample in samples)
    wrote = dict.fromkeys(name for name in named if isinstance(name, str) and name.strip())
    return tuple(name for name in wrote if model_family(name) in families)


def self_preferences(
    answers: Sequence[AnswersOfModel], rubric: Rubric, people: Criterion
) -> tuple[SelfPreference, ...]:
    """The preference on each judged criterion, over questions by their words, matched on people's level.

    A match with several answers on a side has weight n₁n₂/(n₁ + n₂) and uses their means, as in Cochran, Mantel and
    Haenszel; intervals are by cluster. HcatError unless the answers are of both sides."""
    if len({each.is_own for each in answers}) < 2:
        raise HcatError("self-preference needs answers of the judge's own family and answers of others: name both")
    judged = {verdict.criterion for each in answers for verdict in each.verdicts}
    found = [_preference(answers, each, people) for each in rubric.criteria if each.name in judged]
    adjusted = holm([each.p for each in found]).tolist()
    return tuple(replace(each, p_holm=p) for each, p in zip(found, adjusted, strict=True))


def _preference(answers: Sequence[AnswersOfModel], criterion: RubricCriterion, people: Criterion) -> SelfPreference:
    matches: dict[tuple[str, int], list[_Answer]] = {}
    for answer in _answers(answers, criterion, people):
        matches.setdefault((answer.question, answer.level), []).append(answer)
    both = [rows for rows in matches.values() if len({row.is_own for row in rows}) == 2]
    sides: dict[str, set[bool]] = {}
    for (question, _), rows in matches.items():
        sides.setdefault(question, set()).update(row.is_own for row in rows)
    shared = {question for question, of in sides.items() if len(of) == 2}
    weights = np.array([_weight(rows) for rows in both], dtype=np.float64)
    clusters = np.unique([rows[0].cluster for rows in both], return_inverse=True)[1] if both else np.zeros(0, np.intp)
    scores = _compared([_means(rows, None) for rows in both], weights, clusters, criterion.range)
    passes = _compared([_means(rows, criterion.passing) for rows in both], weights, clusters, (0.0, 1.0))
    p = scores.p() if scores.clusters >= MINIMUM_PAIRS else math.nan
    return SelfPreference(
        criterion.name,
        len(both),
        len(shared - {rows[0].question for rows in both}),
        scores.interval(LEVEL, len(both)),
        passes.interval(LEVEL, len(both)),
        p,
        p,
    )


def _answers(answers: Sequence[AnswersOfModel], criterion: RubricCriterion, people: Criterion) -> Iterator[_Answer]:
    """The answers with a label and a score on the criterion."""
    clusters = clusters_across(*(each.samples for each in answers))
    for each, cluster_of in zip(answers, clusters, strict=True):
        agreed = resolve_labels(each.labels, people)
        levels: Mapping[str, int] = dict(zip(agreed.sample_ids, agreed.levels.tolist(), strict=True))
        scores = mean_scores(each.verdicts, criterion.name)
        for sample in each.samples:
            score = scores[sample.id].value if sample.id in scores else None
            if score is not None and sample.id in levels:
                yield _Answer(
                    " ".join(sample.query.split()), cluster_of[sample.id], levels[sample.id], score, each.is_own
                )


def _means(rows: Sequence[_Answer], passing: int | None) -> tuple[float, float]:
    """The means of the own family and of the others: of scores, or of passes from the score `passing` on."""
    values = [(row.is_own, row.score if passing is None else float(row.score >= passing)) for row in rows]
    own, others = ([value for side, value in values if side is wanted] for wanted in (True, False))
    return math.fsum(own) / len(own), math.fsum(others) / len(others)


def _compared(
    means: Sequence[tuple[float, float]], weights: Floats, clusters: Codes, within: tuple[float, float]
) -> MeanScore:
    own, others = (np.array([pair[side] for pair in means], dtype=np.float64) for side in (0, 1))
    return difference_score(own, others, clusters, within=within, weights=weights)


def _weight(rows: Sequence[_Answer]) -> float:
    own = sum(row.is_own for row in rows)
    return own * (len(rows) - own) / len(rows)
