"""The right answers of a sample: its reference, and further ones in its metadata."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from hcat.core.text import tokens
from hcat.core.types import JsonValue, Sample

ANSWERS = "answers"
"""The metadata key of further right answers."""


def right_answers(sample: Sample) -> tuple[str, ...]:
    """The reference, and the further right answers in the sample's metadata, each once."""
    further = sample.metadata.get(ANSWERS)
    listed = [str(answer) for answer in further] if isinstance(further, list) else []
    return tuple(dict.fromkeys(answer for answer in (sample.reference, *listed) if answer and answer.strip()))


def with_right_answers(sample: Sample, answers: Sequence[str]) -> Sample:
    """The sample with the first of these as its reference; if there are several, all are in its metadata."""
    if not answers:
        return sample
    further: dict[str, JsonValue] = {ANSWERS: list(answers)} if len(answers) > 1 else {}
    return replace(sample, reference=answers[0], metadata={**sample.metadata, **further})


def with_nearest_reference(sample: Sample) -> Sample:
    """The sample with its closest right answer as reference, so that metrics compare the answer with that one.

    That is the right answer that shares most words with its answer (token F1, the first on a tie)."""
    if ANSWERS not in sample.metadata or not sample.answer or sample.erased is not None:
        return sample
    answers = right_answers(sample)
    if len(answers) < 2:
        return sample
    said = Counter(tokens(sample.answer))
    return replace(sample, reference=max(answers, key=lambda answer: _f1(said, Counter(tokens(answer)))))


def _f1(said: Counter[str], right: Counter[str]) -> float:
    return 2 * (said & right).total() / max(said.total() + right.total(), 1)
