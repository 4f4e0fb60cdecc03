"""Candidates by rule, from the key facts of a passage."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from core.errors import HcatError
from core.testgen.passages import CorpusPassage
from core.testgen.query_source import Ask, Written
from core.testgen.test_case import TestCase
from core.types import JsonValue

if TYPE_CHECKING:
    from core.testgen.queries import CorpusIndex

MOST_A_TYPE = 3
"""Candidates of one type taken of a passage, drawn at random from all that the rules make."""


class RuleSource:
    """The rules over one corpus. They read each passage once, and the same passages with the same seed alike."""

    name = "rules"
    types_at_once = 7

    def __init__(self, corpus: Sequence[CorpusPassage], *, seed: int) -> None:
        self.settings: Mapping[str, JsonValue] = {"generator": self.name, "candidates_a_type": MOST_A_TYPE}
        self._corpus, self._seed = tuple(corpus), seed
        self._read: dict[str, dict[str, list[TestCase]]] = {}
        self._nothing: dict[str, str] = {}

    def write(self, asks: Sequence[Ask]) -> tuple[Written, ...]:
        """Up to `MOST_A_TYPE` candidates for each ask; none where the rules make none of the passage."""
        new = {ask.passage.id: ask.passage for ask in asks if ask.passage.id not in self._read}
        for passage in new.values():
            self._read[passage.id] = self._candidates(passage)
        return tuple(
            Written(tuple(self._read[ask.passage.id].get(ask.type, ())), nothing=self._nothing.get(ask.passage.id, ""))
            for ask in asks
        )

    def _candidates(self, passage: CorpusPassage) -> dict[str, list[TestCase]]:
        from core.testgen.queries import generate_queries, why_nothing

        rng = random.Random(f"{self._seed} {passage.id}")  # noqa: S311 - a draw, no secret
        try:
            cases = list(generate_queries([passage], rng=rng, index=self._index, own_words=True))
        except HcatError:  # the next passage may be in English
            self._nothing[passage.id] = "it is not in English"
            return {}
        if not cases:
            self._nothing[passage.id] = why_nothing(passage, self._index)
        by_type: dict[str, list[TestCase]] = defaultdict(list)
        for case in rng.sample(cases, len(cases)):
            if len(by_type[case.type]) < MOST_A_TYPE:
                by_type[case.type].append(case)
        return by_type

    @cached_property
    def _index(self) -> CorpusIndex:
        from core.testgen.queries import CorpusIndex

        return CorpusIndex(self._corpus)
