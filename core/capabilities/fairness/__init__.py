"""Differences between groups of people: paired over the same question, or matched; with equivalence tests."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "fairness",
    page=Page("Fairness", ":material/balance:", "Explore"),
    commands={"bias": "command:bias"},
    chapters=("chapter:CHAPTER",),
    terms={"Fairness, attacks, judges and policies": "terms:TERMS"},
    actions={"fairness.settle": "prepare"},
)
