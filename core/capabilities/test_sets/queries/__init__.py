"""Queries of each type by rule, from the key facts of passages."""

from hcat.core.capabilities.test_sets.queries.corpus_index import CorpusIndex
from hcat.core.capabilities.test_sets.queries.generate import QUERY_TYPES, generate_queries
from hcat.core.capabilities.test_sets.queries.nothing import why_nothing

__all__ = ["QUERY_TYPES", "CorpusIndex", "generate_queries", "why_nothing"]
