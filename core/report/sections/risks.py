"""What may go wrong, which evidence touches it, and what no test touches."""

from __future__ import annotations

from core.records.risks import RiskRegister, risk_coverage
from core.report.evidence.records import Evidence
from core.report.tree import Block, Bullets, Column, Paragraph, Section, Table, Value

INTRODUCTION = (
    "What people expect may go wrong, with the evidence of this project that touches it. Verdicts are people's; they "
    "are not derived from numbers."
)


def risks_section(evidence: Evidence) -> Section | None:
    """None where nobody has signed a register."""
    register = evidence.register
    if register is None or not register.version:
        return None
    blocks: list[Block] = [Paragraph((INTRODUCTION,))]
    if register.risks:
        blocks.append(_table(register, {each.name: each.says for each in evidence.risk_evidence}))
    coverage = risk_coverage(register, evidence.risk_evidence)
    said = [f"No test or finding touches: {risk}." for risk in coverage.untouched]
    said += [f"{risk}: “{name}” is no longer there." for risk, name in coverage.gone]
    if said:
        blocks.append(Bullets(tuple((sentence,) for sentence in said)))
    day = "" if register.at is None else f" on {register.at:%-d %B %Y}"
    blocks.append(Paragraph((f"Version {register.version}, signed by {register.author}{day}.",)))
    return Section("risks", "Risks", tuple(blocks))


def _table(register: RiskRegister, says: dict[str, str]) -> Table:
    columns = (
        *(Column("Risk"), Column("What goes wrong"), Column("Severity"), Column("Evidence")),
        *(Column("Verdict"), Column("Reason")),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            *(risk.risk, risk.failure_mode or None, risk.severity),
            "; ".join(f"{name} ({says.get(name, 'no longer there')})" for name in risk.evidence) or "none",
            *(risk.verdict, risk.reason or None),
        )
        for risk in register.risks
    )
    return Table("Risk register", columns, rows)
