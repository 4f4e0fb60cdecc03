"""Word documents (.docx): headings, paragraphs, lists and tables of the body, with tracked insertions.

Headers, footers, footnotes and comments are not read."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.importers.documents.builder import DocumentBuilder
from hcat.core.importers.limits import BYTES_PER_MB

if TYPE_CHECKING:
    from docx.document import Document as WordDocument
    from lxml.etree import _Element

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_HEADING = re.compile(r"heading (\d)", re.IGNORECASE)
_SPACED = frozenset({f"{_W}tab", f"{_W}br", f"{_W}cr"})
_WRAPPERS = frozenset({f"{_W}{name}" for name in ("sdt", "sdtContent", "ins", "customXml", "smartTag", "moveTo")})
MOST_PARTS = 5_000
OLD_WORD = b"\xd0\xcf\x11\xe0"


def read_word(data: bytes, builder: DocumentBuilder, *, max_bytes: int) -> None:
    """Add the blocks of a .docx file. FileFormatError if it is not one, LimitError if it unpacks to too much."""
    _check_archive(data, max_bytes)
    import docx
    from docx.opc.exceptions import PackageNotFoundError
    from lxml.etree import XMLSyntaxError

    try:
        document = docx.Document(io.BytesIO(data))
    except XMLSyntaxError as error:
        raise FileFormatError(f"its XML is broken or hostile ({str(error)[:80]}): save it again with Word") from None
    except (PackageNotFoundError, zipfile.BadZipFile, KeyError, ValueError, AttributeError, OSError, EOFError):
        raise FileFormatError("it is not a whole Word document: save it again as .docx") from None
    levels, lists = _styles(document)
    for element in _flow(document.element.body):
        if element.tag == f"{_W}tbl":
            builder.table([[_text(cell) for cell in _own(row, "tc")] for row in _own(element, "tr")])
            continue
        style = element.find(f"{_W}pPr/{_W}pStyle")
        name = "" if style is None else str(style.get(f"{_W}val"))
        text = _text(element)
        if level := levels.get(name) or _outline_level(element):
            builder.heading(text, level)
        elif name in lists or element.find(f"{_W}pPr/{_W}numPr") is not None:
            builder.item(text)
        else:
            builder.paragraph(text)


def _check_archive(data: bytes, max_bytes: int) -> None:
    if data.startswith(OLD_WORD):
        raise FileFormatError(
            "it has a password, or is a Word file of before 2007: save it as .docx without a password"
        )
    try:
        entries = zipfile.ZipFile(io.BytesIO(data)).infolist()
    except (zipfile.BadZipFile, OSError, ValueError, EOFError, NotImplementedError):
        raise FileFormatError("it is not a Word document, or is cut off: save it again as .docx") from None
    if len(entries) > MOST_PARTS or sum(entry.file_size for entry in entries) > max_bytes:
        raise LimitError(
            f"it unpacks to more than {max_bytes / BYTES_PER_MB:g} MB: split it, or raise HCAT_MAX_FILE_MB"
        )


def _styles(document: WordDocument) -> tuple[dict[str, int], set[str]]:
    """The levels of the styles of headings, and the styles of list items, by the ids that paragraphs refer to."""
    levels: dict[str, int] = {}
    lists: set[str] = set()
    for style in document.styles.element.iter(f"{_W}style"):
        name_of, style_id = style.find(f"{_W}name"), str(style.get(f"{_W}styleId"))
        name = "" if name_of is None else str(name_of.get(f"{_W}val"))
        if heading := _HEADING.match(name):
            levels[style_id] = int(heading[1]) + 1
        elif name.lower() == "title":
            levels[style_id] = 1
        elif name.lower().startswith("list"):
            lists.add(style_id)
    return levels, lists


def _outline_level(paragraph: _Element) -> int:
    outline = paragraph.find(f"{_W}pPr/{_W}outlineLvl")
    value = "" if outline is None else str(outline.get(f"{_W}val"))
    return int(value) + 2 if value.isdecimal() and int(value) < 9 else 0


def _flow(body: _Element) -> Iterator[_Element]:
    """Paragraphs and tables in order, also those within content controls and tracked insertions."""
    pending = list(reversed(body))
    while pending:
        element = pending.pop()
        if element.tag in (f"{_W}p", f"{_W}tbl"):
            yield element
        elif element.tag in _WRAPPERS:
            pending.extend(reversed(element))


def _own(parent: _Element, name: str) -> Iterator[_Element]:
    """The rows of a table, or cells of a row, without those of tables within its cells."""
    for element in parent.iter(f"{_W}{name}"):
        if next(element.iterancestors(parent.tag)) is parent:
            yield element


def _text(element: _Element) -> str:
    """The text within, a space for each tab and line break, and between the paragraphs of a cell or a text box."""
    pieces: list[str] = []
    for inner in element.iter(f"{_W}t", f"{_W}p", *_SPACED):
        if any(True for _ in inner.iterancestors(_FALLBACK)):
            continue  # the same text again, for older readers
        pieces.append(inner.text or "" if inner.tag == f"{_W}t" else " ")
    return "".join(pieces)
