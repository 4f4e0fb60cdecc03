"""Key facts of passages: what a passage states, found in its sentences and tables."""

from core.testgen.facts.extraction import key_facts
from core.testgen.facts.key_fact import KeyFact

__all__ = ["KeyFact", "key_facts"]
