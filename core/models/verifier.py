"""The role of whoever verifies claims, which models of several kinds can fill."""

from __future__ import annotations

from typing import Literal

from hcat.core.models.kind import Role

VerifierChoice = Literal["nli", "llm"]
"""Who verifies claims: the entailment model, or the language model."""
DEFAULT_VERIFIER: VerifierChoice = "nli"
VERIFIER = Role("verifier", "neither an entailment nor a language model")
