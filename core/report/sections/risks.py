"""What may go wrong, which evidence touches it, and what no test touches."""

from __future__ import annotations

from hcat.core.display.messages import say
from hcat.core.records.risks import RiskRegister, risk_coverage
from hcat.core.report.evidence.records import Evidence
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Bullets, Paragraph, Section, Table, Value

INTRODUCTION = (
    "What people expect may go wrong, with the evidence of this project that touches it. Verdicts are people's; they "
    "are not derived from numbers."
)


def risks_section(evidence: Evidence) -> Section | None:
    """None where nobody has signed a register."""
    register = evidence.register
    if register is None or not register.version:
        return None
    blocks: list[Block] = [Paragraph((say(INTRODUCTION),))]
    if register.risks:
        blocks.append(_table(register, {each.name: each.says for each in evidence.risk_evidence}))
    coverage = risk_coverage(register, evidence.risk_evidence)
    said = [say("No test or finding touches: {risk}.", risk=risk) for risk in coverage.untouched]
    said += [say("{risk}: “{name}” is no longer there.", risk=risk, name=name) for risk, name in coverage.gone]
    if said:
        blocks.append(Bullets(tuple((sentence,) for sentence in said)))
    day = "" if register.at is None else say(" on {register.at:%-d %B %Y}", register=register)
    blocks.append(
        Paragraph((say("Version {register.version}, signed by {register.author}{day}.", register=register, day=day),))
    )
    return Section("risks", say("Risks"), tuple(blocks))


def _table(register: RiskRegister, says: dict[str, str]) -> Table:
    columns = (
        *(column("Risk"), column("What goes wrong"), column("Severity"), column("Evidence")),
        *(column("Verdict"), column("Reason")),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            *(risk.risk, risk.failure_mode or None, say(risk.severity)),
            "; ".join(f"{name} ({says.get(name) or say('no longer there')})" for name in risk.evidence) or say("none"),
            *(say(risk.verdict), risk.reason or None),
        )
        for risk in register.risks
    )
    return Table(say("Risk register"), columns, rows)
