"""Two answers to one question, compared by a judge in both orders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hcat.core.capabilities.judges.asking import Counted, ask_in_batches
from hcat.core.capabilities.judges.forecast import JudgeForecast, forecast_of
from hcat.core.capabilities.judges.judge import Judge, rubric_text
from hcat.core.capabilities.judges.pairs import Choice, PairVerdict
from hcat.core.capabilities.judges.rubric import RubricCriterion
from hcat.core.errors import HcatError
from hcat.core.models.llm.language import Reply, Request, Usage, total
from hcat.core.prompts import Prompt, load_prompt
from hcat.core.records.clusters import clusters_across
from hcat.core.refusals.detection import answering
from hcat.core.types import JsonValue, Passage, Progress, Sample

NO_CHOICE = "judge: no choice between the answers"
_CHOICES: Mapping[str, tuple[Choice, Choice]] = {
    "first": ("A", "B"),
    "second": ("B", "A"),
    "equal": ("tie", "tie"),
}
"""The chosen answers of a reply with A first, and with B first."""


@dataclass(frozen=True, slots=True)
class AnswerPair:
    """Two answers to one question, with the material for judging both. `right` is the better one by people, if
    known."""

    id: str
    query: str
    a: str
    b: str
    contexts: tuple[str, ...] = ()
    reference: str | None = None
    right: Choice | None = None
    cluster: str = ""
    model_a: str = ""
    model_b: str = ""


@dataclass(frozen=True, slots=True)
class AskedPair:
    """A pair with the verdicts of both orders and their reasons; `unscored` is the reason why there are none."""

    verdict: PairVerdict
    reason_a_first: str = ""
    reason_b_first: str = ""
    unscored: str = ""


@dataclass(frozen=True, slots=True)
class PairJudgement:
    """Every pair that was judged, on one criterion, with the tokens used."""

    criterion: str
    pairs: tuple[AskedPair, ...]
    usage: Usage
    cached: int

    @property
    def verdicts(self) -> tuple[PairVerdict, ...]:
        """The verdicts of pairs with a verdict in both orders: no other is counted."""
        return tuple(pair.verdict for pair in self.pairs if not pair.unscored)

    @property
    def unscored(self) -> Mapping[str, int]:
        """The number of pairs without a verdict in both orders, by reason."""
        return dict(Counter(pair.unscored for pair in self.pairs if pair.unscored).most_common())


def pairs_of_runs(
    first: Sequence[Sample],
    second: Sequence[Sample],
    criterion: RubricCriterion,
    *,
    levels: tuple[Mapping[str, int], Mapping[str, int]] = ({}, {}),
    models: tuple[str, str] = ("", ""),
) -> tuple[AnswerPair, ...]:
    """The pairs of different answers of two runs to the same question, by the samples' ids.

    `levels` are those of people in each run: the answer with the higher one is right. The contexts are those of both
    runs, each text once, so that they are the same in both orders. HcatError if nothing can be compared."""
    others = {sample.id: sample for sample in second}
    clusters = clusters_across(first, second)[0]
    pairs = []
    for sample in first:
        other = others.get(sample.id)
        if other is None or other.query != sample.query or not _comparable(sample, other, criterion):
            continue
        texts = dict.fromkeys(passage.text for passage in (*sample.contexts, *other.contexts))
        levels_of = (levels[0].get(sample.id), levels[1].get(sample.id))
        pairs.append(
            AnswerPair(
                sample.id,
                sample.query,
                sample.answer or "",
                other.answer or "",
                tuple(texts) if "contexts" in criterion.needs else (),
                sample.reference if "reference" in criterion.needs else None,
                _better(*levels_of),
                clusters[sample.id] if clusters[sample.id] != sample.id else "",
                *models,
            )
        )
    if not pairs:
        raise HcatError(
            "no answers of these runs can be compared: both need samples with the same ids and questions, answers that "
            "differ and do not decline, and what the criterion needs"
        )
    return tuple(pairs)


def drawn_pairs(pairs: Sequence[AnswerPair], n: int | None, *, seed: int) -> tuple[AnswerPair, ...]:
    """`n` of the pairs at random, in their order; all of them for None."""
    if n is None or n >= len(pairs):
        return tuple(pairs)
    drawn = np.random.default_rng(seed).permutation(len(pairs))[:n]
    return tuple(pairs[place] for place in sorted(drawn.tolist()))


def forecast_pairs(
    judge: Judge, pairs: Sequence[AnswerPair], *, prices: tuple[float | None, float | None] = (None, None)
) -> JudgeForecast:
    """The requests, tokens and cost of comparing these pairs. Nothing is sent."""
    requests = [pair_request(judge, pair, swapped=swapped) for pair in pairs for swapped in (False, True)]
    asked = [(judge.models[0], request, 1) for request in requests]
    return forecast_of(asked, samples=len(pairs), prices=prices)


def judge_pairs(
    judge: Judge, pairs: Sequence[AnswerPair], *, on_progress: Callable[[Progress], None] | None = None
) -> PairJudgement:
    """The judge's verdicts on each pair with either answer first.

    A pair without a choice in both orders is unscored with its reason. Raises ModelError only if no request could
    succeed."""
    criterion = _only(judge)
    requests = [pair_request(judge, pair, swapped=swapped) for pair in pairs for swapped in (False, True)]
    replies = ask_in_batches(judge.models[0], requests, Counted(on_progress, len(requests)))
    in_both_orders = zip(pairs, replies[::2], replies[1::2], strict=True)
    asked = [_read(pair, a_first, b_first, name=judge.name) for pair, a_first, b_first in in_both_orders]
    usages = [reply.usage for reply in replies]
    fresh = [usage for usage in usages if not usage.cached]
    return PairJudgement(criterion.name, tuple(asked), total(fresh), len(usages) - len(fresh))


def pair_request(judge: Judge, pair: AnswerPair, *, swapped: bool) -> Request:
    """The request with A first or, `swapped`, with B first; all else is the same."""
    first, second = (pair.b, pair.a) if swapped else (pair.a, pair.b)
    item: dict[str, JsonValue] = {"question": pair.query, "first_answer": first, "second_answer": second}
    if pair.contexts:
        item["contexts"] = [*pair.contexts]
    if pair.reference:
        item["reference"] = pair.reference
    template = load_prompt("judge_pair")
    text = f"{template.text}\n\n{rubric_text(judge.rubric, judge.rubric.criteria)}"
    return Request(
        Prompt(template.name, template.version, text),
        {"item": item},
        _schema(verdict_first=judge.order == "verdict first"),
    )


def _read(pair: AnswerPair, a_first: Reply, b_first: Reply, *, name: str) -> AskedPair:
    choices = (_choice(a_first, 0), _choice(b_first, 1))
    verdict = PairVerdict(
        *(pair.id, name, choices[0], choices[1], pair.right),
        *(float(len(pair.a)), float(len(pair.b)), pair.model_a, pair.model_b, pair.cluster),
    )
    lacking = next((reply for reply, choice in zip((a_first, b_first), choices, strict=True) if choice is None), None)
    if lacking is not None:
        return AskedPair(replace(verdict, a_first=None, b_first=None), unscored=lacking.reason or NO_CHOICE)
    return AskedPair(verdict, _reason(a_first), _reason(b_first))


def _choice(reply: Reply, place: int) -> Choice | None:
    named = "" if reply.content is None else str(reply.content.get("better"))
    return _CHOICES[named][place] if named in _CHOICES else None


def _reason(reply: Reply) -> str:
    return str((reply.content or {}).get("reason") or "")


def _comparable(sample: Sample, other: Sample, criterion: RubricCriterion) -> bool:
    """Whether the two answers differ and have the texts that the criterion needs; a refusal can't be compared."""
    if sample.erased is not None or other.erased is not None:
        return False
    if any(answering(each.answer).kind != "answered" for each in (sample, other)):
        return False
    if (sample.answer or "").strip() == (other.answer or "").strip():
        return False
    has = {"contexts": _texts(sample.contexts) or _texts(other.contexts), "reference": bool(sample.reference)}
    return all(has.get(need, True) for need in criterion.needs)


def _texts(contexts: Sequence[Passage]) -> bool:
    return any(passage.text.strip() for passage in contexts)


def _better(first: int | None, second: int | None) -> Choice | None:
    if first is None or second is None or first == second:
        return None
    return "A" if first > second else "B"


def _only(judge: Judge) -> RubricCriterion:
    if len(judge.rubric.criteria) != 1:
        raise HcatError("answers are compared by one criterion of the rubric: choose it")
    return judge.rubric.criteria[0]


def _schema(*, verdict_first: bool) -> dict[str, JsonValue]:
    better: JsonValue = {"type": "string", "enum": [*_CHOICES]}
    fields: list[tuple[str, JsonValue]] = [("reason", {"type": "string"}), ("better", better)]
    properties = dict(reversed(fields) if verdict_first else fields)
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}
