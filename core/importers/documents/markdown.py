"""Markdown and plain text. Markdown is read as words, without its markup."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hcat.core.importers.documents.builder import DocumentBuilder
from hcat.core.importers.documents.html import read_html_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_BLANK_LINE = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
_ITEM = re.compile(r"[ \t]*[-*+•–▪◦●][ \t]+(?=\S)")


def read_plain_text(text: str, builder: DocumentBuilder) -> None:
    """Paragraphs between blank lines; lines that begin with a bullet are items of a list."""
    for paragraph in _BLANK_LINE.split(_newlines(text)):
        lines: list[str] = []
        for line in paragraph.split("\n"):
            if (bullet := _ITEM.match(line)) is not None:
                _end_lines(lines, builder)
                lines = ["- " + line[bullet.end() :]]
            else:
                lines.append(line)
        _end_lines(lines, builder)


def _end_lines(lines: list[str], builder: DocumentBuilder) -> None:
    if lines and lines[0].startswith("- "):
        builder.item(" ".join([lines[0][2:], *lines[1:]]))
    else:
        builder.paragraph(" ".join(lines))


def read_markdown(text: str, builder: DocumentBuilder) -> None:
    """CommonMark with tables. A block of settings at the top (front matter) is left out."""
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").enable("table").parse(_FRONT_MATTER.sub("", _newlines(text)))
    rows: list[list[str]] = []
    depth = 0
    for position, token in enumerate(tokens):
        if token.type == "inline":
            before = tokens[position - 1]
            if before.type in ("th_open", "td_open"):
                rows[-1].append(_words(token.children or ()))
            elif before.type == "heading_open":
                builder.heading(_words(token.children or ()), int(before.tag[1:]))
            elif depth and tokens[position - 2].type == "list_item_open":
                builder.item(_words(token.children or ()))
            else:
                builder.paragraph(_words(token.children or ()))
        elif token.type in ("fence", "code_block"):
            builder.preformatted(token.content)
        elif token.type == "html_block":
            read_html_text(token.content, builder)
        elif token.type == "tr_open":
            rows.append([])
        elif token.type == "table_close":
            builder.table(rows)
            rows = []
        elif token.type == "list_item_open":
            depth += 1
        elif token.type == "list_item_close":
            depth -= 1


def _words(tokens: Sequence[Token]) -> str:
    """The visible text of marked text; for an image its description."""
    pieces: list[str] = []
    for token in tokens:
        if token.type in ("softbreak", "hardbreak"):
            pieces.append(" ")
        elif token.type == "image":
            pieces.append(_words(token.children or ()))
        elif token.type in ("text", "code_inline"):
            pieces.append(token.content)
    return "".join(pieces)


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
