"""The samples of a run, one by one: what each score was computed from."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "samples",
    page=Page("Samples", ":material/article:", "Explore"),
    commands={"samples": "command:app"},
)
