"""The documents that a system answers from: read, cut into passages, stored by version."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "corpus",
    page=Page("Corpus", ":material/library_books:", "Tests"),
    commands={"corpus": "commands.corpus:corpus", "corpora": "commands.corpus:app"},
    actions={"corpus.add": "prepare", "corpus.add_version": "prepare"},
)
