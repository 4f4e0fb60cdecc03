"""Seeds of attacks: ordinary questions on passages of the corpus, drawn at random."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hcat.core.errors import HcatError
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.test_case import TestCase
from hcat.core.types import Progress

_BATCH = 32


@dataclass(frozen=True, slots=True)
class SeedQuestion:
    """An ordinary question on a passage, and one that the corpus does not answer, if there is one."""

    case: TestCase
    passage: CorpusPassage
    unanswerable: TestCase | None = None


def draw_seeds(
    corpus: Sequence[CorpusPassage],
    n: int,
    *,
    tests: Sequence[TestCase] = (),
    seed: int,
    on_progress: Callable[[Progress], None] | None = None,
) -> tuple[SeedQuestion, ...]:
    """Up to n questions on distinct passages, in random order: from `tests` if there are any, otherwise by rule.

    Raises HcatError if there are fewer than two."""
    order = [int(place) for place in np.random.default_rng([seed, 1]).permutation(len(corpus))]
    shuffled = [corpus[place] for place in order]
    source = _from_tests(shuffled, tests) if tests else _by_rule(corpus, shuffled, seed)
    questions: list[SeedQuestion] = []
    for question in source:
        questions.append(question)
        if on_progress is not None:
            on_progress(Progress("find questions", len(questions), n))
        if len(questions) == n:
            break
    if len(questions) < 2:
        raise HcatError(
            "attacks are made from at least two test cases that name a passage of this corpus and its right answer"
            if tests
            else "attacks are made from questions on the corpus, and the rules find fewer than two: give test cases"
        )
    return tuple(questions)


def _from_tests(passages: Sequence[CorpusPassage], tests: Sequence[TestCase]) -> Iterator[SeedQuestion]:
    """The first case on each passage in their order, each with another unanswerable case while there are some left."""
    answered: dict[str, TestCase] = {}
    declined = [case for case in tests if case.reference is None and not case.passages and case.variant is None]
    for case in tests:
        if case.reference and case.passages and case.variant is None:
            answered.setdefault(case.passages[0], case)
    place = 0
    for passage in passages:
        if passage.id in answered:
            unanswerable = declined[place] if place < len(declined) else None
            place += 1
            yield SeedQuestion(answered[passage.id], passage, unanswerable)


def _by_rule(corpus: Sequence[CorpusPassage], passages: Sequence[CorpusPassage], seed: int) -> Iterator[SeedQuestion]:
    from hcat.core.capabilities.test_sets.queries import CorpusIndex, generate_queries

    index = CorpusIndex(corpus)
    for start in range(0, len(passages), _BATCH):
        batch = passages[start : start + _BATCH]
        rng = random.Random(f"{seed} {batch[0].id}")  # noqa: S311 - a draw, no secret
        try:
            cases = list(generate_queries(batch, types=("simple factual", "unanswerable"), rng=rng, index=index))
        except HcatError:  # passages in another language: the next ones may be in English
            continue
        for passage in batch:
            factual = [case for case in cases if case.type == "simple factual" and passage.id in case.passages]
            declined = [case for case in cases if case.type == "unanswerable" and case.nearest[:1] == (passage.id,)]
            if factual:
                yield SeedQuestion(rng.choice(factual), passage, rng.choice(declined) if declined else None)
