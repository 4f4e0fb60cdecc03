"""The samples of a run, one by one, with the inputs of each score."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "samples",
    page=Page("Samples", ":material/article:", "Explore"),
    commands={"samples": "command:app"},
)
