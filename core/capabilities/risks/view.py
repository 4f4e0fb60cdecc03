"""The risk register of a project: its scope, its risks, and which evidence touches them."""

from __future__ import annotations

from collections.abc import Sequence

from hcat.core.display.messages import say
from hcat.core.records.risks import RiskEvidence, RiskRegister, risk_coverage
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Bullets, Callout, KeyValues, Paragraph, Quantity, Table, Value
from hcat.core.view.view import View

NO_USE = (
    "Nobody has stated what the system is for. Without an intended use, no result can be called good enough. State it "
    "on the page Risks."
)


def scope_view(register: RiskRegister | None) -> View:
    """The intended use, its limits and its exclusions, or a note that nobody has stated a use."""
    parts = {}
    if register is not None:
        scope = register.scope
        parts = {say("Use"): scope.use, say("Limits"): scope.limits, say("Excluded"): scope.excluded}
    stated = tuple((name, Quantity(text, "text")) for name, text in parts.items() if text.strip())
    return View(
        (KeyValues(stated) if stated else Callout("warning", say("No intended use is stated"), (say(NO_USE),)),)
    )


def register_view(register: RiskRegister, evidence: Sequence[RiskEvidence]) -> View:
    """The risks with the current results of their evidence, the verdicts of people, and the signature."""
    signed = Paragraph((signed_text(register),))
    if not register.risks:
        return View((signed,))
    says = {each.name: each.says for each in evidence}
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
    return View((Table(say("Risk register"), columns, rows), signed))


def signed_text(register: RiskRegister) -> str:
    """Text on the version of the register, its signatory and the time."""
    if not register.version:
        return say("Nobody has signed a register yet.")
    at = "" if register.at is None else say(" on {register.at:%-d %B %Y, %H:%M} UTC", register=register)
    return say("Version {register.version}, signed by {register.author}{at}.", register=register, at=at)


def coverage_view(register: RiskRegister, evidence: tuple[RiskEvidence, ...]) -> View:
    """Risks without evidence, broken links, and the current result and risks of each piece of evidence."""
    coverage = risk_coverage(register, evidence)
    blocks: list[Block] = []
    if coverage.untouched:
        untouched = say(
            "No test or finding touches: {risks}. Link evidence to them, or make tests.",
            risks="; ".join(coverage.untouched),
        )
        blocks.append(Callout("warning", say("Risks without evidence"), (untouched,)))
    elif register.risks:
        touched = say("Each risk is touched by some test or finding.")
        blocks.append(Callout("good", say("No risk without evidence"), (touched,)))
    gone = [say("{risk}: “{name}” is no longer there.", risk=risk, name=name) for risk, name in coverage.gone]
    if gone:
        blocks.append(Bullets(tuple((sentence,) for sentence in gone)))
    if not evidence:
        none = say("The project holds no run, test set or finding yet that could touch a risk.")
        return View((*blocks, Paragraph((none,))))
    rows = tuple(
        (
            *(each.name, each.says),
            "; ".join(risk.risk for risk in register.risks if each.name in risk.evidence) or say("no risk"),
        )
        for each in evidence
    )
    columns = (column("Evidence"), column("Says now"), column("Touches"))
    return View((*blocks, Table(say("Evidence of this project"), columns, rows)))
