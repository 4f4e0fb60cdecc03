"""Key facts of passages: statements found in their sentences and tables."""

from hcat.core.capabilities.test_sets.facts.extraction import key_facts
from hcat.core.capabilities.test_sets.facts.key_fact import KeyFact

__all__ = ["KeyFact", "key_facts"]
