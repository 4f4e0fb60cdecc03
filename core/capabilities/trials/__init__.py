"""Repeated answers to the same question, and their variation."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "trials",
    page=Page("Trials", ":material/repeat:", "Judge"),
    commands={"trials": "command:trials"},
    chapters=("chapter:CHAPTER",),
)
