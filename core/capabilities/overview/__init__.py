"""The state of a project at a glance, and what to do next."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "overview",
    page=Page("Overview", ":material/dashboard:", "Project"),
)
