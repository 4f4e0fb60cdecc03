"""Results of the comparison of variants with their origins: by outcome, by family, pair by pair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hcat.core.capabilities.robustness.change import FamilyChange, PassChanges
from hcat.core.capabilities.robustness.dose_response import DoseResponse
from hcat.core.capabilities.robustness.variants.answers import AnswerCheck
from hcat.core.capabilities.robustness.variants.pairing import VariantPair
from hcat.core.errors import HcatError
from hcat.core.records.test_case import Expectation
from hcat.core.types import Direction, Estimate


@dataclass(frozen=True, slots=True)
class OutcomeChanges:
    """Changes of one outcome from origins to variants, by family, worst first.

    Scores compare only families with an unchanged answer; with another right answer they don't measure robustness.
    Labels compare the other families too. `passes` exist for labels, `doses` for families with at least two
    strengths."""

    outcome: str
    direction: Direction
    families: tuple[FamilyChange, ...]
    passes: Mapping[str, PassChanges]
    doses: tuple[DoseResponse, ...]


@dataclass(frozen=True, slots=True)
class FamilyAnswers:
    """Results from the answers to one family alone: number that meet the expectation, similarity to the answers of
    their origins, and number that decline although the origin was answered."""

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
    """One pair with all its results; `values` gives variant and origin by outcome."""

    pair: VariantPair
    check: AnswerCheck
    values: Mapping[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Robustness:
    """The variants of a run compared with their origins. `without_origin` variants have no answer to their origin."""

    run: str
    pairs: tuple[ComparedPair, ...]
    without_origin: int
    answers: tuple[FamilyAnswers, ...]
    outcomes: tuple[OutcomeChanges, ...]
    minimum_n: int
    q: float

    def outcome(self, name: str) -> OutcomeChanges:
        """The changes on one outcome. Raises HcatError with the available ones if there is none."""
        for each in self.outcomes:
            if each.outcome == name:
                return each
        raise HcatError(f"no outcome {name!r} to compare variants by; there are: {', '.join(self.names) or 'none'}")

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each.outcome for each in self.outcomes)
