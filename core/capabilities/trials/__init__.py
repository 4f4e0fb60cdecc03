"""Repeated answers to the same question: how far they vary."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "trials",
    page=Page("Trials", ":material/repeat:", "Judge"),
    commands={"trials": "command:trials"},
    chapters=("chapter:CHAPTER",),
)
