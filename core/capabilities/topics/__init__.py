"""Topics of questions, contexts and documents."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "topics",
    page=Page("Topics", ":material/scatter_plot:", "Explore"),
    commands={"topics": "commands.topics:topics"},
    actions={"topic.find": "prepare", "corpus_topics.find": "prepare", "corpus_topics.rename": "prepare"},
)
