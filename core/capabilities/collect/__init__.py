"""The systems under validation: how they are asked, and how their answers become a run."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "collect",
    page=Page("Collect", ":material/forum:", "Tests"),
    commands={"collect": "command:collect"},
)
