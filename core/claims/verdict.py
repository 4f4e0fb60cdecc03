"""Verdicts: whether the evidence supports a claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hcat.core.claims.claim import Check, Claim
from hcat.core.claims.query import Hypothesis
from hcat.core.types import JsonValue


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the evidence supports a claim, and why.

    `supported` is None if there is no verdict, and `reason` says why: never to be counted either way. `D` and `score` =
    σ(D) are set by entailment only. `premise` is the text that decided, `sentences` the positions of its sentences in
    the evidence's part, and `passage` the id of the context that contains them all. `asked` is the input of a language
    model: prompts, settings, usage. `hypothesis` is the text compared in the claim's place, if it is another text;
    `facts` are the verdicts on the facts of a claim that was not supported as a whole: all of them together support it,
    some of them a part of it."""

    claim: Claim
    supported: bool | None
    score: float | None = None
    D: float | None = None
    premise: str | None = None
    passage: str | None = None
    reason: str | None = None
    sentences: tuple[int, ...] = ()
    asked: Mapping[str, JsonValue] = field(default_factory=dict, hash=False)
    hypothesis: Hypothesis | None = None
    facts: tuple[Verdict, ...] = ()

    @property
    def partly(self) -> bool:
        """Whether the evidence supports some of the claim's facts but not the claim."""
        return self.supported is False and any(fact.supported for fact in self.facts)


@dataclass(frozen=True, slots=True)
class ClaimVerdicts:
    """A sample's verdicts on each check that was made, in the order of the text."""

    of: Mapping[Check, tuple[Verdict, ...]]
