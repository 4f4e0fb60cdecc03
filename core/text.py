"""Divides texts into sentences with character offsets, and into normalised tokens."""

from __future__ import annotations

import re
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from hashlib import blake2b
from typing import TYPE_CHECKING, TypeVar

from hcat.core.types import JsonValue

if TYPE_CHECKING:
    from nupunkt import PunktSentenceTokenizer

LONGEST = 200
"""The most estimated word pieces in a sentence: encoders read 256 and would silently drop the rest."""

Span = tuple[int, int]
T = TypeVar("T")

_BLANK_LINES = re.compile(r"\n\s*\n")
_BULLET = re.compile(r"\n[ \t]*(?=(?:[-*+•–—·▪◦●‣►✓]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])[ \t]+[^\W_])")
_MARKER = re.compile(r"\(?(?a:\w){1,3}[.)]")
_WORD_CHARACTER = re.compile(r"[^\W_]")
_PIECE = r"(?:[^\W\d_\u0250-\U0010ffff]{1,4}|[0-9]{1,2}|\S)"
"""At least four Latin letters or two digits on average; English encoders split other scripts into characters."""
_PIECES = re.compile(_PIECE)
_LONGEST_START = re.compile(rf"(?:\s*+{_PIECE}){{0,{LONGEST}}}+\s*+")
_UNSPACED_END = re.compile(r"[。！？｡]+…*[」』”’）)】》〉]*")
"""The end of a Chinese or Japanese sentence, with the quotes and brackets that it closes; no space need follow."""
_END_SIGN, _SPACE = re.compile(r"[.!?…]"), re.compile(r"\s")
"""Characters that a block must contain for nupunkt to divide it."""
_UNSPACED = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f"
"""Chinese characters and Japanese kana, between whose words there are no spaces."""
_TOKEN = re.compile(rf"\d+(?:[.,]\d+)+|[{_UNSPACED}]|[^\W_{_UNSPACED}]+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and its position: `source[start:end] == text`."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PlacedSentence:
    """A sentence of a part of a sample.

    For contexts, `passage` is the id of the passage that its offsets refer to. `rank` is the position among the
    contexts, from 0, since an id may occur twice."""

    sentence: Sentence
    passage: str | None = None
    rank: int | None = None

    def located(self) -> dict[str, JsonValue]:
        """Text, character offsets and passage, as JSON."""
        place: dict[str, JsonValue] = {
            "text": self.sentence.text,
            "start": self.sentence.start,
            "end": self.sentence.end,
        }
        return place if self.passage is None else {"passage": self.passage, **place}


def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text, in order, without surrounding white space; none for a blank text.

    They are disjoint and together contain every character that is not white space. Boundaries are nupunkt's (legal
    and financial English), blank lines, list items and the full stops of Chinese and Japanese. A piece without a
    letter or digit, or a bare list marker, joins its neighbour. A sentence of more than about `LONGEST` word pieces,
    such as a table, is cut: at a line break if there is one, else after a comma or semicolon, else between words,
    else anywhere."""
    spans = _joined(text, (span for block in _blocks(text) for span in _punctuated(text, block)))
    cut = (piece for span in spans for piece in _cut(text, span))
    return tuple(Sentence(text[start:end], start, end) for start, end in cut)


def tokens(text: str) -> list[str]:
    """Words and numbers, compatibility-normalised and case-folded; numbers lose their thousands separators.

    Chinese and Japanese have no spaces between words, so each character is a token."""
    normal = unicodedata.normalize("NFKC", text).casefold()
    return [token.replace(",", "") for token in _TOKEN.findall(normal)]


def estimated_pieces(text: str) -> int:
    """A cautious estimate of how many word pieces an encoder's tokenizer makes of a text, without the tokenizer."""
    return len(_PIECES.findall(text))


def _blocks(text: str) -> Iterator[Span]:
    """The parts between blank lines and list items, and after the full stops of Chinese and Japanese."""
    for paragraph in _between(_BLANK_LINES, text, (0, len(text))):
        for item in _between(_BULLET, text, paragraph):
            yield from _unspaced(text, item)


def _unspaced(text: str, span: Span) -> Iterator[Span]:
    start, end = span
    for match in _UNSPACED_END.finditer(text, start, end):
        yield start, match.end()
        start = match.end()
    yield start, end


def _between(separator: re.Pattern[str], text: str, span: Span) -> Iterator[Span]:
    start, end = span
    for match in separator.finditer(text, start, end):
        yield start, match.start()
        start = match.end()
    yield start, end


def _punctuated(text: str, block: Span) -> Iterator[Span]:
    start, end = _stripped(text, block)
    if start == end:
        return
    sign = _END_SIGN.search(text, start, end)
    if sign is None or _SPACE.search(text, sign.end(), end) is None:
        yield start, end
        return
    boundaries = [start + first for first, _ in _punkt().span_tokenize(text[start:end])]
    for first, last in zip([start, *boundaries[1:]], [*boundaries[1:], end], strict=True):
        span = _stripped(text, (first, last))
        if span[0] < span[1]:
            yield span


def _joined(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Join pieces that are not sentences: symbols to the text before them, bare list markers to the text after them."""
    pending: Span | None = None
    for span in spans:
        if pending is None:
            pending = span
        elif _needs_next(text, pending) or not _WORD_CHARACTER.search(text, *span):
            pending = (pending[0], span[1])
        else:
            yield pending
            pending = span
    if pending is not None:
        yield pending


def _needs_next(text: str, span: Span) -> bool:
    return not _WORD_CHARACTER.search(text, *span) or _MARKER.fullmatch(text, *span) is not None


def _cut(text: str, span: Span) -> Iterator[Span]:
    start, end = span
    while (limit := _limit(text, start, end)) < end:
        at = _best_cut(text, start, limit)
        first, last = _stripped(text, (start, at))
        if first < last:
            yield first, last
        start = at
    first, last = _stripped(text, (start, end))
    if first < last:
        yield first, last


def _limit(text: str, start: int, end: int) -> int:
    """The position at which the pieces from `start` on reach `LONGEST`, or `end`."""
    if end - start <= LONGEST:
        return end
    match = _LONGEST_START.match(text, start, end)
    return end if match is None else match.end()


def _best_cut(text: str, start: int, limit: int) -> int:
    """The best boundary in the last three quarters, so that no short remainder is left."""
    earliest = start + (limit - start) // 4
    for boundary in (r"\n", r"[;,:|](?=\s)|[，；：、]", r"\s"):
        last = None
        for last in re.finditer(boundary, text[earliest:limit]):  # noqa: B007
            pass
        if last is not None:
            return earliest + last.end()
    return limit


def _stripped(text: str, span: Span) -> Span:
    start, end = span
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _punkt() -> PunktSentenceTokenizer:
    import nupunkt

    return nupunkt.load("default")


def remembered(most: int) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """A decorator that caches a function's results for the last `most` texts, by digest: the texts are not stored."""

    def around(work: Callable[[str], T]) -> Callable[[str], T]:
        known: OrderedDict[bytes, T] = OrderedDict()  # whose first is found at once, however many went before it

        @wraps(work)
        def of(text: str) -> T:
            key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
            if key in known:
                with suppress(KeyError):  # another thread may have made room
                    return known[key]
            said = work(text)
            while len(known) >= most:
                with suppress(KeyError):
                    known.popitem(last=False)
            known[key] = said
            return said

        return of

    return around
