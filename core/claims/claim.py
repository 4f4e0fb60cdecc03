"""Claims and their support: what a claim metric asks, and what a judge answers. No model is imported here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from core.types import JsonValue, Passage

if TYPE_CHECKING:
    from core.metrics.sample_view import SampleView

Part = Literal["answer", "reference"]
"""The parts that make claims."""
Evidence = Literal["contexts", "answer", "reference"]
"""The parts that claims are held against."""
Unit = Literal["sentence", "claim"]
"""What is judged on its own: each sentence, or each claim as the judge finds them."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a text states, to be judged on its own: `text[start:end]` of its part; no offsets where a model put it."""

    text: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the evidence supports a claim, and why.

    `supported` is None where no verdict was to be had, and `reason` says why: never to be counted either way. `D` and
    `score` = σ(D) are set by entailment only. `premise` is the text that decided, `sentences` the positions of its
    sentences in the evidence's part, and `passage` the id of the context that holds them all. `asked` is
    what a language model was asked with: prompts, settings, usage.
    """

    claim: Claim
    supported: bool | None
    score: float | None = None
    D: float | None = None
    premise: str | None = None
    passage: str | None = None
    reason: str | None = None
    sentences: tuple[int, ...] = ()
    asked: Mapping[str, JsonValue] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Check:
    """Which claims of a sample are held against what. `passage` counts from 0: that context alone, or None for all."""

    part: Part
    against: Evidence
    unit: Unit = "claim"
    passage: int | None = None


@dataclass(frozen=True, eq=False)
class ClaimTask:
    """One check of one sample, whose parts stand in sentences."""

    sample: SampleView
    check: Check

    @property
    def text(self) -> str:
        """The text that makes the claims; "" where the sample has none."""
        given = self.sample.sample
        return (given.answer if self.check.part == "answer" else given.reference) or ""

    @property
    def evidence(self) -> tuple[Passage, ...]:
        """What the claims are held against: contexts in rank order, or the one text, whose id is the part's name."""
        given, check = self.sample.sample, self.check
        if check.against == "contexts":
            return given.contexts if check.passage is None else given.contexts[check.passage : check.passage + 1]
        text = given.answer if check.against == "answer" else given.reference
        return (Passage(check.against, text or ""),)


class ClaimVerifier(Protocol):
    """Finds the claims of a text and decides on each. `revision` is what its verdicts depend on besides the texts:
    weights, or model, prompts and settings; caches and score tables carry it."""

    @property
    def name(self) -> str: ...

    @property
    def revision(self) -> str: ...

    def judge(self, tasks: Sequence[ClaimTask]) -> tuple[tuple[Verdict, ...], ...]:
        """For each task, in order, the verdicts on its claims in the order of the text; () where it makes no claim.

        Where claims can't be found, one verdict on the whole text with `supported` None and the reason. All tasks of a
        block of samples come at once, so that equal ones are judged once. Raises nothing for a single task.
        """
        ...
