"""A query as parsed: its words, and which of them must be unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from hcat.core.models.spacy_model import spacy_folder

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Token

_NEGATIONS = """no not n't n’t never none nobody nothing nowhere neither nor without cannot hardly barely unless except
less plus minus"""
_UNITS = """second minute hour day week fortnight month quarter year decade century night weekday weekend daily weekly
monthly quarterly yearly annual annually euro cent dollar pound sterling franc yen percent percentage point basis bp bps
metre meter kilometre kilometer km mile cm mm kg gram tonne litre liter kwh degree gigabyte megabyte thousand million
billion trillion dozen hundred half double twice once thrice"""
_NAMES = """PERSON ORG GPE LOC PRODUCT FAC NORP EVENT WORK_OF_ART LAW LANGUAGE DATE TIME MONEY PERCENT QUANTITY CARDINAL
ORDINAL"""
NEGATIONS = frozenset(_NEGATIONS.split())
UNITS = frozenset(_UNITS.split())
_NAMED = frozenset(_NAMES.split())
_WHOLE = (
    re.compile(r"\([a-h]\)\s.*", re.DOTALL),  # the options of a multiple choice
    re.compile(r"\"[^\"]+\"|“[^”]+”|(?<!\w)'[^']+'(?!\w)"),
    re.compile(r"https?://\S+|www\.\S+|\S+@\S+\.\w+"),
    re.compile(r"\S*\d\S*"),
)
_ARTICLES = frozenset({"a", "an", "the"})
_WORD = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class Edit:
    """Replacement of the text between two offsets."""

    start: int
    end: int
    text: str


class Sentence:
    """A parsed query. `protected` are the offsets of characters that a family must not change."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def doc(self) -> Doc:
        return parser()(self.text)

    @cached_property
    def protected(self) -> frozenset[int]:
        """Offsets of the characters of numbers, units, negations, names, quotations, links and options."""
        offsets: set[int] = set()
        for token in self.doc:
            if _is_protected(token):
                offsets.update(range(token.idx, token.idx + len(token.text)))
        for pattern in _WHOLE:
            for match in pattern.finditer(self.text):
                offsets.update(range(*match.span()))
        return frozenset(offsets)

    def is_free(self, start: int, end: int) -> bool:
        """Whether the text between these offsets may be changed."""
        return self.protected.isdisjoint(range(start, end))

    def free(self, token: Token) -> bool:
        """Whether a token may be changed: not protected, and not attached to a negation as in "isn't"."""
        return self.is_free(token.idx, token.idx + len(token.text))

    @cached_property
    def free_words(self) -> tuple[Token, ...]:
        """The words of letters only that may be changed."""
        return tuple(token for token in self.doc if _WORD.fullmatch(token.text) and self.free(token))

    @cached_property
    def protected_words(self) -> tuple[str, ...]:
        """The protected tokens as written, in order, without articles: "a month" may become "per month"."""
        return tuple(
            token.text
            for token in self.doc
            if not token.is_space and token.text not in _ARTICLES and not self.free(token)
        )

    @cached_property
    def evident_words(self) -> tuple[str, ...]:
        """The protected words that are recognised by their form: numbers, units, and capitalised names."""
        return tuple(
            token.text
            for token in self.doc
            if token.like_num or _is_unit(token) or _looks_like_name(token) or any(map(str.isdigit, token.text))
        )

    def edited(self, edits: Iterable[Edit]) -> str:
        """The text with these edits, which don't overlap."""
        text = self.text
        for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
            text = text[: edit.start] + edit.text + text[edit.end :]
        return text


def _is_protected(token: Token) -> bool:
    lower = token.lower_
    following = token.nbor(1) if token.i + 1 < len(token.doc) else None
    glued_to_negation = following is not None and not token.whitespace_ and following.lower_ in NEGATIONS
    return (
        token.like_num
        or token.tag_ in {"CD", "NNP", "NNPS", "$"}
        or token.ent_type_ in _NAMED
        or lower in NEGATIONS
        or token.dep_ == "neg"
        or glued_to_negation
        or _is_unit(token)
        or (following is not None and lower == "business" and _is_unit(following))
        or _looks_like_name(token)
    )


def _is_unit(token: Token) -> bool:
    return token.lower_ in UNITS or token.lower_.removesuffix("s") in UNITS or token.text in {"%", "€", "$", "£"}


def _looks_like_name(token: Token) -> bool:
    """Whether it is capitalised other than at the beginning of a sentence, or has more than one capital."""
    letters = token.text
    if letters in {"I", "A"} or not letters[:1].isalpha():
        return False
    if sum(letter.isupper() for letter in letters) > 1:
        return True
    begins = token.is_sent_start or token.i == 0 or token.nbor(-1).text in {":", ".", "?", "!", '"', "(", "-", "–"}
    return letters[0].isupper() and not begins


@lru_cache(maxsize=1)
def parser() -> Language:
    """The packaged English parser. Raises ModelError if it is missing or incomplete."""
    import spacy

    return spacy.load(spacy_folder())


@lru_cache(maxsize=1)
def lexicon() -> frozenset[str]:
    """The lower-case words that the parser knows: a misspelling that equals one of them is another word."""
    import spacy

    # Loaded afresh: parsing adds the words of queries to the strings of the parser in use.
    return frozenset(word for word in spacy.load(spacy_folder()).vocab.strings if word.isalpha() and word.islower())
