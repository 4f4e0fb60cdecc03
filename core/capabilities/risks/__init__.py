"""The register of risks, and the evidence for each."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "risks",
    page=Page("Risks", ":material/gpp_maybe:", "Act"),
    commands={"risks": "command:app"},
    chapters=("chapter:CHAPTER",),
    actions={"risks.state": "prepare"},
)
