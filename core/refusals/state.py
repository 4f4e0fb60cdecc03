"""The state of an answer: given, withheld rightly or wrongly, or missing. Abstention is a state of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal, get_args

from hcat.core.records.samples.erased import level_before
from hcat.core.refusals.detection import answerable, answering
from hcat.core.types import Sample

AnswerState = Literal["answered", "correct_refusal", "wrong_refusal", "refusal", "no_answer"]
"""A refusal is correct if the corpus does not contain the answer, wrong if it does, and else plain "refusal".

That is if the test case does not show it. "no_answer": the system gave nothing, or only blanks."""

ANSWER_STATES: tuple[AnswerState, ...] = get_args(AnswerState)
REFUSALS: tuple[AnswerState, ...] = ("correct_refusal", "wrong_refusal", "refusal")
TITLES: dict[AnswerState, str] = {
    "answered": "answered",
    "correct_refusal": "correct refusal",
    "wrong_refusal": "wrong refusal",
    "refusal": "refusal (correctness unknown)",
    "no_answer": "no answer",
}
"""The states in words for display."""


def answer_state(sample: Sample) -> AnswerState:
    """The state of one sample's answer, by the rules of `answering` and `answerable`.

    As it was measured before if its text is erased."""
    if sample.erased is not None:
        before = level_before(sample, "answer_state")
        return next((state for state in ANSWER_STATES if state == before), "answered")
    kind = answering(sample.answer).kind
    if kind != "refused":
        return "answered" if kind == "answered" else "no_answer"
    is_answerable = answerable(sample)
    if is_answerable is None:
        return "refusal"
    return "wrong_refusal" if is_answerable else "correct_refusal"


def count_states(states: Iterable[AnswerState]) -> dict[AnswerState, int]:
    """The number of samples in each state, all five of them, so that the counts sum to the samples."""
    counts = Counter(states)
    return {state: counts[state] for state in ANSWER_STATES}
