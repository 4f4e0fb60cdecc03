"""GRAMMAR: texts that mean the same stand in one semantic group, and are answered alike by a robust system."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "grammar",
    page=Page("GRAMMAR", ":material/format_quote:", "Tests"),
    commands={"grammar": "commands.grammar:app"},
)
