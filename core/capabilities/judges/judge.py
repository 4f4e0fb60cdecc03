"""A judge: a rubric, examples and a language model, which judges samples one by one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from hcat.core.capabilities.judges.asking import Counted, ask_in_batches
from hcat.core.capabilities.judges.rubric import Rubric, RubricCriterion
from hcat.core.capabilities.judges.verdict import JudgeVerdict, read_verdicts, verdict_schema
from hcat.core.errors import HcatError
from hcat.core.metrics.sample_view import TEXT_ERASED
from hcat.core.models.llm.language import LanguageModel, Request, Usage, total
from hcat.core.prompts import Prompt, load_prompt
from hcat.core.records.hashing import sha256_of_json
from hcat.core.refusals.detection import answering
from hcat.core.types import JsonValue, Progress, Sample

ReasonOrder = Literal["reason first", "verdict first"]
NO_ANSWER, DECLINED = "no answer", "the answer declines, which is judged as a refusal and not by a rubric"
NO_CONTEXTS, NO_REFERENCE, NO_CONFIDENCE = "no contexts", "no reference", "the answer states no confidence"
_CONFIDENCE = re.compile(r"\bconfiden(?:t|ce|tly)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class JudgedExample:
    """An answer with a person's score and reason, as shown to the judge."""

    sample: Sample
    criterion: str
    score: int
    critique: str


