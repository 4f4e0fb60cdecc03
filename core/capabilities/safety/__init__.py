"""Risk and safety of a run's answers: what was found in them, and what the finders are known to miss."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "safety",
    page=Page("Safety", ":material/health_and_safety:", "Explore"),
    commands={"safety": "command:safety"},
    chapters=(
        "chapters.privacy:CHAPTER",
        "chapters.tone:CHAPTER",
    ),
)
