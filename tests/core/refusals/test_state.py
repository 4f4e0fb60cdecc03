"""The state of an answer: known wordings, and agreement with the metric of right refusals."""

from __future__ import annotations

import pytest

from hcat.core.refusals.state import ANSWER_STATES, AnswerState, answer_state, count_states
from hcat.core.types import Passage, Sample

DECLINES = "I could not find this in the handbook."


@pytest.mark.parametrize(
    ("answer", "reference", "relevant", "state"),
    [
        ("25 euros", "25 euros", {}, "answered"),
        ("25 euros", "The handbook does not say.", {}, "answered"),  # it should have declined, but it answers
        (DECLINES, "The handbook does not say.", {}, "correct_refusal"),
        (DECLINES, "25 euros", {}, "wrong_refusal"),
        (DECLINES, None, {"p": 1}, "wrong_refusal"),  # a relevant passage holds the answer
        (DECLINES, None, {}, "refusal"),
        (DECLINES, None, {"p": 0}, "refusal"),
        (None, "25 euros", {}, "no_answer"),
        (" \n", "25 euros", {}, "no_answer"),
    ],
)
def test_what_an_answer_is(answer: str, reference: str, relevant: dict[str, int], state: AnswerState) -> None:
    sample = Sample("a", "What is the fee?", answer, (Passage("p", "The fee is 25 euros."),), reference)
    assert answer_state(Sample(**{**_fields(sample), "relevant_ids": relevant})) == state


def test_a_refusal_that_states_something_besides_is_a_refusal_still() -> None:
    assert answer_state(Sample("a", "Which fee?", f"{DECLINES} The fee was dropped in March.")) == "refusal"


def test_counts_are_of_all_states_and_add_up() -> None:
    counts = count_states(["answered", "wrong_refusal", "answered"])
    assert counts == {"answered": 2, "correct_refusal": 0, "wrong_refusal": 1, "refusal": 0, "no_answer": 0}
    assert tuple(counts) == ANSWER_STATES


def _fields(sample: Sample) -> dict[str, object]:
    return {name: getattr(sample, name) for name in ("id", "query", "answer", "contexts", "reference")}
