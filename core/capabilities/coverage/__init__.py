"""Coverage of a corpus and of a design by the test cases."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "coverage",
    page=Page("Coverage", ":material/fact_check:", "Tests"),
    commands={"coverage": "command:coverage"},
    chapters=("chapter:CHAPTER",),
)
