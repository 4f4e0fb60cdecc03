"""Cutting of documents into passages at headings, between paragraphs, between sentences of long ones, and between table
rows.

A passage never crosses a heading. Within a section, paragraphs are joined up to the maximum length. A longer paragraph
is cut between sentences, a longer sentence between words. A passage's id is its document and a hash of its text: it is
unaffected by insertions elsewhere, and changes with the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from hcat.core.errors import HcatError
from hcat.core.records.documents import Block, Document
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.words import count_words, word_ends
from hcat.core.text import sentences

WORDS, OVERLAP = 120, 0
SHORTEST, LONGEST = 10, 2000
_ID_DIGITS = 10


@dataclass(frozen=True, slots=True)
class _Span:
    """A stretch of text that is not cut any further."""

    start: int
    end: int
    words: int
    page: int | None


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of text that becomes a passage; `header` is the header row of its table."""

    spans: tuple[_Span, ...]
    heading: tuple[str, ...]
    header: str = ""


def cut(document: Document, *, words: int = WORDS, overlap: int = OVERLAP) -> tuple[CorpusPassage, ...]:
    """The document's passages, in its order. `words` is the maximum length; a passage begins with up to `overlap` words
    of the previous one, as whole sentences, if that is in the same section.

    Each part of a table begins with the table's header row, which may use up to half of the length."""
    check_cutting(words=words, overlap=overlap)
    pieces = [
        piece
        for heading, blocks in _sections(document)
        for piece in _cut_section(document.text, heading, blocks, words=words, overlap=overlap)
    ]
    seen: Counter[str] = Counter()
    return tuple(_passage(document, piece, seen) for piece in pieces)


def check_cutting(*, words: int, overlap: int) -> None:
    """Raise HcatError if these lengths are out of range."""
    if not SHORTEST <= words <= LONGEST:
        raise HcatError(f"passages have from {SHORTEST} to {LONGEST:,} words, not {words:,}")
    if not 0 <= overlap <= words // 2:
        raise HcatError(f"passages of {words:,} words can overlap by 0 to {words // 2:,} words, not {overlap:,}")


def _sections(document: Document) -> Iterator[tuple[tuple[str, ...], list[Block]]]:
    """The heading path and the blocks of each section. A heading without content is text of its parent section."""
    path: list[tuple[int, str]] = []
    body: list[Block] = []
    last: Block | None = None
    for block in document.blocks:
        if block.kind != "heading":
            body.append(block)
            last = None
            continue
        if body:
            yield _titles(path), body
            body = []
        elif last is not None and block.level <= last.level:
            yield _titles(path[:-1]), [last]
        path = [(level, title) for level, title in path if level < block.level]
        path.append((block.level, " ".join(document.text[block.start : block.end].split())))
        last = block
    if body:
        yield _titles(path), body
    elif last is not None:
        yield _titles(path[:-1]), [last]


def _titles(path: Sequence[tuple[int, str]]) -> tuple[str, ...]:
    return tuple(title for _, title in path)


def _cut_section(
    text: str, heading: tuple[str, ...], blocks: Sequence[Block], *, words: int, overlap: int
) -> Iterator[_Piece]:
    for header, group in _tables_apart(blocks):
        shown = text[header.start : header.end] if header is not None else ""
        room = max(words - count_words(shown), words // 2)
        is_table = group[0].kind in ("header", "row")
        limit, shared = (room, 0) if is_table else (words, overlap)
        paragraphs = [_spans(text, block, words=limit, divide=shared > 0) for block in group]
        for spans in _packed(paragraphs, words=limit, overlap=shared):
            yield _Piece(tuple(spans), heading, shown)


def _tables_apart(blocks: Sequence[Block]) -> Iterator[tuple[Block | None, list[Block]]]:
    """Tables, each with its header row, and the paragraphs between them. A header alone is a row."""
    for is_text, run in groupby(blocks, key=lambda block: block.kind == "paragraph" or block.kind == "heading"):
        if is_text:
            yield None, list(run)
            continue
        table: list[Block] = []
        for row in run:
            if row.kind == "header" and table:
                yield _table(table)
                table = []
            table.append(row)
        yield _table(table)


def _table(rows: list[Block]) -> tuple[Block | None, list[Block]]:
    return (rows[0], rows[1:]) if rows[0].kind == "header" and len(rows) > 1 else (None, rows)


def _spans(text: str, block: Block, *, words: int, divide: bool) -> list[_Span]:
    """The block as one span; its sentences if it is too long or overlap needs them; word groups of longer sentences."""
    whole = _Span(block.start, block.end, count_words(text[block.start : block.end]), block.page)
    if whole.words <= words and not divide:
        return [whole]
    spans: list[_Span] = []
    for sentence in sentences(text[block.start : block.end]):
        n = count_words(sentence.text)
        start = block.start + sentence.start
        ends = [len(sentence.text)] if n <= words else word_ends(sentence.text, every=words)
        begin = 0
        for end in ends:
            piece = sentence.text[begin:end]
            indent = len(piece) - len(piece.lstrip())
            spans.append(_Span(start + begin + indent, start + end, count_words(piece), block.page))
            begin = end
    return spans


def _packed(paragraphs: Sequence[Sequence[_Span]], *, words: int, overlap: int) -> Iterator[list[_Span]]:
    """Stretches joined while they fit: whole paragraphs first, sentences of those that are too long by themselves."""
    current: list[_Span] = []
    for paragraph in paragraphs:
        fits_alone = sum(span.words for span in paragraph) <= words
        for group in [list(paragraph)] if fits_alone else [[span] for span in paragraph]:
            length = sum(span.words for span in group)
            if current and sum(span.words for span in current) + length > words:
                yield current
                current = _tail(current, min(overlap, words - length))
            current.extend(group)
    if current:
        yield current


def _tail(spans: Sequence[_Span], most: int) -> list[_Span]:
    """The last stretches, of no more than so many words in all, and not all of them."""
    tail: list[_Span] = []
    for span in reversed(spans[1:]):
        most -= span.words
        if most < 0:
            break
        tail.insert(0, span)
    return tail


def _passage(document: Document, piece: _Piece, seen: Counter[str]) -> CorpusPassage:
    start, end = piece.spans[0].start, piece.spans[-1].end
    text = document.text[start:end]
    passage = CorpusPassage(
        id="",
        text=f"{piece.header}\n{text}" if piece.header else text,
        document=document.id,
        page=piece.spans[0].page,
        heading=piece.heading,
        start=start,
        end=end,
        header=piece.header,
    )
    digits = passage.content_hash[:_ID_DIGITS]
    seen[digits] += 1
    again = f"-{seen[digits]}" if seen[digits] > 1 else ""
    return replace(passage, id=f"{document.id}#{digits}{again}")
