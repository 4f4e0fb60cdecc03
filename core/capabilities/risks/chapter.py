"""Risks, the evidence on each, and the risks that no test covers."""

from __future__ import annotations

from hcat.core.capabilities.report.chapter import Chapter
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.capabilities.risks.view import coverage_view, register_view
from hcat.core.display.messages import say
from hcat.core.view.tree import Paragraph, Section

INTRODUCTION = (
    "What people expect may go wrong, with the evidence of this project that touches it. Verdicts are people's; they "
    "are not derived from numbers."
)


def risks_section(evidence: Evidence) -> Section | None:
    """None where nobody has signed a register."""
    register, there = evidence.register, evidence.risk_evidence
    if register is None or not register.version:
        return None
    blocks = (*register_view(register, there).blocks, *coverage_view(register, there).blocks)
    return Section("risks", say("Risks"), (Paragraph((say(INTRODUCTION),)), *blocks))


def _some_risk_is_answered(evidence: Evidence) -> bool:
    return evidence.register is not None and any(risk.verdict != "open" for risk in evidence.register.risks)


CHAPTER = Chapter("risks", "Risks", risks_section, _some_risk_is_answered, after="findings")
