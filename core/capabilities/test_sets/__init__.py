"""Test cases: designed, generated over a corpus, selected, reviewed and stored by version."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "test_sets",
    page=Page("Test sets", ":material/quiz:", "Tests"),
    commands={
        "design": "commands.design:design",
        "generate": "commands.generating:generate",
        "select": "commands.selecting:select",
        "tests": "commands.test_sets:app",
    },
    terms={"What is tested": "terms:TERMS"},
    actions={
        "test_set.add": "prepare",
        "test_set.add_version": "prepare",
        "test_set.decide": "decide",
        "test_set.freeze": "prepare",
    },
)
