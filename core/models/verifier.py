"""The protocol of a verifier of claims, implemented by several kinds of models."""

from __future__ import annotations

from typing import Literal

from hcat.core.models.kind import Role

VerifierChoice = Literal["nli", "llm"]
"""The verifier of claims: the entailment model, or the language model."""
DEFAULT_VERIFIER: VerifierChoice = "nli"
VERIFIER = Role("verifier", "neither an entailment nor a language model")
