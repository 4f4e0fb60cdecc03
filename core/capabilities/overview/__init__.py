"""The state of a project at a glance, and its next steps."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "overview",
    page=Page("Overview", ":material/dashboard:", "Project"),
)
