"""Examples for a judge: answers of each level and of different form, with people's labels and reasons."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

import numpy as np

from hcat.core.capabilities.judges.judge import JudgedExample
from hcat.core.capabilities.judges.rubric import RubricCriterion
from hcat.core.errors import HcatError
from hcat.core.labelling.label_source import BY_PEOPLE
from hcat.core.types import Criterion, Label, Sample

CANDIDATES = 8
"""The most different of so many random answers is chosen: the most different of all would be an outlier."""
_MARKUP = re.compile(r"^\s*(?:[-*•#>|]|\d+[.)])\s", re.MULTILINE)
_DIGIT = re.compile(r"\d")


def critiques(labels: Sequence[Label], criterion: Criterion) -> tuple[Label, ...]:
    """The labels of people on this criterion with a reason, one a sample: an adjudication before others, then by name.

    They are sorted by sample id, so that a project and its label file give the same."""
    by_sample: dict[str, Label] = {}
    for label in sorted(labels, key=lambda each: (each.sample_id, each.source != "adjudication", each.annotator)):
        said = (label.rationale or "").strip()
        if label.criterion == criterion.name and label.source in BY_PEOPLE and said:
            by_sample.setdefault(label.sample_id, label)
    return tuple(by_sample.values())


def score_of_level(level: int, *, people: Criterion, judge: RubricCriterion) -> int:
    """The judge's score for a person's level: the same position, or the same end of the scale.

    If the scales have equal numbers of levels it is the level from 1; else the levels are spread evenly over the
    scores."""
    return 1 + round(level * (len(judge.levels) - 1) / (len(people.levels) - 1))


def draw_examples(
    labels: Sequence[Label],
    samples: Mapping[str, Sample],
    *,
    people: Criterion,
    judge: RubricCriterion,
    n: int,
    rng: np.random.Generator,
) -> tuple[JudgedExample, ...]:
    """`n` examples, from the levels in turn, so that none of them fills the prompt. HcatError for too few.

    From some random answers of a level, the one that differs most in length and form from those already chosen is
    drawn. Examples of one style teach a judge that style (FUNNEL 3.3). They must not be judged (`without_examples`):
    `judge_samples` refuses a sample that is an example."""
    usable = [label for label in critiques(labels, people) if label.sample_id in samples]
    by_level: dict[int, list[Label]] = {}
    for place in rng.permutation(len(usable)).tolist():
        by_level.setdefault(usable[place].level, []).append(usable[place])
    drawn: list[Label] = []
    while len(drawn) < n and any(by_level.values()):
        for level in sorted(by_level):
            if by_level[level] and len(drawn) < n:
                drawn.append(_most_different(by_level[level], drawn, samples))
    if len(drawn) < n:
        raise HcatError(
            f"{len(drawn)} labelled answers have a critique (a label with its reason) by a person: too few for {n} "
            "examples"
        )
    return tuple(
        JudgedExample(
            samples[label.sample_id],
            judge.name,
            score_of_level(label.level, people=people, judge=judge),
            (label.rationale or "").strip(),
        )
        for label in drawn
    )


def _most_different(left: list[Label], drawn: Sequence[Label], samples: Mapping[str, Sample]) -> Label:
    """Removes and returns, of the last few that are `left`, the label whose answer is farthest from the nearest one
    drawn."""
    taken = [_form(samples[label.sample_id].answer or "") for label in drawn]

    def distance(place: int) -> float:
        own = _form(samples[left[place].sample_id].answer or "")
        return min((math.dist(own, other) for other in taken), default=0.0)

    places = range(len(left) - 1, max(-1, len(left) - 1 - CANDIDATES), -1)
    return left.pop(max(places, key=distance))


def _form(answer: str) -> tuple[float, float, float]:
    """The form of an answer: log₂ of its length in words, whether it has lists or headings, and whether it has
    numbers."""
    return math.log2(1 + len(answer.split())), float(bool(_MARKUP.search(answer))), float(bool(_DIGIT.search(answer)))
