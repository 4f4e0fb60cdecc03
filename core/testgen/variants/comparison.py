"""What the comparison of variants with their origins comes to: by outcome, by family, pair by pair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hcat.core.errors import HcatError
from hcat.core.estimates.robustness.change import FamilyChange, PassChanges
from hcat.core.estimates.robustness.dose_response import DoseResponse
from hcat.core.testgen.test_case import Expectation
from hcat.core.testgen.variants.answers import AnswerCheck
from hcat.core.testgen.variants.pairing import VariantPair
from hcat.core.types import Direction, Estimate


@dataclass(frozen=True, slots=True)
class OutcomeChanges:
    """How one outcome changes from origins to variants, family by family, worst first.

    Scores compare families whose answer must stay: where another answer is right, they say nothing of robustness, so
    that only labels compare the other families too. `passes` are there for labels, `doses` of families with two
    strengths or more.
    """

    outcome: str
    direction: Direction
    families: tuple[FamilyChange, ...]
    passes: Mapping[str, PassChanges]
    doses: tuple[DoseResponse, ...]


@dataclass(frozen=True, slots=True)
class FamilyAnswers:
    """What the answers to one family show by themselves: how many meet the expectation, how alike they are to those of
    their origins, and how many decline where the origin was answered."""

    family: str
    expectation: Expectation | None
    n: int
    cases: int
    met: Estimate
    similarity: Estimate
    newly_declined: int
    untold: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """One pair with all that is known of it; `values` holds variant and origin by outcome."""

    pair: VariantPair
    check: AnswerCheck
    values: Mapping[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Robustness:
    """The variants of a run beside their origins. `without_origin` variants have no answer to their origin."""

    run: str
    pairs: tuple[ComparedPair, ...]
    without_origin: int
    answers: tuple[FamilyAnswers, ...]
    outcomes: tuple[OutcomeChanges, ...]
    minimum_n: int
    q: float

    def outcome(self, name: str) -> OutcomeChanges:
        """The changes on one outcome, or HcatError naming those that there are."""
        for each in self.outcomes:
            if each.outcome == name:
                return each
        raise HcatError(f"no outcome {name!r} to compare variants by; there are: {', '.join(self.names) or 'none'}")

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each.outcome for each in self.outcomes)
