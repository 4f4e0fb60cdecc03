"""Findings: weaknesses stated by people, confirmed on fresh labels."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "findings",
    page=Page("Findings", ":material/flag:", "Explore"),
    commands={"findings": "command:app"},
    chapters=("chapter:CHAPTER",),
    actions={"finding.confirm": "prepare", "finding.change": "decide", "finding.withdraw": "decide"},
)
