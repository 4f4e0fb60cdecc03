"""Pass rates, the difference of two runs, and the labels that either takes."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "estimates",
    page=Page("Estimates", ":material/straighten:", "Judge"),
    commands={
        "estimate": "commands.estimates:estimate",
        "compare": "commands.estimates:compare",
        "plan": "commands.planning:plan",
    },
    chapters=(
        "chapters.results:CHAPTER",
        "chapters.comparison:CHAPTER",
    ),
    terms={"Estimates": "terms:TERMS"},
)
