"""The reason why the rules write no query for a passage."""

from __future__ import annotations

import re

from hcat.core.capabilities.test_sets.facts.tables import is_of_part_of_a_year
from hcat.core.capabilities.test_sets.queries.corpus_index import CorpusIndex
from hcat.core.records.passages import CorpusPassage

_FIGURES = re.compile(r"[\s$€£%()\d.,|#–—-]*\d[\s$€£%()\d.,|#–—-]*")
_RUN_TOGETHER = re.compile(r"[A-Za-z,()-]{24,}")
_TABLE_SHARE = 0.3
"""Share of lines with figures only from which a text is a table."""


def why_nothing(passage: CorpusPassage, index: CorpusIndex) -> str:
    """The reason why the rules made no query from a passage."""
    lines = [line for line in passage.text.splitlines() if line.strip()]
    figures = sum(_FIGURES.fullmatch(line) is not None for line in lines)
    if not passage.header and figures < _TABLE_SHARE * len(lines):
        return "no sentence of it can be asked for without the passage"
    if any(fact.row is not None for fact in index.facts([passage])[0]):
        return "a table, and the document's name does not say whose"
    if any(_RUN_TOGETHER.search(line) for line in lines):
        return "a table whose words run together"
    if is_of_part_of_a_year(passage.text):
        return "a table of a part of a year"
    return "a table that is not of one value a year in each row"
