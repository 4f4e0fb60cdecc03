"""Word index of the whole corpus: to find passages near a query, and to prove that none states a fact."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from hcat.core.capabilities.test_sets.facts.context import Topic, topic_of
from hcat.core.capabilities.test_sets.facts.extraction import key_facts
from hcat.core.capabilities.test_sets.facts.key_fact import KeyFact
from hcat.core.capabilities.test_sets.facts.lexicon import word_set
from hcat.core.capabilities.test_sets.facts.parsing import parse
from hcat.core.capabilities.test_sets.facts.tables import TableFact, table_facts
from hcat.core.claims.words import STOP_WORDS, stem, stems, words
from hcat.core.records.passages import CorpusPassage

_ASKING = word_set(
    "many much long any some all each please tell know just wondering hi hello quick question idea happen most least "
    "within after before until under out over such up like whether"
)
"""Question words without content."""
_DIGITS = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
QUANTITY = re.compile(
    rf"(?:EUR |USD |GBP |CHF |[$€£]){_DIGITS}(?: (?:million|billion))?|{_DIGITS}%|"
    r"\d+ (?:business |calendar )?(?:minutes|hours|days|weeks|months|years)\b|\d{1,2}:\d{2}"
)
"""Amounts, percentages, periods and times as texts write them."""
_NAME = re.compile(r"(?<![.!?:] )\b[A-Z][a-z]+(?: [A-Z][a-z]+)+\b")
MOST_SIBLINGS = 40
"""Maximum number of names under one heading that are compared with one another."""
MOST_SHARING = 8
"""A name in more passages than this is not used as a link."""
MOST_HELD = 2_000
"""Maximum number of passages whose key facts are cached."""
_LONGEST_UNSEEN = 8
"""A longer name that no text contains may consist of several words."""
_DOCUMENT_NAME = re.compile(r"(?P<name>[A-Za-z]{3,})_\d{4}")


@dataclass(frozen=True, slots=True)
class StatedRow:
    """A row of a table, with the organisation and the passage that states it."""

    organisation: str
    passage: CorpusPassage
    row: TableFact


class CorpusIndex:
    """The passages of a corpus indexed by words. Expensive to build: reuse it."""

    def __init__(self, passages: Iterable[CorpusPassage]) -> None:
        self.passages: tuple[CorpusPassage, ...] = tuple(passages)
        self._facts: dict[str, tuple[KeyFact, ...]] = {}
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, passage in enumerate(self.passages):
            for word in passage_words(passage):
                self._places[word].append(place)

    def nearest(self, query: str, *, n: int = 3) -> tuple[str, ...]:
        """The ids of the passages that share most with a query, with higher weights for rare words."""
        scores: dict[int, float] = defaultdict(float)
        for word in dict.fromkeys(content_words(query)):  # in their order: sums of the same words have the same bits
            places = self._places.get(word, ())
            weight = math.log(1 + len(self.passages) / (1 + len(places)))
            for place in places:
                scores[place] += weight
        best = sorted(scores, key=lambda place: (-scores[place], place))[:n]
        return tuple(self.passages[place].id for place in best)

    def holding(self, wanted: Iterable[str]) -> tuple[CorpusPassage, ...]:
        """The passages that contain every one of the words, in their text or heading, singular or plural."""
        sets = [set(self._places.get(stem(word.casefold()), ())) for word in wanted]
        if not sets:
            return ()
        return tuple(self.passages[place] for place in sorted(set.intersection(*sets)))

    def facts(self, passages: Sequence[CorpusPassage]) -> tuple[tuple[KeyFact, ...], ...]:
        """The key facts of each passage. The most recent ones are cached, so that a linked passage is not parsed
        again."""
        new = {passage.id: passage for passage in passages if passage.id not in self._facts}
        texts = [passage.text for passage in new.values()]
        for passage, parsed in zip(new.values(), parse(texts) if texts else (), strict=True):
            self._facts[passage.id] = key_facts(passage, parsed, vocabulary=self.vocabulary)
        facts = tuple(self._facts[passage.id] for passage in passages)
        while len(self._facts) > MOST_HELD:
            del self._facts[next(iter(self._facts))]
        return facts

    @cached_property
    def topics(self) -> Mapping[str, tuple[Topic, tuple[CorpusPassage, ...]]]:
        """The topics of the headings by phrase, with the passages under them."""
        named: dict[str, tuple[Topic, list[CorpusPassage]]] = {}
        for passage in self.passages:
            topic = topic_of(passage.heading, self.vocabulary)
            if topic is not None and len(topic.phrase.split()) > 1:
                named.setdefault(topic.phrase, (topic, []))[1].append(passage)
        return {phrase: (topic, tuple(under)) for phrase, (topic, under) in named.items()}

    def mentioned(self, passage: CorpusPassage) -> tuple[tuple[Topic, tuple[CorpusPassage, ...]], ...]:
        """Topics of other headings that the text of a passage mentions, with the passages under these headings."""
        text, own = passage.text.lower(), passage.id
        ends = {stem(word) for word in words(passage.text)}
        near = [topic for word in sorted(ends & self._topics_by_end.keys()) for topic in self._topics_by_end[word]]
        return tuple(
            self.topics[phrase]
            for phrase in near
            if re.search(rf"\b{re.escape(phrase.lower().removesuffix('s'))}s?\b", text)
            if all(one.id != own for one in self.topics[phrase][1])
        )

    def beside(self, passage: CorpusPassage, *, n: int) -> tuple[CorpusPassage, ...]:
        """Up to n passages of the same document, the nearest first."""
        others, place = self._by_document[passage.document], self._place_in_document.get(passage.id, 0)
        near = range(max(0, place - n), min(len(others), place + n + 1))
        return tuple(others[at] for at in sorted(near, key=lambda at: abs(at - place)) if at != place)[:n]

    @cached_property
    def _by_document(self) -> Mapping[str, list[CorpusPassage]]:
        under: dict[str, list[CorpusPassage]] = defaultdict(list)
        for passage in self.passages:
            under[passage.document].append(passage)
        return under

    @cached_property
    def _place_in_document(self) -> Mapping[str, int]:
        return {one.id: place for others in self._by_document.values() for place, one in enumerate(others)}

    @cached_property
    def _topics_by_end(self) -> Mapping[str, list[str]]:
        """The phrases of `topics` by the stem of their last word, at most `MOST_SIBLINGS` of each."""
        by_end: dict[str, list[str]] = defaultdict(list)
        for phrase, (topic, _) in self.topics.items():
            end = stem(words(phrase)[-1]) if words(phrase) else ""
            if not topic.clause and not topic.is_action and len(by_end[end]) < MOST_SIBLINGS:
                by_end[end].append(phrase)
        return by_end

    @cached_property
    def siblings(self) -> Mapping[str, tuple[tuple[Topic, tuple[CorpusPassage, ...]], ...]]:
        """The names among the headings by the heading above them, at most `MOST_SIBLINGS` of each."""
        under: dict[str, list[tuple[Topic, tuple[CorpusPassage, ...]]]] = defaultdict(list)
        for topic, passages in self.topics.values():
            if topic.name and topic.parent and len(under[topic.parent]) < MOST_SIBLINGS:
                under[topic.parent].append((topic, passages))
        return {parent: tuple(named) for parent, named in under.items()}

    @cached_property
    def names(self) -> Mapping[str, tuple[str, ...]]:
        """The names of two or more words that a few passages have in common, with the ids of these."""
        naming: dict[str, dict[str, None]] = defaultdict(dict)
        for passage in self.passages:
            for name in names_in(passage):
                naming[name][passage.id] = None
        return {name: tuple(ids) for name, ids in naming.items() if 1 < len(ids) <= MOST_SHARING}

    @cached_property
    def by_id(self) -> Mapping[str, CorpusPassage]:
        """The passages by their ids."""
        return {passage.id: passage for passage in self.passages}

    @cached_property
    def quantities(self) -> Mapping[tuple[str, str], tuple[str, ...]]:
        """The amounts, percentages and counted things that the texts state, by document ("" for all) and unit."""
        stated: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        for passage in self.passages:
            for match in QUANTITY.finditer(passage.text):
                stated[passage.document, unit_of(match.group())][match.group()] = None
                stated["", unit_of(match.group())][match.group()] = None
        return {key: tuple(texts) for key, texts in stated.items()}

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
    return stems(" ".join([*passage.heading, passage.text]))


def content_words(text: str) -> list[str]:
    """The stems of the words of a text without those common to all questions."""
    return [stem(word) for word in words(text) if word not in STOP_WORDS and word not in _ASKING]


def overlap(query: str, passages: Sequence[CorpusPassage]) -> float:
    """The share of the query's distinct content words that its passages contain; 0 without content words."""
    content = set(content_words(query))
    held = frozenset[str]().union(*map(passage_words, passages))
    return len(content & held) / len(content) if content else 0.0


def names_in(passage: CorpusPassage) -> tuple[str, ...]:
    """The names of two or more words in a passage and its last heading, each once."""
    text = " ".join([*passage.heading[-1:], passage.text])
    return tuple(dict.fromkeys(match.group() for match in _NAME.finditer(text)))


def unit_of(quantity: str) -> str:
    """The unit of a quantity, without its number: "EUR", "%", "business days"."""
    return re.sub(r"[\d.,]+", "", quantity).strip().lower()


def _named(document: str) -> re.Match[str] | None:
    return _DOCUMENT_NAME.match(document)


def _written(name: str, texts: Iterable[str]) -> str | None:
    """The name as the texts write it, in their case and spacing; None for a long name that is not found."""
    letters = r"[^\w\n]{0,2}".join(map(re.escape, name))
    pattern = re.compile(rf"{letters}\b", re.IGNORECASE)
    spellings = Counter(match.group() for text in texts for match in pattern.finditer(text))
    if not spellings:
        return None if len(name) > _LONGEST_UNSEEN else name.title() if name.isupper() else name
    best = max(spellings, key=lambda text: (" " in text, not text.isupper(), spellings[text], text))
    return best.title() if best.isupper() else best
