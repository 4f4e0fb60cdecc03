"""The terms of screens and reports."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "glossary",
    page=Page("Glossary", ":material/dictionary:", "Help", None),
    commands={"glossary": "command:glossary"},
)
