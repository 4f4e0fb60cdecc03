"""Risk and safety of a run's answers: findings, and known errors of the detectors."""

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
