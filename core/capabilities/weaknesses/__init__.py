"""Slices of a run in which the system does worse than elsewhere, with tests for a whole family of slices."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "weaknesses",
    page=Page("Weaknesses", ":material/grid_on:", "Explore"),
    commands={"weakness": "commands.weaknesses:weakness", "compare-slices": "commands.paired_slices:compare_slices"},
    chapters=(
        "chapter:CHAPTER",
        "chapter:ALL_SLICES",
    ),
    terms={"Weaknesses": "terms:TERMS"},
)
