"""Changes that should change no verdict: a judge that likes padding or titles is flagged, one that reads is not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hcat.core.capabilities.judges.funnel import FUNNEL
from hcat.core.capabilities.judges.judge import Judge
from hcat.core.capabilities.judges.manipulations import AUTHORITY, MANIPULATIONS, PADDING, REFUSALS, score_biases
from hcat.core.models.llm.language import Reply, Request, Usage
from hcat.core.refusals.detection import answering
from hcat.core.types import JsonValue, Passage, Sample

SAMPLES = [
    Sample(f"s{n}", "q", f"It is {n}.", (Passage("a", "one"), Passage("b", "two")), str(n), test_case=f"t{n // 2}")
    for n in range(40)
]


class Scored:
    """A model whose score is that of a function of the item."""

    name, revision, parallel = "scored", "0", 1
    settings: Mapping[str, JsonValue] = {}

    def __init__(self, score: Any) -> None:
        self.score = score

    def ask(self, request: Request) -> Reply:
        item: Any = request.data["item"]
        return Reply({"hallucination": {"reason": "", "score": self.score(item)}}, Usage(calls=1))


def shifts(score: Any) -> dict[str, Any]:
    judge = Judge(FUNNEL.only(["hallucination"]), (Scored(score),))
    return {shift.manipulation: shift for shift in score_biases(judge, SAMPLES, refusals=False).shifts}


def test_a_judge_that_reads_the_answer_alone_shows_no_bias() -> None:
    assert all(
        (shift.shift.value, shift.pass_rate.value, shift.is_flagged) == (0, 0, False)
        for shift in shifts(lambda item: 4).values()
    )


def test_a_judge_that_likes_length_is_flagged_with_its_consequence() -> None:
    by_name = shifts(lambda item: 4 if PADDING in item["answer"] else 3)
    assert by_name["verbosity"].is_flagged
    assert (by_name["verbosity"].n, by_name["verbosity"].shift.value) == (40, 1)
    assert by_name["verbosity"].pass_rate.value == 1  # every answer passes only when it is padded
    assert not by_name["authority"].is_flagged


def test_authority_and_order_are_told_apart() -> None:
    by_name = shifts(lambda item: 5 if AUTHORITY in item["answer"] else 2 if item["contexts"][0] == "two" else 3)
    assert (by_name["authority"].shift.value, by_name["position"].shift.value) == (2, -1)
    assert {name for name, shift in by_name.items() if shift.is_flagged} == {"authority", "position"}
    assert set(by_name) == set(MANIPULATIONS)


def test_one_refusal_in_several_wordings_is_compared() -> None:
    assert all(answering(text).kind == "refused" for text in REFUSALS)
    judge = Judge(FUNNEL.only(["hallucination"]), (Scored(lambda item: 5 if item["answer"] == REFUSALS[0] else 1),))
    [consistency] = score_biases(judge, SAMPLES, manipulations=(), refusals=True).refusals
    assert (consistency.n, consistency.same_verdict.value, consistency.spread.value) == (40, 0, 4)
    steady = Judge(FUNNEL.only(["hallucination"]), (Scored(lambda item: 1),))
    [consistency] = score_biases(steady, SAMPLES, manipulations=(), refusals=True).refusals
    assert (consistency.same_verdict.value, consistency.spread.value) == (1, 0)
