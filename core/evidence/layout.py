"""What an evidence pack is called by: its files, its statements, and the parts of a report that are computed."""

from __future__ import annotations

from collections.abc import Mapping

from core.evidence.standalone import ENDING

PAYLOAD = "application/vnd.in-toto+json"
RENDERINGS_PREDICATE = "https://hcat.dev/renderings/v1"
REPORT, INPUTS, VERIFIER, RENDERINGS = "report.json", "inputs.json", "verify_evidence.py", f"renderings{ENDING}"
NOT_REDONE = "not_computed_again.json"
COMPUTED = frozenset(
    {
        *("runs", "metrics", "labels", "agreements", "calibrations", "pass_rates", "verdicts", "weaknesses", "worst"),
        *("topics", "comparisons", "retrieval", "trials", "fairness", "robustness", "attacks", "privacy", "judges"),
        "tone",
    }
)
"""Parts of the evidence that are computed from runs, scores and labels; the others are taken as they are given."""

Files = Mapping[str, bytes]
