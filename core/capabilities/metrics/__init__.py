"""The metrics: definitions, limits, and scoring by them."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "metrics",
    page=Page("Metrics", ":material/functions:", "Help", None),
    commands={"score": "command:score", "metrics": "command:metrics"},
    chapters=("chapter:CHAPTER", "chapter:ALL_METRICS"),
    terms={"Metrics and scores": "terms:TERMS"},
)
