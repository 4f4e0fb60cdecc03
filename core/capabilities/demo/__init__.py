"""The demo's bank, its handbook, and the small RAG system that answers from it."""

from hcat.core.capability import Capability

CAPABILITY = Capability(
    "demo",
)
