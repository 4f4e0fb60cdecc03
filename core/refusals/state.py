"""What an answer is: given, withheld rightly or wrongly, or missing. Abstention is an answer of its own kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal, get_args

from hcat.core.records.samples.erased import level_before
from hcat.core.refusals.detection import answerable, answering
from hcat.core.types import Sample

AnswerState = Literal["answered", "correct_refusal", "wrong_refusal", "refusal", "no_answer"]
"""A refusal is correct where the corpus does not hold the answer, wrong where it does, and plain "refusal" where the
test case does not tell. "no_answer": the system gave nothing, or only blanks."""

ANSWER_STATES: tuple[AnswerState, ...] = get_args(AnswerState)
REFUSALS: tuple[AnswerState, ...] = ("correct_refusal", "wrong_refusal", "refusal")
TITLES: dict[AnswerState, str] = {
    "answered": "answered",
    "correct_refusal": "correct refusal",
    "wrong_refusal": "wrong refusal",
    "refusal": "refusal (correctness unknown)",
    "no_answer": "no answer",
}
"""How people read them."""


def answer_state(sample: Sample) -> AnswerState:
    """The state of one sample's answer, by the rules of `answering` and `answerable`; as it was measured before where
    its text is erased."""
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
    """How many samples are in each state, all five of them, so that the counts add up to the samples."""
    counts = Counter(states)
    return {state: counts[state] for state in ANSWER_STATES}
