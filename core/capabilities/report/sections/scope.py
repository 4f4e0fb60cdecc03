"""Scope of the validation, the intended use, and the runs that the report leaves out."""

from __future__ import annotations

from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.capabilities.risks.view import scope_view
from hcat.core.display.messages import say
from hcat.core.view.tree import Block, Paragraph, Section

SCOPE = (
    "This report covers the answers that the system under validation gave to a fixed set of test cases, what "
    "automated metrics and human labels say about them, how well the metrics agree with people, and where the "
    "system is weak. It does not cover questions outside these test cases or changes to the system after the runs."
)


def scope_section(evidence: Evidence) -> Section:
    """The description of the project, the intended use with its limits, and the runs that are left out."""
    blocks: list[Block] = [Paragraph((evidence.description,))] if evidence.description else []
    blocks += [Paragraph((say(SCOPE),)), *scope_view(evidence.register).blocks]
    if evidence.runs_left_out:
        names = ", ".join(evidence.runs_left_out)
        blocks.append(
            Paragraph((say("Runs of the project that this report leaves out, by choice: {names}.", names=names),))
        )
    return Section("scope", say("Scope, intended use and limits"), tuple(blocks))
