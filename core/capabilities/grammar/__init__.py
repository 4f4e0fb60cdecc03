"""GRAMMAR: texts with the same meaning form one semantic group, and a robust system answers them alike."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "grammar",
    page=Page("GRAMMAR", ":material/format_quote:", "Tests"),
    commands={"grammar": "commands.grammar:app"},
)
