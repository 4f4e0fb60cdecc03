"""What the whole corpus holds, by word: to find passages near a query, and to prove that none says a thing."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.testgen.facts.lexicon import word_set
from core.testgen.facts.tables import TableFact, table_facts
from core.testgen.passages import CorpusPassage
from core.text import tokens

STOP_WORDS = word_set(
    "a an the of to and or in on at for by with from as is are was were be been being it its they their them this that "
    "these those what which who whom whose when where why how much many long do does did can could may might must "
    "shall should will would have has had not no nor you your we our us i me my if than then there so such any "
    "some all each please tell know just wondering hi hello quick question idea about up most least does within "
    "after before until under into out over"
)
_LONGEST_UNSEEN = 8
"""A longer name that no text writes may be of several words."""
_DOCUMENT_NAME = re.compile(r"(?P<name>[A-Za-z]{3,})_\d{4}")


@dataclass(frozen=True, slots=True)
class StatedRow:
    """A row of a table, with the organisation and the passage that states it."""

    organisation: str
    passage: CorpusPassage
    row: TableFact


class CorpusIndex:
    """The passages of a corpus by their words. Build it once; it holds no parses."""

    def __init__(self, passages: Iterable[CorpusPassage]) -> None:
        self.passages: tuple[CorpusPassage, ...] = tuple(passages)
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, passage in enumerate(self.passages):
            for word in passage_words(passage):
                self._places[word].append(place)

    def nearest(self, query: str, *, n: int = 3) -> tuple[str, ...]:
        """The ids of the passages that share most with a query, rare words counting more."""
        scores: dict[int, float] = defaultdict(float)
        for word in set(content_words(query)):
            places = self._places.get(word, ())
            weight = math.log(1 + len(self.passages) / (1 + len(places)))
            for place in places:
                scores[place] += weight
        best = sorted(scores, key=lambda place: (-scores[place], place))[:n]
        return tuple(self.passages[place].id for place in best)

    def holding(self, words: Iterable[str]) -> tuple[CorpusPassage, ...]:
        """The passages that hold every one of the words, in their text or heading, singular or plural."""
        sets = [set(self._places.get(stem(word), ())) for word in words]
        if not sets:
            return ()
        return tuple(self.passages[place] for place in sorted(set.intersection(*sets)))

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The words that some passage writes with a small first letter."""
        return frozenset(word for passage in self.passages for word in re.findall(r"\b[a-z][\w-]*", passage.text))

    @cached_property
    def organisations(self) -> Mapping[str, str]:
        """The organisation of each document whose name begins with one ("ADOBE_2016_10K"), written as its texts do."""
        names = {passage.document: match["name"] for passage in self.passages if (match := _named(passage.document))}
        written = {name.lower(): _written(name, self._texts_of(name, names)) for name in set(names.values())}
        return {document: own for document, name in names.items() if (own := written[name.lower()]) is not None}

    def _texts_of(self, name: str, names: Mapping[str, str]) -> list[str]:
        wanted = {document for document, own in names.items() if own.lower() == name.lower()}
        return [passage.text for passage in self.passages if passage.document in wanted]

    @cached_property
    def rows(self) -> Mapping[tuple[str, str, str], tuple[StatedRow, ...]]:
        """The table rows of organisations by organisation, label in lower case, and year."""
        stated: dict[tuple[str, str, str], list[StatedRow]] = defaultdict(list)
        for passage in self.passages:
            organisation = self.organisations.get(passage.document)
            if organisation is None:
                continue
            for row in table_facts(passage.text):
                for cell in row.cells:
                    stated[organisation, row.label.lower(), cell.period].append(StatedRow(organisation, passage, row))
        return {key: tuple(rows) for key, rows in stated.items()}


def passage_words(passage: CorpusPassage) -> frozenset[str]:
    """The stems of the words of a passage and its headings."""
    return frozenset(map(stem, tokens(" ".join([*passage.heading, passage.text]))))


def content_words(text: str) -> list[str]:
    """The stems of the words of a text without those that every question has."""
    return [stem(word) for word in tokens(text) if word not in STOP_WORDS]


def overlap(query: str, passages: Sequence[CorpusPassage]) -> float:
    """The share of the query's different content words that its passages hold; 0 where it has none."""
    words = set(content_words(query))
    held = frozenset[str]().union(*map(passage_words, passages))
    return len(words & held) / len(words) if words else 0.0


def stem(word: str) -> str:
    """A word without its most frequent English endings: enough to tell that "charges" and "charged" belong together."""
    word = word.lower()
    for ending, least in (("ies", 5), ("ing", 6), ("ed", 5), ("es", 5), ("s", 4)):
        if word.endswith(ending) and len(word) >= least and not word.endswith("ss"):
            base = word[: -len(ending)]
            return f"{base}y" if ending == "ies" else base.rstrip("e")
    return word.rstrip("e") if len(word) > 3 else word


def _named(document: str) -> re.Match[str] | None:
    return _DOCUMENT_NAME.match(document)


def _written(name: str, texts: Iterable[str]) -> str | None:
    """The name as the texts write it, with small letters and spaces where they do; None for a long one not found."""
    letters = r"[^\w\n]{0,2}".join(map(re.escape, name))
    pattern = re.compile(rf"{letters}\b", re.IGNORECASE)
    spellings = Counter(match.group() for text in texts for match in pattern.finditer(text))
    if not spellings:
        return None if len(name) > _LONGEST_UNSEEN else name.title() if name.isupper() else name
    best = max(spellings, key=lambda text: (" " in text, not text.isupper(), spellings[text], text))
    return best.title() if best.isupper() else best
