"""Labels that people give: queues, the desk, files."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "labelling",
    page=Page("Labelling", ":material/label:", "Judge", "project"),
    commands={"labels": "commands.labels:app", "queue": "commands.queues:app"},
    terms={"Labels and agreement": "terms:TERMS"},
)
