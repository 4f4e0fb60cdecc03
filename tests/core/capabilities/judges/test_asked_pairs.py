"""Pairs of answers asked about in both orders: what is asked, what is read, and what a judge of slots shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from hcat.core.capabilities.judges.asked_pairs import (
    NO_CHOICE,
    drawn_pairs,
    forecast_pairs,
    judge_pairs,
    pair_request,
    pairs_of_runs,
)
from hcat.core.capabilities.judges.funnel import FUNNEL
from hcat.core.capabilities.judges.judge import Judge
from hcat.core.capabilities.judges.pair_file import asked_pairs_jsonl, read_pair_verdicts
from hcat.core.capabilities.judges.pairs import POSITION, VERBOSITY, pair_biases
from hcat.core.errors import HcatError
from hcat.core.models.llm.language import Reply, Request, Usage
from hcat.core.types import JsonValue, Passage, Sample

RUBRIC = FUNNEL.only(["captured_rate"])
CRITERION = RUBRIC.criteria[0]


class Scripted:
    """A language model that chooses as it is told to."""

    name, revision, parallel = "scripted", "0", 1
    settings: Mapping[str, JsonValue] = {}

    def __init__(self, choose: Callable[[Mapping[str, JsonValue]], str | None]) -> None:
        self.choose = choose

    def ask(self, request: Request) -> Reply:
        item = request.data["item"]
        assert isinstance(item, dict)
        better = self.choose(item)
        if better is None:
            return Reply(None, Usage(calls=1), "language model: no JSON")
        return Reply({"reason": "so", "better": better}, Usage(calls=1))


def run(answer: Callable[[int], str], n: int = 24) -> list[Sample]:
    return [
        Sample(f"s{k}", f"What is {k}?", answer(k), (Passage("p", f"{k} it is."),), f"It is {k}.",
               test_case=f"c{k // 2}", trial=k % 2)
        for k in range(n)
    ]  # fmt: skip


RIGHT, WRONG = run(lambda k: f"It is {k}."), run(lambda k: f"It is {k + 1}, says the handbook.")


def by_reference(item: Mapping[str, JsonValue]) -> str:
    return "first" if item["first_answer"] == item["reference"] else "second"


def test_both_orders_are_asked_and_nothing_else_differs() -> None:
    [pair, *_] = pairs_of_runs(RIGHT, WRONG, CRITERION)
    judge = Judge(RUBRIC, (Scripted(by_reference),))
    as_it_is, swapped = (pair_request(judge, pair, swapped=each) for each in (False, True))
    one, other = as_it_is.data["item"], swapped.data["item"]
    assert isinstance(one, dict) and isinstance(other, dict)
    assert (one["first_answer"], one["second_answer"]) == (other["second_answer"], other["first_answer"])
    assert {**one, "first_answer": "", "second_answer": ""} == {**other, "first_answer": "", "second_answer": ""}
    assert as_it_is.prompt == swapped.prompt
    assert forecast_pairs(judge, pairs_of_runs(RIGHT, WRONG, CRITERION)).requests == 48


def test_a_judge_that_reads_prefers_the_right_answers_wherever_they_stand() -> None:
    ones = dict.fromkeys((sample.id for sample in RIGHT), 1)
    pairs = pairs_of_runs(RIGHT, WRONG, CRITERION, levels=(ones, dict.fromkeys(ones, 0)))
    judged = judge_pairs(Judge(RUBRIC, (Scripted(by_reference),)), pairs)
    [bias] = pair_biases(judged.verdicts)
    assert (bias.n, bias.preferred.value, bias.consistent.value, bias.accuracy.value) == (24, 1, 1, 1)
    assert (bias.preferred_if_first.value, bias.preferred_if_second.value) == (1, 1)
    assert not bias.effect(POSITION).is_flagged
    assert bias.effect(VERBOSITY).why_not == "the right answer is never the longer one"
    assert bias.preferred.low < 0.8  # twelve clusters of two trials, not 24 pairs


def test_a_judge_of_the_first_slot_is_flagged_with_what_it_does_to_the_share() -> None:
    judged = judge_pairs(Judge(RUBRIC, (Scripted(lambda item: "first"),)), pairs_of_runs(RIGHT, WRONG, CRITERION))
    [bias] = pair_biases(judged.verdicts)
    assert (bias.preferred.value, bias.preferred_if_first.value, bias.preferred_if_second.value) == (0.5, 1, 0)
    assert bias.effect(POSITION).is_flagged and bias.effect(POSITION).effect.value == 1
    assert bias.accuracy.n == 0  # nobody said which answer is right
    assert "which answer is right is not known" in bias.effect(VERBOSITY).why_not


def test_a_pair_without_both_verdicts_is_in_no_number() -> None:
    def choose(item: Mapping[str, JsonValue]) -> str | None:
        if item["question"] == "What is 3?":
            return None if item["first_answer"] == item["reference"] else "first"
        return "neither" if item["question"] == "What is 5?" else by_reference(item)

    judged = judge_pairs(Judge(RUBRIC, (Scripted(choose),)), pairs_of_runs(RIGHT, WRONG, CRITERION))
    assert len(judged.verdicts) == 22
    assert judged.unscored == {"language model: no JSON": 1, NO_CHOICE: 1}
    written = asked_pairs_jsonl(judged, judge="scripted")
    assert repr(pair_biases(read_pair_verdicts(written))) == repr(pair_biases(judged.verdicts))


def test_only_different_answers_to_the_same_question_are_compared() -> None:
    declined = run(lambda k: "I cannot answer that." if k else "It is 0.", n=3)
    with pytest.raises(HcatError, match="no answers of these runs can be compared"):
        pairs_of_runs(RIGHT[:3], declined, CRITERION)
    with pytest.raises(HcatError, match="no answers of these runs can be compared"):
        pairs_of_runs(RIGHT, RIGHT, CRITERION)
    pairs = pairs_of_runs(RIGHT, WRONG, CRITERION)
    few = drawn_pairs(pairs, 5, seed=7)
    assert len(few) == 5 and few == drawn_pairs(pairs, 5, seed=7)
    assert drawn_pairs(pairs, None, seed=7) == pairs
