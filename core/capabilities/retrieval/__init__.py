"""How well the passages that answer a question are found, stage by stage."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "retrieval",
    page=Page("Retrieval", ":material/manage_search:", "Explore"),
    commands={"retrieval": "command:retrieval"},
    chapters=("chapter:CHAPTER",),
)
