"""The claims of a text, and the checks of a sample: which claims are verified against which part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Part = Literal["answer", "reference"]
"""The parts that make claims."""
Evidence = Literal["contexts", "answer", "reference"]
"""The parts against which claims are verified."""
Unit = Literal["sentence", "claim"]
"""The unit of verification: each sentence, or each claim as the verifier finds them."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement in a text, to be verified on its own: `text[start:end]` of its part; no offsets if a model worded
    it."""

    text: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """The claims of a sample to verify, and the evidence. `passage` counts from 0: that context alone, or None for
    all."""

    part: Part
    against: Evidence
    unit: Unit = "claim"
    passage: int | None = None
