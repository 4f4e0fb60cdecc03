"""Sentences with their words, parts of speech and dependencies, as spaCy's small English model parses them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from hcat.core.models.spacy_model import spacy_folder
from hcat.core.text import sentences

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

MOST_WORDS = 45
"""Longer sentences are not parsed: their parses are often wrong, and queries from them unreadable."""
CURRENCIES = frozenset({"EUR", "USD", "GBP", "CHF", "€", "£"})
_CLEAN = (
    (re.compile(r"\s+"), " "),
    (re.compile(r"\s?\((?:the|collectively|each|together|see|as defined|note)\b[^()]*\)", re.IGNORECASE), ""),
)
_PIECE = re.compile(r";\s+|:\s+(?=[a-z])|\s[–—]\s|(?<=[a-z]{3}\.)(?<!Corp\.)\s+(?=[A-Z][a-z])")
_UNREADABLE = re.compile(r"[()\[\]{}|<>]|\.{3}|_{2}|https?:|\w{24}|\$\s\d")
_STAND_INS = {"costs": "requires", "cost": "require"}
"""The model often parses “costs” before an amount as a noun; it parses these verbs correctly."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a sentence: `head` is the position of the word on which it depends, its own for the root."""

    position: int
    text: str
    space: str
    lemma: str
    tag: str
    dep: str
    head: int


@dataclass(frozen=True)
class ParsedSentence:
    """A sentence of a passage, with its index among the passage's sentences, from 0, and its offset there."""

    text: str
    start: int
    place: int
    words: tuple[Word, ...]

    @cached_property
    def _children(self) -> tuple[tuple[int, ...], ...]:
        children: list[list[int]] = [[] for _ in self.words]
        for word in self.words:
            if word.head != word.position:
                children[word.head].append(word.position)
        return tuple(map(tuple, children))

    def children(self, position: int, *deps: str) -> list[Word]:
        """The words that depend on one, in order: those of the given relations, or all."""
        return [self.words[child] for child in self._children[position] if not deps or self.words[child].dep in deps]

    def subtree(self, position: int) -> list[int]:
        """The positions of a word and all that depend on it, in order."""
        positions, waiting = [], [position]
        while waiting:
            current = waiting.pop()
            positions.append(current)
            waiting.extend(self._children[current])
        return sorted(positions)

    def span(self, start: int, end: int) -> str:
        """The text of the words from `start` up to `end`, without space at its ends."""
        return "".join(word.text + word.space for word in self.words[start:end]).strip()

    @property
    def root(self) -> Word | None:
        """The head of the sentence; None if it has two."""
        roots = [word for word in self.words if word.head == word.position]
        return roots[0] if len(roots) == 1 else None


def parse(texts: Iterable[str]) -> Iterator[tuple[ParsedSentence, ...]]:
    """The readable sentences of each text, parsed. Headings, table rows, fragments and long sentences are skipped.

    Parsed in batches. Raises ModelError if the language model is missing or incomplete."""
    whole = tuple(texts)
    pieces = [(index, piece) for index, text in enumerate(whole) for piece in _pieces(text)]
    model = _model()
    docs = [model.make_doc(text) for _, (text, _, _) in pieces]
    words = [tuple(word.text for word in doc) for doc in docs]
    parsed: list[list[ParsedSentence]] = [[] for _ in whole]
    substituted = (_substituted(model, doc) for doc in docs)
    for (index, (text, start, place)), original, doc in zip(pieces, words, model.pipe(substituted), strict=True):
        parsed[index].append(ParsedSentence(text, start, place, _words(original, doc)))
    yield from map(tuple, parsed)


def _pieces(text: str) -> Iterator[tuple[str, int, int]]:
    """The possible sentences of a text: the text with plain spaces, its offset and its index."""
    for place, sentence in enumerate(sentences(text)):
        start = sentence.start
        for piece in _PIECE.split(sentence.text):
            offset = text.find(piece, start)
            cleaned = piece.strip()
            for pattern, replacement in _CLEAN:
                cleaned = pattern.sub(replacement, cleaned)
            whole = cleaned if cleaned.endswith((".", "!")) else f"{cleaned}."
            if _is_readable(whole, ends=sentence.text.rstrip().endswith((".", "!", ".”", '."'))):
                yield whole[0].upper() + whole[1:], max(offset, 0), place
            start = max(offset, start)


def _is_readable(text: str, *, ends: bool) -> bool:
    words = text.split()
    digits = sum(any(map(str.isdigit, word)) for word in words)
    return ends and 3 <= len(words) <= MOST_WORDS and digits * 3 <= len(words) + 2 and not _UNREADABLE.search(text)


def _substituted(model: Language, doc: Doc) -> Doc:
    """The same words, with those that the model misreads replaced by known ones."""
    from spacy.tokens import Doc as SpacyDoc

    words = [word.text for word in doc]
    following = [*words[1:], ""]
    plain = []
    for word, after in zip(words, following, strict=True):
        amount = after in CURRENCIES or after == "$" or after == "nothing" or after[:1].isdigit()
        number = after[:1].isdigit()
        plain.append("$" if word in CURRENCIES and number else _STAND_INS.get(word, word) if amount else word)
    return SpacyDoc(model.vocab, words=plain, spaces=[bool(word.whitespace_) for word in doc])


def _words(original: tuple[str, ...], doc: Doc) -> tuple[Word, ...]:
    return tuple(
        Word(
            position=word.i,
            text=text,
            space=word.whitespace_,
            lemma="cost" if text in _STAND_INS else word.lemma_.lower(),
            tag=word.tag_,
            dep=word.dep_,
            head=word.head.i,
        )
        for text, word in zip(original, doc, strict=True)
    )


@lru_cache(maxsize=1)
def _model() -> Language:
    import spacy

    return spacy.load(spacy_folder(), exclude=["ner"])
