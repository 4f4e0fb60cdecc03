"""HTML: what a reader of the page sees, without menus. Hidden text is left out, such as an old fee in a hidden
paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hcat.core.errors import FileFormatError
from hcat.core.importers.documents.builder import DocumentBuilder, tidy

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_CHARSET = re.compile(rb"""<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?([A-Za-z0-9_:.-]{2,30})""", re.I)
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_LEFT_OUT = frozenset({"script", "style", "noscript", "template", "head", "nav", "svg", "math", "select", "button"})
_BLOCKS = frozenset(
    {
        *("address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div"),
        *("dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hr", "html", "legend", "li"),
        *("main", "ol", "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul"),
    }
)
_UNSEEN = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:px|pt|em|rem|%)?\s*(?:!|;|$))", re.I
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_WITHIN_CELL = frozenset({"table", "ul", "ol", "dl", *_HEADINGS})
"""Elements that a cell of a data table does not contain; a table with them is layout, and is read as text."""


def declared_charset(data: bytes) -> str:
    """The encoding that the page names; empty if it names none."""
    named = _CHARSET.search(data[:4096])
    return named[1].decode("ascii") if named else ""


def read_html_text(text: str, builder: DocumentBuilder) -> None:
    """Add the blocks of a page, or of a piece of one. FileFormatError if it is nested too deeply."""
    from lxml import etree

    text = _DECLARATION.sub("", text)
    if not text.strip():
        return
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True)
    root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    if root is None:
        return  # nothing but comments
    if any(error.type_name == "ERR_RESOURCE_LIMIT" for error in parser.error_log):
        raise FileFormatError("the page is nested too deeply to be read whole: simplify it")
    _Walk(builder).read(root)


class _Walk:
    """Iterates over a page from beginning to end, without recursion: pages can be nested very deeply."""

    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder
        self._text: list[str] = []
        self._items: list[bool] = []

    def read(self, root: Element) -> None:
        pending: list[tuple[Element, bool]] = [(root, True)]
        while pending:
            element, opens = pending.pop()
            if not opens:
                self._close(element)
                self._add(element.tail)
                continue
            tag = element.tag if isinstance(element.tag, str) else ""
            if (
                not tag
                or tag in _LEFT_OUT
                or _is_hidden(element)
                or tag == "pre"
                or (tag == "table" and _holds_data(element))
            ):
                if not tag or not _is_hidden(element):
                    self._whole(element, tag)
                self._add(element.tail)
                continue
            self._open(tag)
            self._add(element.text)
            pending.append((element, False))
            pending.extend((child, True) for child in reversed(element))
        self._flush()

    def _add(self, text: str | None) -> None:
        if text:
            self._text.append(text)

    def _whole(self, element: Element, tag: str) -> None:
        if tag == "table":
            self._flush()
            for caption in element.iter("caption"):
                self._builder.paragraph("".join(caption.itertext()))
            self._builder.table(_rows(element))
        elif tag == "pre":
            self._flush()
            self._builder.preformatted("".join(element.itertext()))

    def _open(self, tag: str) -> None:
        if tag in _BLOCKS or tag in _HEADINGS:
            self._flush()
        elif tag == "br" or tag == "img":
            self._text.append(" ")
        if tag == "li":
            self._items.append(True)

    def _close(self, element: Element) -> None:
        if element.tag in _HEADINGS:
            self._builder.heading("".join(self._text), _HEADINGS[element.tag])
            self._text = []
        elif element.tag in _BLOCKS:
            self._flush()
        if element.tag == "li" and self._items:
            self._items.pop()

    def _flush(self) -> None:
        if not self._text:
            return
        text = tidy("".join(self._text))
        self._text = []
        if not text:
            return
        if self._items and self._items[-1]:
            self._items[-1] = False  # what follows within the item is a paragraph
            self._builder.item(text)
        else:
            self._builder.paragraph(text)


def _is_hidden(element: Element) -> bool:
    """Whether a browser hides the element: by an attribute or by a style of its own; style sheets are not read.

    What opens at a click (details) is not hidden."""
    if not isinstance(element.tag, str):
        return False
    hidden = element.get("hidden")
    is_hidden = hidden is not None and hidden.strip().lower() != "until-found"
    return (
        is_hidden
        or element.get("aria-hidden", "").strip().lower() == "true"
        or bool(_UNSEEN.search(element.get("style") or ""))
    )


def _holds_data(table: Element) -> bool:
    return not any(True for _ in table.iterdescendants(*_WITHIN_CELL)) and len(_rows(table)) > 1


def _rows(table: Element) -> list[list[str]]:
    shown = (row for row in table.iter("tr") if not _is_hidden(row))
    return [[_cell(cell) for cell in row if cell.tag in ("td", "th") and not _is_hidden(cell)] for row in shown]


def _cell(cell: Element) -> str:
    return " ".join(_shown_texts(cell))


def _shown_texts(element: Element) -> Iterator[str]:
    """The texts within an element that are not hidden."""
    pending: list[Element | str] = [element]
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            yield part
            continue
        inner: list[Element | str] = []
        if part is element or not (_is_hidden(part) or part.tag in _LEFT_OUT):
            inner += [part.text] if part.text else []
            for child in part:
                inner += [child, *([child.tail] if child.tail else [])]
        pending.extend(reversed(inner))
