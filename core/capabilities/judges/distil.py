"""A rubric distilled from people's critiques on one part of the labels, and its gain on the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from hcat.core.capabilities.judges.against_people import KappaGain, kappa_gain
from hcat.core.capabilities.judges.drawing import drawn_samples
from hcat.core.capabilities.judges.examples import critiques, score_of_level
from hcat.core.capabilities.judges.judge import Judge, judge_samples
from hcat.core.capabilities.judges.rubric import Rubric, RubricCriterion
from hcat.core.capabilities.judges.verdict import mean_scores
from hcat.core.errors import HcatError, ModelError
from hcat.core.labelling.consensus import resolve_labels
from hcat.core.models.llm.language import LanguageModel, Request, Usage, total
from hcat.core.prompts import load_prompt
from hcat.core.statistics.partition import assign_fold
from hcat.core.types import Criterion, JsonValue, Label, Progress, Sample

LEAST_CRITIQUES = 5
MOST_CRITIQUES = 60
"""The most critiques in a prompt, from the levels in turn."""
_SALT = "hcat-distil"


@dataclass(frozen=True, slots=True)
class RubricGain:
    """The gain of a second wording of a criterion over a first, on answers that neither was written from.

    `critiques` is the number that the second was distilled from, 0 if people wrote it; `people` is the labels'
    criterion."""

    people: str
    first: RubricCriterion
    second: RubricCriterion
    critiques: int
    gain: KappaGain


@dataclass(frozen=True, slots=True)
class Distilled:
    """The gain of a rubric over another one, the full second rubric, and the tokens used."""

    rubric: Rubric
    measured: RubricGain
    usage: Usage


@dataclass(frozen=True, eq=False)
class LabelledRun:
    """The data for distilling and testing rubrics: labels, samples by id, and the cluster of each, which stays whole.

    At most `most` held-out answers are judged, drawn by `seed`; None for all of them. `tries` counts how often rubrics
    were compared on them, the next time included."""

    labels: Sequence[Label]
    samples: Mapping[str, Sample]
    clusters: Mapping[str, str]
    people: Criterion
    seed: int
    most: int | None = None
    tries: int = 1

    @cached_property
    def critiques(self) -> tuple[Label, ...]:
        """Labels of people with their reason, on the part that a rubric may be written from."""
        usable = [label for label in critiques(self.labels, self.people) if label.sample_id in self.samples]
        return tuple(label for label in usable if not is_held_out(self.clusters[label.sample_id]))

    @cached_property
    def levels(self) -> Mapping[str, int]:
        """The level of each labelled sample on which people agree."""
        agreed = resolve_labels(self.labels, self.people)
        return dict(zip(agreed.sample_ids, agreed.levels.tolist(), strict=True))

    def held_out(self, judge: Judge) -> tuple[Sample, ...]:
        """The labelled answers on the held-out part that the judge can judge."""
        kept = [self.samples[name] for name in sorted(self.levels) if name in self.samples]
        usable = [sample for sample in kept if is_held_out(self.clusters[sample.id])]
        return drawn_samples(judge, usable, len(usable) if self.most is None else self.most, seed=self.seed)


def is_held_out(cluster: str) -> bool:
    """Whether a cluster's labels are held out from the rubric: one half, by a hash, so that no label changes sides."""
    return assign_fold(cluster, folds=2, salt=_SALT) == 1


def distil(judge: Judge, run: LabelledRun, *, on_progress: Callable[[Progress], None] | None = None) -> Distilled:
    """The judge's one criterion rewritten from the critiques of one half, and the other half judged by both wordings.

    Clusters are never divided. HcatError if there are too few critiques; ModelError if the model gives no rubric."""
    criterion = _only_criterion(judge)
    if len(run.critiques) < LEAST_CRITIQUES:
        raise HcatError(
            f"{len(run.critiques)} labels of people on the training half say why (column rationale): at least "
            f"{LEAST_CRITIQUES} are needed to distil a rubric"
        )
    shown = _by_turns(run.critiques)
    written, usage = _written(judge.models[0], criterion, shown, run.people)
    second = replace(judge, rubric=judge.rubric.with_criterion(written))
    compared = compare_rubrics(judge, second, run, critiques=len(shown), on_progress=on_progress)
    return replace(compared, usage=total([usage, compared.usage]))


def compare_rubrics(
    first: Judge,
    second: Judge,
    run: LabelledRun,
    *,
    critiques: int = 0,
    on_progress: Callable[[Progress], None] | None = None,
) -> Distilled:
    """The gain in κ with people of a second rubric over a first on one criterion, on the held-out answers."""
    criteria = (_only_criterion(first), _only_criterion(second))
    if criteria[0].name != criteria[1].name:
        raise HcatError(f"the rubrics are on {criteria[0].name!r} and {criteria[1].name!r}: compare one criterion")
    held_out = run.held_out(first)
    requests = 2 * len(held_out) * len(first.models)

    def report(progress: Progress, *, done: int) -> None:
        if on_progress is not None:
            on_progress(Progress("judge", min(done + progress.done, requests), requests))

    judged = [
        judge_samples(judge, held_out, on_progress=partial(report, done=done))
        for judge, done in ((first, 0), (second, requests // 2))
    ]
    scores = [mean_scores(each.verdicts, criteria[0].name) for each in judged]
    both = [sample.id for sample in held_out if all(each[sample.id].value is not None for each in scores)]
    passes = [
        [(each[name].value or 0.0) >= criterion.passing for name in both]
        for each, criterion in zip(scores, criteria, strict=True)
    ]
    gain = kappa_gain(
        passes[0],
        passes[1],
        [run.levels[name] >= run.people.passing for name in both],
        rng=np.random.default_rng(run.seed),
        clusters=[run.clusters[name] for name in both],
        tries=run.tries,
    )
    measured = RubricGain(run.people.name, *criteria, critiques, gain)
    return Distilled(second.rubric, measured, total([each.usage for each in judged]))


def _only_criterion(judge: Judge) -> RubricCriterion:
    if len(judge.rubric.criteria) != 1:
        raise HcatError("rubrics are distilled and compared one criterion at a time: choose it")
    return judge.rubric.criteria[0]


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
