"""What a text claims, and which claims of a sample are held against what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Part = Literal["answer", "reference"]
"""The parts that make claims."""
Evidence = Literal["contexts", "answer", "reference"]
"""The parts that claims are held against."""
Unit = Literal["sentence", "claim"]
"""What is verified on its own: each sentence, or each claim as the verifier finds them."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a text states, to be verified on its own: `text[start:end]` of its part; no offsets where a model put it."""

    text: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """Which claims of a sample are held against what. `passage` counts from 0: that context alone, or None for all."""

    part: Part
    against: Evidence
    unit: Unit = "claim"
    passage: int | None = None
