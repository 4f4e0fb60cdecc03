"""Selection: which candidates become test cases, by the same checks whether a rule or a language model wrote them."""

from hcat.core.capabilities.test_sets.selection.corpus_index import CorpusIndex, index_corpus, text_with_headings
from hcat.core.capabilities.test_sets.selection.select import Dropped, Selection, select

__all__ = ["CorpusIndex", "Dropped", "Selection", "index_corpus", "select", "text_with_headings"]
