"""The messages of the process that parses documents: documents with their blocks, or why there are none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.records.documents import Block, BlockKind, Document

_Block = tuple[BlockKind, int, int, int, int | None]


class DocumentMessage(TypedDict):
    """A document as JSON; a block is its fields in their order."""

    id: str
    text: str
    blocks: list[_Block]
    format: str
    pages: int | None


class Message(TypedDict, total=False):
    """A message as JSON: documents and a note, or what is wrong."""

    documents: list[DocumentMessage]
    note: str
    broken: str
    limit: str


def write_message(documents: Sequence[Document], note: str) -> Message:
    """The message with documents."""
    return {"documents": [_written(document) for document in documents], "note": note}


def read_message(message: Message) -> tuple[tuple[Document, ...], str]:
    """The documents and the note. Raises FileFormatError or LimitError if the message says why there are none."""
    if "limit" in message:
        raise LimitError(message["limit"])
    if "broken" in message:
        raise FileFormatError(message["broken"])
    return tuple(_read(document) for document in message["documents"]), message["note"]


def _written(document: Document) -> DocumentMessage:
    return {
        "id": document.id,
        "text": document.text,
        "blocks": [(block.kind, block.start, block.end, block.level, block.page) for block in document.blocks],
        "format": document.format,
        "pages": document.pages,
    }


def _read(message: DocumentMessage) -> Document:
    blocks = tuple(Block(*fields) for fields in message["blocks"])
    return Document(message["id"], message["text"], blocks, message["format"], message["pages"])
