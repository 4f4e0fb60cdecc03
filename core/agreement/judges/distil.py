"""A rubric distilled from people's critiques on one part of the labels, and what it gains on the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.agreement.judges.against_people import KappaGain, kappa_gain
from core.agreement.judges.examples import critiques, score_of_level
from core.agreement.judges.judge import Judge, judge_samples
from core.agreement.judges.rubric import Rubric, RubricCriterion
from core.agreement.judges.verdict import mean_scores
from core.errors import HcatError, ModelError
from core.labelling.consensus import resolve_labels
from core.models.llm.language import LanguageModel, Request, Usage, total
from core.prompts import load_prompt
from core.statistics.partition import assign_fold
from core.types import Criterion, JsonValue, Label, Progress, Sample

LEAST_CRITIQUES = 5
MOST_CRITIQUES = 60
"""Critiques that are sent, the levels in turn: more would not fit into a prompt."""
_SALT = "hcat-distil"


@dataclass(frozen=True, slots=True)
class Distilled:
    """The new rubric, from how many critiques it was written, and its gain on the held-out answers."""

    rubric: Rubric
    critiques: int
    gain: KappaGain
    usage: Usage


def is_held_out(cluster: str) -> bool:
    """Whether a cluster's labels are kept from the rubric: one half, by a hash, so that no label changes sides."""
    return assign_fold(cluster, folds=2, salt=_SALT) == 1


def distil(
    judge: Judge,
    labels: Sequence[Label],
    samples: Mapping[str, Sample],
    *,
    people: Criterion,
    clusters: Mapping[str, str],
    rng: np.random.Generator,
    on_progress: Callable[[Progress], None] | None = None,
) -> Distilled:
    """Write the judge's one criterion anew from the critiques on the training half, and judge the other half by both.

    Clusters are never divided. HcatError where there are too few critiques; ModelError where the model gives no rubric.
    """
    if len(judge.rubric.criteria) != 1:
        raise HcatError("one criterion is distilled at a time: choose it")
    criterion = judge.rubric.criteria[0]
    usable = [label for label in critiques(labels, people) if label.sample_id in samples]
    training = [label for label in usable if not is_held_out(clusters[label.sample_id])]
    if len(training) < LEAST_CRITIQUES:
        raise HcatError(
            f"{len(training)} labels of people on the training half say why (column rationale): at least "
            f"{LEAST_CRITIQUES} are needed to distil a rubric"
        )
    shown = _by_turns(training)
    written, usage = _written(judge.models[0], criterion, shown, people)
    new = replace(judge, rubric=judge.rubric.with_criterion(written))
    agreed = resolve_labels(labels, people)
    level_of = dict(zip(agreed.sample_ids, agreed.levels.tolist(), strict=True))
    held_out = [samples[name] for name in level_of if name in samples and is_held_out(clusters[name])]
    first, second = (judge_samples(each, held_out, on_progress=on_progress) for each in (judge, new))
    before, after = (mean_scores(each.verdicts, criterion.name) for each in (first, second))
    both = [
        sample.id for sample in held_out if before[sample.id].value is not None and after[sample.id].value is not None
    ]
    gain = kappa_gain(
        [(before[name].value or 0.0) >= criterion.passing for name in both],
        [(after[name].value or 0.0) >= criterion.passing for name in both],
        [level_of[name] >= people.passing for name in both],
        rng=rng,
        clusters=[clusters[name] for name in both],
    )
    return Distilled(new.rubric, len(shown), gain, total([usage, first.usage, second.usage]))


def _by_turns(labels: Sequence[Label]) -> list[Label]:
    """The first critiques of each level in turn, at most `MOST_CRITIQUES`."""
    levels = sorted({label.level for label in labels})
    columns = [[label for label in labels if label.level == level] for level in levels]
    longest = max(map(len, columns), default=0)
    ordered = [column[row] for row in range(longest) for column in columns if row < len(column)]
    return ordered[:MOST_CRITIQUES]


def _written(
    model: LanguageModel, criterion: RubricCriterion, labels: Sequence[Label], people: Criterion
) -> tuple[RubricCriterion, Usage]:
    names = [str(score) for score in criterion.scores]
    levels: dict[str, JsonValue] = dict(zip(names, criterion.levels, strict=True))
    said: list[JsonValue] = [
        {"score": score_of_level(label.level, people=people, judge=criterion), "critique": label.rationale}
        for label in labels
    ]
    data: dict[str, JsonValue] = {
        "criterion": {"name": criterion.name, "question": criterion.question, "levels": levels},
        "critiques": said,
    }
    reply = model.ask(Request(load_prompt("distil_rubric"), data, _schema(names)))
    if reply.content is None:
        raise ModelError(f"The model wrote no rubric: {reply.reason}.")
    texts = reply.content["levels"]
    if not isinstance(texts, dict):
        raise ModelError("The model wrote no rubric: its levels are no object.")
    written = tuple(str(texts[name]).strip() for name in names)
    return replace(criterion, question=str(reply.content["question"]).strip(), levels=written), reply.usage


def _schema(names: Sequence[str]) -> dict[str, JsonValue]:
    text: JsonValue = {"type": "string", "minLength": 1, "maxLength": 600}
    levels: JsonValue = {
        "type": "object",
        "properties": dict.fromkeys(names, text),
        "required": [*names],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"question": text, "levels": levels},
        "required": ["question", "levels"],
        "additionalProperties": False,
    }
