"""Texts as pieces that Typst sets: strings with a style, and between them the places where a line may break."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from hcat.core.display.edition import current_language
from hcat.core.view import values
from hcat.core.view.renderers.pdf.glyphs import shown
from hcat.core.view.renderers.quoted_blocks import QuotedRun
from hcat.core.view.tree import Quantity, Text
from hcat.core.view.values import show

LONGEST_UNBROKEN, CHUNK = 16, 10
"""Characters of a word that a line need not break, and of its parts where it may: narrow columns hold as many."""

LONGEST_HYPHENATED = 28
"""Letters of a word that is left whole in a language whose compounds are long: the setter hyphenates it."""

LONGEST_WITH_BOXES = 4_000
"""Characters of a word whose parts are held together by nothing; those of longer ones by zero-width spaces, which are
set faster and stay in what is copied."""

_WORDS = re.compile(r"(\s+)")
_INDENTS, INDENT = re.compile(r"^ +", re.MULTILINE), "\N{NO-BREAK SPACE}"
_JOINTS = re.compile(r".{1,10}?[-_/\\.,:;=&?@+](?!$)|.{1,10}")

Style = Literal["plain", "bold", "italic", "code", "number", "verdict", "break"]


@dataclass(frozen=True, slots=True)
class Piece:
    """Strings of one style, between which a line may break. A piece of the style "break" ends the line."""

    strings: tuple[str, ...]
    style: Style = "plain"


def pieces(text: Text) -> list[Piece]:
    """A text with its quantities. Line ends in it are spaces, as in HTML."""
    return [piece for part in text for piece in _pieces_of(part)]


def value_pieces(value: Quantity) -> list[Piece]:
    return pieces((value,))


def plain(text: str, style: Style = "plain") -> list[Piece]:
    """A text of one style on one line."""
    return [_piece(" ".join(text.split("\n")), style)] if text else []


def lines(text: str, style: Style = "plain") -> list[Piece]:
    """A text that keeps its line ends, and code its indents."""
    made: list[Piece] = []
    indented = _INDENTS.sub(lambda found: INDENT * len(found[0]), text) if style == "code" else text
    for number, line in enumerate(shown(indented).split("\n")):
        if number:
            made.append(Piece((), "break"))
        if line:
            made.append(_piece(line, style))
    return made


def run_pieces(runs: Sequence[QuotedRun]) -> list[Piece]:
    return [piece for run in runs for piece in lines(run.text, run.style)]


def text_of(text: Text) -> str:
    """A text as one string, for where nothing but a string can be: an outline, an alternative text."""
    return shown(" ".join(values.text_of(text).split()))


def _pieces_of(part: str | Quantity) -> list[Piece]:
    if isinstance(part, str):
        return plain(part)
    text = show(part)
    style: Style = "code" if part.kind == "code" else "number" if text.data else "plain"
    return plain(text.text, style)


def _piece(text: str, style: Style) -> Piece:
    visible = shown(text)
    return Piece((visible,) if style == "number" else tuple(breakable(visible)), style)


def breakable(text: str) -> Iterator[str]:
    """The text in parts, between which a line may break: within long words after a joint, or every ten characters."""
    start = ""
    for word in _WORDS.split(text):
        if len(word) <= LONGEST_UNBROKEN or word.isspace() or _is_hyphenated(word):
            start += word
            continue
        first, *others = _JOINTS.findall(word)
        if len(word) > LONGEST_WITH_BOXES:
            start += "\N{ZERO WIDTH SPACE}".join((first, *others))
            continue
        *between, last = (start + first, *others)
        yield from between
        start = last
    if start:
        yield start


def _is_hyphenated(word: str) -> bool:
    return current_language() != "en" and len(word) <= LONGEST_HYPHENATED and word.strip(".,;:()„“").isalpha()
