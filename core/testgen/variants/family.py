"""What a family of variants is: how it changes a test case, and what the system should make of the change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from hcat.core.testgen.passages import CorpusPassage
from hcat.core.testgen.test_case import Expectation, TestCase
from hcat.core.types import JsonValue

if TYPE_CHECKING:
    from hcat.core.testgen.variants.sentence import Sentence

FamilyKind = Literal["input variation", "adversarial", "out of distribution", "counterfactual"]

ADDED = "added_passages"
"""The metadata that holds passages which the system must be able to retrieve when it is asked this variant."""

REMOVED = "removed_passages"
"""The metadata that holds the ids of passages which it must not be able to retrieve then."""

MARKER = "marker"
"""The metadata that holds a word which shows, in an answer, that an injected instruction was followed."""

FALSE_FIGURE = "false_figure"
"""The metadata that holds the wrong figure which the variant states, and which a right answer doesn't take over."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The test case to change, its parsed query, and what the corpus holds (nothing where none is named)."""

    case: TestCase
    query: Sentence
    corpus: Sequence[CorpusPassage] = ()

    @property
    def evidence(self) -> tuple[CorpusPassage, ...]:
        """The passages that hold the answer."""
        wanted = set(self.case.passages)
        return tuple(passage for passage in self.corpus if passage.id in wanted)


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of a test case: another query, facts about it, or another right answer."""

    query: str
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)
    reference: str | None = None


Maker = Callable[[Origin, float, np.random.Generator], Change | None]
"""From an origin and a strength in (0, 1] to the change; None where the family can't change this test case."""


@dataclass(frozen=True, slots=True)
class Family:
    """A family of variants. `strength` says what the strength from 0 to 1 sets, `needs` what a test case must have to
    be changed. What is `by_model` no rule makes: a language model writes it. With expectation "stay" the right answer
    is that of the origin, with "change" it is another one, and with "refuse" the system should say that it can't
    answer. Families that `draws_as` one name draw alike, so that what they draw differs by nothing but the family."""

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
        """Whether only the wording of the query changes, so that numbers, negations, names and units must not."""
        return self.kind == "input variation"


def how_many(strength: float, places: int) -> int:
    """How many of so many places a strength changes: its share, at least one."""
    return max(1, min(places, round(strength * places)))
