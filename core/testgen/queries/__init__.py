"""Queries of each type by rule, from the key facts of passages."""

from hcat.core.testgen.queries.corpus_index import CorpusIndex
from hcat.core.testgen.queries.generate import QUERY_TYPES, generate_queries
from hcat.core.testgen.queries.nothing import why_nothing

__all__ = ["QUERY_TYPES", "CorpusIndex", "generate_queries", "why_nothing"]
