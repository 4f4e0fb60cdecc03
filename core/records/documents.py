"""Documents of the corpus: their text, and the blocks (headings, paragraphs, rows of tables) that it consists of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from hcat.core.records.hashing import sha256_of_text
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.words import count_words

BlockKind = Literal["heading", "paragraph", "header", "row"]
"""`header` is the header row of a table, which precedes the table's rows."""


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a document's text, from `start` up to `end`. `level` is the level of a heading, 1 for the outermost;
    `page` counts from 1 and is None if the document has no pages."""

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A document as read. `id` is its path within the imported folder, or its file name.

    Blocks are in reading order and don't overlap; only line breaks separate them."""

    id: str
    text: str
    blocks: tuple[Block, ...] = ()
    format: str = "text"
    pages: int | None = None

    @property
    def content_hash(self) -> str:
        """SHA-256 of the text; independent of the file's name, fonts and properties."""
        return sha256_of_text(self.text)


@dataclass(frozen=True, slots=True)
class DocumentProblem:
    """A file that was skipped or read only in part, and one line on the reason and the remedy."""

    document: str
    message: str
    left_out: bool = True


@dataclass(frozen=True, slots=True)
class DocumentSummary:
    """A document of a corpus as shown in lists. `content_hash` is of its text, or of its passages if only those were
    imported."""

    id: str
    format: str
    pages: int | None
    words: int
    passages: int
    content_hash: str


def summarise_documents(
    documents: Sequence[Document], passages: Iterable[CorpusPassage]
) -> tuple[DocumentSummary, ...]:
    """The documents of a corpus, in their order; then documents that only passages name."""
    texts: dict[str, list[str]] = {document.id: [] for document in documents}
    for passage in passages:
        texts.setdefault(passage.document, []).append(passage.text)
    counts = Counter({name: len(pieces) for name, pieces in texts.items()})
    stored = tuple(
        DocumentSummary(
            document.id,
            document.format,
            document.pages,
            count_words(document.text),
            counts[document.id],
            document.content_hash,
        )
        for document in documents
    )
    own = {document.id for document in documents}
    named = tuple(
        DocumentSummary(name, "passages", None, sum(map(count_words, pieces)), len(pieces), _joined(pieces))
        for name, pieces in texts.items()
        if name not in own
    )
    return stored + named


def _joined(texts: Iterable[str]) -> str:
    return sha256_of_text("\n".join(sha256_of_text(text) for text in texts))
