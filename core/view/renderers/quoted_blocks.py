"""Markdown of users as plain blocks, for formats that are not HTML. Addresses and pictures stay the text they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from markdown_it.tree import SyntaxTreeNode

from hcat.core.view.renderers.quotation import quotation_parser


@dataclass(frozen=True, slots=True)
class QuotedRun:
    """Text in one style."""

    text: str
    style: Literal["plain", "bold", "italic", "code"] = "plain"


@dataclass(frozen=True, slots=True)
class QuotedParagraph:
    """`depth` is that of its list or quotation, 0 outside; `marker` precedes an item of a list."""

    runs: tuple[QuotedRun, ...]
    depth: int = 0
    marker: str = ""


@dataclass(frozen=True, slots=True)
class QuotedTable:
    """Rows of cells; the first row is the head."""

    rows: tuple[tuple[tuple[QuotedRun, ...], ...], ...]


QuotedBlock = QuotedParagraph | QuotedTable


def quoted_blocks(text: str) -> tuple[QuotedBlock, ...]:
    """The same paragraphs, lists, tables and emphasis as `quotation_html`; headings are bold lines."""
    return tuple(_blocks(SyntaxTreeNode(quotation_parser().parse(text)).children, depth=0))


def _blocks(nodes: list[SyntaxTreeNode], *, depth: int) -> Iterator[QuotedBlock]:
    for node in nodes:
        if node.type in ("paragraph", "heading"):
            yield QuotedParagraph(tuple(_runs(node, "bold" if node.type == "heading" else "plain")), depth)
        elif node.type in ("bullet_list", "ordered_list"):
            yield from _items(node, depth=depth)
        elif node.type == "table":
            cells = [node for part in node.children for node in part.children]
            yield QuotedTable(tuple(tuple(tuple(_runs(cell, "plain")) for cell in row.children) for row in cells))
        elif node.type in ("fence", "code_block", "html_block"):
            style: Literal["plain", "code"] = "plain" if node.type == "html_block" else "code"
            yield QuotedParagraph((QuotedRun(node.content.rstrip("\n"), style),), depth)
        else:
            yield from _blocks(node.children, depth=depth + 1)


def _items(node: SyntaxTreeNode, *, depth: int) -> Iterator[QuotedBlock]:
    start = int(node.attrs.get("start", 1))
    for number, item in enumerate(node.children, start=start):
        marker = f"{number}." if node.type == "ordered_list" else "•"
        for block in _blocks(item.children, depth=depth + 1):
            yield replace(block, marker=marker) if marker and isinstance(block, QuotedParagraph) else block
            marker = ""


def _runs(node: SyntaxTreeNode, style: Literal["plain", "bold", "italic", "code"]) -> Iterator[QuotedRun]:
    for child in node.children:
        if child.type == "code_inline":
            yield QuotedRun(child.content, "code")
        elif child.type in ("softbreak", "hardbreak"):
            yield QuotedRun("\n" if child.type == "hardbreak" else " ", style)
        elif child.children:
            inner = "bold" if child.type == "strong" else "italic" if child.type == "em" else style
            yield from _runs(child, inner)
        else:
            yield QuotedRun(child.content, style)
