"""A judge's verdict on one criterion of one sample: a score with its reason, or why there is no score."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from hcat.core.capabilities.judges.rubric import RubricCriterion
from hcat.core.errors import FileFormatError
from hcat.core.models.llm.language import Reply
from hcat.core.records.codec import JSON
from hcat.core.records.file_limits import check_values
from hcat.core.records.json_text import json_value
from hcat.core.types import JsonValue, Score

NO_VERDICT = "judge: no verdict on this criterion"
MALFORMED = "judge: a verdict that is no score of the rubric"
OTHER_CRITERIA = "judge: verdicts on criteria that were not asked"


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """One verdict of one trial. If `score` is None, `reason` says why."""

    sample_id: str
    criterion: str
    trial: int
    score: int | None
    reason: str


def verdict_schema(criteria: Sequence[RubricCriterion], *, verdict_first: bool) -> dict[str, JsonValue]:
    """A schema with one required object per criterion and nothing else, so that the server can enforce it."""
    properties: dict[str, JsonValue] = {}
    for criterion in criteria:
        score: JsonValue = {"type": "integer", "enum": [*criterion.scores]}
        fields: list[tuple[str, JsonValue]] = [("reason", {"type": "string"}), ("score", score)]
        ordered = dict(reversed(fields) if verdict_first else fields)
        properties[criterion.name] = {
            "type": "object",
            "properties": ordered,
            "required": [*ordered],
            "additionalProperties": False,
        }
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


def read_verdicts(
    reply: Reply, criteria: Sequence[RubricCriterion], *, sample_id: str, trial: int
) -> tuple[JudgeVerdict, ...]:
    """One verdict for every requested criterion, for any reply.

    A criterion that is missing or malformed has none. If the reply has criteria that were not requested, it is unclear
    which text the others are about, and none counts."""
    content = reply.content
    names = {criterion.name for criterion in criteria}
    if content is None:
        reasons = dict.fromkeys(names, reply.reason or "language model: no verdict")
        return tuple(JudgeVerdict(sample_id, each.name, trial, None, reasons[each.name]) for each in criteria)
    if not set(content) <= names:
        return tuple(JudgeVerdict(sample_id, each.name, trial, None, OTHER_CRITERIA) for each in criteria)
    return tuple(_verdict(content, each, sample_id, trial) for each in criteria)


def _verdict(content: Mapping[str, JsonValue], criterion: RubricCriterion, sample_id: str, trial: int) -> JudgeVerdict:
    if criterion.name not in content:
        return JudgeVerdict(sample_id, criterion.name, trial, None, NO_VERDICT)
    given = content[criterion.name]
    score = given.get("score") if isinstance(given, dict) else None
    if not isinstance(given, dict) or isinstance(score, bool) or score not in criterion.scores:
        return JudgeVerdict(sample_id, criterion.name, trial, None, MALFORMED)
    return JudgeVerdict(sample_id, criterion.name, trial, int(str(score)), str(given.get("reason") or ""))


def mean_scores(verdicts: Iterable[JudgeVerdict], criterion: str) -> dict[str, Score]:
    """The mean over the trials of each sample; unscored if any trial has no verdict."""
    by_sample: dict[str, list[JudgeVerdict]] = {}
    for verdict in verdicts:
        if verdict.criterion == criterion:
            by_sample.setdefault(verdict.sample_id, []).append(verdict)
    return {sample_id: _mean(trials) for sample_id, trials in by_sample.items()}


def _mean(trials: Sequence[JudgeVerdict]) -> Score:
    lacking = [verdict for verdict in trials if verdict.score is None]
    if lacking:
        where = "" if len(trials) == 1 else f" (in {len(lacking)} of {len(trials)} trials)"
        return Score(None, f"{lacking[0].reason}{where}")
    return Score(math.fsum(verdict.score or 0 for verdict in trials) / len(trials))


def verdicts_jsonl(verdicts: Iterable[JudgeVerdict]) -> str:
    """The verdicts as JSON Lines."""
    return "".join(json.dumps(JSON.write_object(verdict), ensure_ascii=False) + "\n" for verdict in verdicts)


def read_verdicts_jsonl(text: str, *, name: str = "The file") -> tuple[JudgeVerdict, ...]:
    """The inverse of `verdicts_jsonl`. Raises FileFormatError."""
    check_values(text)
    try:
        return tuple(JSON.read(JudgeVerdict, json_value(line)) for line in text.split("\n") if line.strip())
    except (ValueError, FileFormatError) as error:
        raise FileFormatError(f"{name} holds no verdicts of a judge: {error}") from None
