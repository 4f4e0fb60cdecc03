"""Quality of the retrieval of passages that answer a question, stage by stage."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "retrieval",
    page=Page("Retrieval", ":material/manage_search:", "Explore"),
    commands={"retrieval": "command:retrieval"},
    chapters=("chapter:CHAPTER",),
)
