"""Who changed what, and whether the log of that is whole."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "audit",
    page=Page("Audit log", ":material/history:", "Report"),
    commands={"audit": "command:app"},
)
