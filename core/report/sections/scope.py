"""What was validated and for which use, and what the report leaves out."""

from __future__ import annotations

from hcat.core.display.messages import say
from hcat.core.report.evidence.records import Evidence
from hcat.core.view.tree import Block, Callout, KeyValues, Paragraph, Quantity, Section

SCOPE = (
    "This report covers the answers that the system under validation gave to a fixed set of test cases, what "
    "automated metrics and human labels say about them, how well the metrics agree with people, and where the "
    "system is weak. It does not cover questions outside these test cases or changes to the system after the runs."
)
NO_USE = (
    "Nobody has stated what the system is for. Without an intended use, no result can be called good enough. State it "
    "on the page Risks."
)


def scope_section(evidence: Evidence) -> Section:
    """The description of the project, the intended use with its limits, and the runs that are left out."""
    blocks: list[Block] = [Paragraph((evidence.description,))] if evidence.description else []
    blocks += [Paragraph((say(SCOPE),)), _use(evidence)]
    if evidence.runs_left_out:
        names = ", ".join(evidence.runs_left_out)
        blocks.append(
            Paragraph((say("Runs of the project that this report leaves out, by choice: {names}.", names=names),))
        )
    return Section("scope", say("Scope, intended use and limits"), tuple(blocks))


def _use(evidence: Evidence) -> Block:
    """What the register of risks states of the use, or that it states nothing."""
    scope = None if evidence.register is None else evidence.register.scope
    parts = (
        ()
        if scope is None
        else ((say("Use"), scope.use), (say("Limits"), scope.limits), (say("Excluded"), scope.excluded))
    )
    stated = tuple((name, Quantity(text, "text")) for name, text in parts if text.strip())
    return KeyValues(stated) if stated else Callout("warning", say("No intended use is stated"), (say(NO_USE),))
