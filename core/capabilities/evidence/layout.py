"""Names in an evidence pack: its files, its statements, and the parts of a report that are computed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hcat.core.capabilities.evidence import standalone
from hcat.core.capabilities.evidence.standalone import ENDING
from hcat.core.records.hashing import sha256_of_bytes

PAYLOAD = "application/vnd.in-toto+json"
RENDERINGS_PREDICATE = "https://hcat.dev/renderings/v1"
REPORT, INPUTS, VERIFIER, RENDERINGS = "report.json", "inputs.json", "verify_evidence.py", f"renderings{ENDING}"
PDF, NOT_REDONE = "report.pdf", "not_computed_again.json"
TYPESETTER = "typesetter"
"""The name in the manifest for the program that set the PDF."""
COMPUTED = frozenset(
    {
        *("runs", "metrics", "labels", "agreements", "calibrations", "pass_rates", "verdicts", "weaknesses", "worst"),
        *("topics", "comparisons", "retrieval", "trials", "fairness", "robustness", "attacks", "privacy", "judges"),
        "tone",
    }
)
"""Parts of the evidence that are computed from runs, scores and labels; the others are given."""

Files = Mapping[str, bytes]


def verifier() -> bytes:
    """The program that checks a pack without hcat."""
    return Path(standalone.__file__).read_bytes()


def verifier_text() -> str:
    """The same as text, which a report prints."""
    return verifier().decode("utf-8")


def verifier_hash() -> dict[str, str]:
    """The SHA-256 of that program under its name in a report."""
    return {f"{VERIFIER}, which checks this report's evidence": sha256_of_bytes([verifier()])}
