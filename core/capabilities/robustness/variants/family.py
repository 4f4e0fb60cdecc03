"""The definition of a family of variants: its change to a test case, and the expected effect on the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from hcat.core.records.passages import CorpusPassage
from hcat.core.records.test_case import Expectation, TestCase
from hcat.core.types import JsonValue

if TYPE_CHECKING:
    from hcat.core.capabilities.robustness.variants.sentence import Sentence

FamilyKind = Literal["input variation", "adversarial", "out of distribution", "counterfactual"]


REMOVED = "removed_passages"
"""Metadata key: ids of passages that the system must not be able to retrieve when it is asked this variant."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The test case to change, its parsed query, and the passages of the corpus (empty if none is given)."""

    case: TestCase
    query: Sentence
    corpus: Sequence[CorpusPassage] = ()

    @property
    def evidence(self) -> tuple[CorpusPassage, ...]:
        """The passages that contain the answer."""
        wanted = set(self.case.passages)
        return tuple(passage for passage in self.corpus if passage.id in wanted)


@dataclass(frozen=True, slots=True)
class Change:
    """The change of a test case: another query, facts about it, or another right answer."""

    query: str
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)
    reference: str | None = None


Maker = Callable[[Origin, float, np.random.Generator], Change | None]
"""Makes the change from an origin and a strength in (0, 1]; returns None if the family can't change this test case."""


@dataclass(frozen=True, slots=True)
class Family:
    """A family of variants.

    `strength` describes the quantity that the strength from 0 to 1 sets, `needs` the requirements on a test case.
    `by_model` families are written by a language model. With expectation "stay" the right answer is that of the origin,
    with "change" it is another one, and with "refuse" the system should say that it can't answer. Families with the
    same `draws_as` use the same random draws, so that their variants differ only by family."""

    name: str
    title: str
    kind: FamilyKind
    expectation: Expectation
    strength: str
    needs: str
    description: str
    make: Maker
    is_graded: bool = True
    draws_as: str = ""
    by_model: bool = False

    @property
    def keeps_meaning(self) -> bool:
        """Whether only the wording of the query changes, so that numbers, negations, names and units must be
        preserved."""
        return self.kind == "input variation"


def how_many(strength: float, places: int) -> int:
    """The number of `places` that a strength changes: its share, at least one."""
    return max(1, min(places, round(strength * places)))
