"""Divides sentences into claims, only between two statements that are each complete.

A claim without its subject, its condition or the meaning of its pronoun would be verified for something that nobody
said. So in any doubt the sentence stays whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hcat.core.text import Sentence

Span = tuple[int, int]

_SEMICOLON = re.compile(r";\s+(?:(?:and|but|or)\s+)?")
_COORDINATED = re.compile(r",\s+(?:and|but|while|whereas)\s+(?:also\s+)?", re.IGNORECASE)
_ENSURED = re.compile(r",?\s+and\s+that\s+", re.IGNORECASE)
_ENSURING = re.compile(r"\b(?:ensur(?:e|es|ed|ing)|mak(?:e|es|ing) sure)\b", re.IGNORECASE)
"""Verbs whose content counts as stated, unlike reported speech."""
_ITEM = re.compile(r"(?:(?<=^)|(?<=\s))(?:\(?(?:[ivx]{1,4}|[a-h]|\d{1,2})\))\s+(?=\S)")
"""A list marker within a sentence: (a), (ii), 3)."""

_MARKER = re.compile(r"(?:[-*+•–—·▪◦●‣►✓]|\(?\d{1,3}[.)]|\(?[a-z]{1,3}\))\s+(?=\S)")
"""A list marker at the beginning: it states nothing, and its number is no fact."""
_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\"[^\"]*\"|“[^”]*”")
"""Nothing is cut within brackets or quotation marks."""
_DEPENDS = re.compile(
    r"\b(?:if|unless|whether|although|though|because|since|until|provided|suppose|assuming|that|who|whose|which|where|"
    r"when|whenever|either|neither|both|not only|said|says|according)\b",
    re.IGNORECASE,
)
"""Words between parts that are not true on their own: conditions, reports, relatives."""
_ANAPHOR = re.compile(
    r"\b(?:it|its|itself|they|them|their|theirs|he|him|his|she|her|hers|we|us|our|you|your|i|my|this|that|these|those|"
    r"such|here|there|former|latter|same|respectively|one|ones|another|other|others|some|none|both|each|so|do|does|did|"
    r"doing|thus|therefore|hence|instead|otherwise|too|also|then|vice)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_FINITE_WORDS = (
    "is are was were isn't aren't wasn't weren't has have had hasn't haven't hadn't can could may might must shall "
    "should will would cannot can't couldn't won't wouldn't shouldn't rose fell grew shrank went came gave took ran "
    "began became chose drew drove knew saw wrote spoke requires require applies apply includes include contains "
    "contain allows allow provides provide receives receive remains remain takes gives begins exceeds exceed keeps "
    "serves becomes become occurs occur expires expire consists consist depends depend pays"
)
FINITE = frozenset(_FINITE_WORDS.split())
"""Words that are finite verbs in any position: no nouns ("costs", "reports"), no participles ("sold", "held")."""
_INTRANSITIVE = re.compile(
    r"\b(?:increased|decreased|declined|remained|dropped|climbed|jumped|doubled|tripled|totall?ed|amounted|exceeded|"
    r"reached|improved|expired|ended|started|opened|closed|lasted)"
    r"(?=\s*(?:$|[.,;$€£%\d])|\s+(?:by|to|from|in|at|on|over|for|more|less|above|below|[^\W\d_]+ly)\b)"
)
"""Participles before a noun ("increased costs") are excluded."""


def statement(sentence: Sentence) -> Sentence:
    """The sentence without the list marker that it begins with."""
    marker = _MARKER.match(sentence.text)
    if marker is None:
        return sentence
    return Sentence(sentence.text[marker.end() :], sentence.start + marker.end(), sentence.end)


def clauses(sentence: Sentence) -> tuple[Sentence, ...]:
    """The claims of a sentence in order, with offsets: its whole statement, or its complete clauses.

    Cut at semicolons, before list markers, and at ", and", ", but", ", while", ", whereas", if every piece has a
    subject before a verb; and before the second of two things that are ensured ("ensuring A, and that B"). A piece
    without them, or with a pronoun or another word that refers back, stays with the piece before it. A sentence with a
    condition, a report or a relative clause is not cut otherwise. By rule, for English."""
    sentence = statement(sentence)
    ensured = _ensured(sentence.text)
    if ensured is not None:
        return tuple(_cut_out(sentence, span) for span in ensured)
    pieces = list(_pieces(sentence.text))
    if len(pieces) == 1 or _DEPENDS.search(sentence.text):
        return (sentence,)
    return tuple(_cut_out(sentence, span) for span in _standing(sentence.text, pieces))


def _cut_out(sentence: Sentence, span: Span) -> Sentence:
    start, end = span
    return Sentence(sentence.text[start:end], sentence.start + start, sentence.start + end)


def _ensured(text: str) -> tuple[Span, Span] | None:
    """The two parts of "… ensuring A, and that B": the text before "and that", and B, if B is complete."""
    joint = _ENSURED.search(text)
    if joint is None or len(_ENSURED.findall(text)) > 1 or not _ENSURING.search(text, 0, joint.start()):
        return None
    rest = text[joint.end() :]
    if (
        _DEPENDS.search(text[: joint.start()].replace("that", "", 1))
        or _DEPENDS.search(rest)
        or not _is_self_contained(rest)
    ):
        return None
    return (0, joint.start()), (joint.end(), len(text))


def _pieces(text: str) -> Iterator[Span]:
    """The spans between the possible joints of clauses; the joining words themselves are left out."""
    shut = [match.span() for match in _BRACKETED.finditer(text) if not _ITEM.match(f"{match.group()} x")]
    joints = [match.span() for sign in (_SEMICOLON, _COORDINATED, _ITEM) for match in sign.finditer(text)]
    start = 0
    for first, last in sorted(joints):
        if first < start or any(low < first < high for low, high in shut):
            continue
        if text[start:first].strip():
            yield start, first
        start = last
    yield start, len(text)


def _standing(text: str, pieces: list[Span]) -> list[Span]:
    """The spans with each incomplete piece joined to the one before it, or, at the beginning, to the next."""
    joined: list[Span] = []
    for start, end in pieces:
        if joined and not (
            _is_self_contained(text[joined[-1][0] : joined[-1][1]]) and _is_self_contained(text[start:end])
        ):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return [(start, start + len(text[start:end].rstrip())) for start, end in joined]


def _is_self_contained(piece: str) -> bool:
    """Whether the piece has a subject before a finite verb, and no word that refers elsewhere or ahead."""
    if _ANAPHOR.search(piece) or piece.rstrip().endswith(":"):
        return False
    return any(_WORD.search(piece, 0, place) for place in _verbs(piece))


def _verbs(piece: str) -> Iterator[int]:
    """The positions of finite verbs."""
    yield from (match.start() for match in _INTRANSITIVE.finditer(piece))
    before = ""
    for match in _WORD.finditer(piece):
        word = match.group().replace("’", "'")
        if word.casefold() in FINITE and before != "to" and word != "May":
            yield match.start()
        before = word.casefold()
