"""Parses the bytes of one file into documents, by the end of its name."""

from __future__ import annotations

from pathlib import PurePosixPath

from hcat.core.errors import FileFormatError
from hcat.core.importers.documents.builder import DocumentBuilder
from hcat.core.importers.documents.html import declared_charset, read_html_text
from hcat.core.importers.documents.markdown import read_markdown, read_plain_text
from hcat.core.importers.documents.pdf import read_pdf
from hcat.core.importers.documents.plain_text import decode_text
from hcat.core.importers.documents.tables import read_csv, read_json_lines
from hcat.core.importers.documents.word import read_word
from hcat.core.importers.limits import Limits
from hcat.core.records.documents import Document

FORMATS = {
    ".md": "Markdown",
    ".markdown": "Markdown",
    ".txt": "text",
    ".html": "HTML",
    ".htm": "HTML",
    ".pdf": "PDF",
    ".docx": "Word",
    ".csv": "CSV",
    ".jsonl": "JSON Lines",
}
"""The kinds of files that are read, by the end of the name."""

NO_TEXT = "it holds no text"


def parse_file(name: str, data: bytes, limits: Limits) -> tuple[tuple[Document, ...], str]:
    """The documents of a file, and a note on parts that were not read or are in doubt.

    Raises FileFormatError or LimitError, in words that follow the file's name."""
    if not data.strip():
        raise FileFormatError("the file is empty")
    format_name, builder = FORMATS[suffix(name)], DocumentBuilder()
    pages: int | None = None
    note = ""
    if format_name == "PDF":
        pages, note = read_pdf(data, builder)
    elif format_name == "Word":
        read_word(data, builder, max_bytes=limits.max_bytes)
    else:
        declared = declared_charset(data) if format_name == "HTML" else ""
        text, note = decode_text(data, declared=declared)
        if format_name == "JSON Lines":
            return _lines(name, text, limits), note
        _read_text(format_name, text, builder, limits)
    text, blocks = builder.result()
    if not text:
        raise FileFormatError(NO_TEXT)
    return (Document(name, text, blocks, format_name, pages),), note


def suffix(name: str) -> str:
    """The end of a file's name, in lower case: ".md"."""
    return PurePosixPath(name).suffix.lower()


def _read_text(format_name: str, text: str, builder: DocumentBuilder, limits: Limits) -> None:
    if format_name == "Markdown":
        read_markdown(text, builder)
    elif format_name == "HTML":
        read_html_text(text, builder)
    elif format_name == "CSV":
        read_csv(text, builder, limits)
    else:
        read_plain_text(text, builder)


def _lines(name: str, text: str, limits: Limits) -> tuple[Document, ...]:
    documents: list[Document] = []
    for line in read_json_lines(text, limits):
        builder = DocumentBuilder()
        builder.heading(line.title, 1)
        read_plain_text(line.text, builder)
        own_text, blocks = builder.result()
        if own_text:
            documents.append(Document(f"{name}:{line.id}", own_text, blocks, "JSON Lines"))
    if not documents:
        raise FileFormatError(NO_TEXT)
    return tuple(documents)