@dataclass(frozen=True, eq=False)
class Judge:
    """A judge: its rubric, its examples, and its models, one for each trial.

    The models of several trials differ in their seed. An answer that declines is left unscored, unless the judge
    `judges_refusals`, as in the check of its consistency on them. Judges have equal versions exactly if they are
    equal."""

    rubric: Rubric
    models: tuple[LanguageModel, ...]
    examples: tuple[JudgedExample, ...] = ()
    order: ReasonOrder = "reason first"
    judges_refusals: bool = False

    def __post_init__(self) -> None:
        if not self.models:
            raise HcatError("a judge needs a language model")

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.models[0].name

    @cached_property
    def version(self) -> str:
        """SHA-256 over prompt, rubric, examples, order, and the models with their decoding."""
        return sha256_of_json(
            {
                "prompt": self._template.title,
                "rubric": self.rubric.hash,
                "examples": [*map(_example, self.examples)],
                "order": self.order,
                "judges_refusals": self.judges_refusals,
                "models": [model.revision for model in self.models],
            }
        )

    @cached_property
    def _template(self) -> Prompt:
        return load_prompt("judge")

    def settings(self) -> dict[str, JsonValue]:
        """The settings that a record of its verdicts states besides the version."""
        return {
            "model": self.name,
            "prompt": self._template.title,
            "rubric": self.rubric.name,
            "rubric_hash": self.rubric.hash,
            "order": self.order,
            "trials": len(self.models),
            "examples": [example.sample.id for example in self.examples],
            "decoding": [dict(model.settings) for model in self.models],
        }

    def asked(self, sample: Sample) -> tuple[RubricCriterion, ...]:
        """The criteria on which this sample can be judged."""
        return tuple(each for each in self.rubric.criteria if self.unscored_reason(sample, each) is None)

    def unscored_reason(self, sample: Sample, criterion: RubricCriterion) -> str | None:
        """The reason why this sample is not judged on the criterion; None if it is."""
        reason = _missing(sample, criterion)
        return None if reason == DECLINED and self.judges_refusals else reason

    def request(self, sample: Sample, criteria: Sequence[RubricCriterion]) -> Request:
        """The request for a verdict on each of these criteria."""
        item: dict[str, JsonValue] = {"question": sample.query, "answer": sample.answer or ""}
        if any("contexts" in criterion.needs for criterion in criteria):
            item["contexts"] = [passage.text for passage in sample.contexts]
        if any("reference" in criterion.needs for criterion in criteria):
            item["reference"] = sample.reference
        names = {criterion.name for criterion in criteria}
        shown = [_example(example) for example in self.examples if example.criterion in names]
        data: dict[str, JsonValue] = {"examples": [*shown], "item": item} if shown else {"item": item}
        text = f"{self._template.text}\n\n{rubric_text(self.rubric, criteria)}"
        schema = verdict_schema(criteria, verdict_first=self.order == "verdict first")
        return Request(Prompt(self._template.name, self._template.version, text), data, schema, accepts=_ANY_OBJECT)


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdicts of a judge for each sample, criterion and trial, and the tokens used."""

    verdicts: tuple[JudgeVerdict, ...]
    usage: Usage
    cached: int


def judge_samples(
    judge: Judge, samples: Sequence[Sample], *, on_progress: Callable[[Progress], None] | None = None
) -> Judgement:
    """A verdict for every sample, every criterion of the rubric and every trial, each with a score or a reason.

    A sample that is not sent to the model (no contexts, an answer that declines) costs no request. Examples are never
    judged: HcatError if one is among the samples. Raises ModelError only if no request could succeed."""
    shown = {example.sample.id for example in judge.examples} & {sample.id for sample in samples}
    if shown:
        raise HcatError(f"the sample {min(shown)!r} is an example of the judge, and can't be judged by it")
    verdicts: list[JudgeVerdict] = []
    usages: list[Usage] = []
    asked = [(sample, criteria) for sample in samples if (criteria := judge.asked(sample))]
    requests = [judge.request(sample, criteria) for sample, criteria in asked]
    counted = Counted(on_progress, len(requests) * len(judge.models))
    for trial, model in enumerate(judge.models):
        replies = dict(zip((each.id for each, _ in asked), ask_in_batches(model, requests, counted), strict=True))
        usages += [reply.usage for reply in replies.values()]
        for sample in samples:
            verdicts += _unasked(judge, sample, trial)
            if sample.id in replies:
                verdicts += read_verdicts(replies[sample.id], judge.asked(sample), sample_id=sample.id, trial=trial)
    fresh = [usage for usage in usages if not usage.cached]
    return Judgement(tuple(verdicts), total(fresh), len(usages) - len(fresh))


def _missing(sample: Sample, criterion: RubricCriterion) -> str | None:
    """The part that the sample lacks for the criterion, a refusal last; None if it lacks nothing."""
    if sample.erased is not None:
        return TEXT_ERASED
    kind = answering(sample.answer).kind
    if kind in ("empty", "error"):
        return NO_ANSWER
    has: Mapping[str, tuple[bool, str]] = {
        "contexts": (any(passage.text.strip() for passage in sample.contexts), NO_CONTEXTS),
        "reference": (bool((sample.reference or "").strip()), NO_REFERENCE),
        "confidence": (_CONFIDENCE.search(sample.answer or "") is not None, NO_CONFIDENCE),
    }
    lacking = next((reason for need in criterion.needs for present, reason in [has[need]] if not present), None)
    return lacking or (DECLINED if kind == "refused" else None)


_ANY_OBJECT: Mapping[str, JsonValue] = {"type": "object"}
"""Replies are read criterion by criterion: if one is missing, the others still get their verdict."""


def _unasked(judge: Judge, sample: Sample, trial: int) -> list[JudgeVerdict]:
    reasons = [(each.name, judge.unscored_reason(sample, each)) for each in judge.rubric.criteria]
    return [JudgeVerdict(sample.id, name, trial, None, reason) for name, reason in reasons if reason is not None]


def rubric_text(rubric: Rubric, criteria: Sequence[RubricCriterion]) -> str:
    """The rubric as text for the judge: part of the instruction, not of the material."""
    written = "\n\n".join(
        "\n".join(
            (
                f"{criterion.name}: {criterion.question}",
                *(f"  {score} = {text}" for score, text in zip(criterion.scores, criterion.levels, strict=True)),
            )
        )
        for criterion in criteria
    )
    return f"{rubric.role}\n\nRubric\n\n{written}"


def _example(example: JudgedExample) -> dict[str, JsonValue]:
    sample = example.sample
    return {
        "question": sample.query,
        "contexts": [passage.text for passage in sample.contexts],
        "reference": sample.reference,
        "answer": sample.answer,
        "criterion": example.criterion,
        "score": example.score,
        "critique": example.critique,
    }
