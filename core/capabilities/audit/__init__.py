"""The log of changes and their authors, and checks of its integrity."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "audit",
    page=Page("Audit log", ":material/history:", "Report"),
    commands={"audit": "command:app"},
)
