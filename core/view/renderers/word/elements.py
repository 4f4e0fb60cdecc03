"""Elements of WordprocessingML (ISO/IEC 29500-1, part 17): paragraphs, runs, fields and tables of plain texts."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from docx.oxml.ns import qn
from docx.oxml.parser import OxmlElement

if TYPE_CHECKING:
    from docx.oxml.xmlchemy import BaseOxmlElement as Element

CODE_FONT = "Consolas"
SOFT, LINE, BAND = "4A565C", "C5CCCF", "F1F4F5"
_JOINERS = "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"
_ACTING = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Categories of characters that act instead of being read, or that XML can't hold."""

Style = Literal["plain", "bold", "italic", "code", "soft"]


@dataclass(frozen=True, slots=True)
class Run:
    """Text in one style; its line ends are kept."""

    text: str
    style: Style = "plain"


@dataclass(frozen=True, slots=True)
class Cell:
    """Content of a cell of a table."""

    runs: tuple[Run, ...]
    right: bool = False


def readable(text: str) -> str:
    """The text with what acts, or can't be in a document, as its code point: "[U+202E]". Line ends and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(
        each
        if each in "\n\t" or each in _JOINERS or unicodedata.category(each) not in _ACTING
        else f"[U+{ord(each):04X}]"
        for each in lines
    )


def element(tag: str, *children: Element, **attributes: str) -> Element:
    """An element such as `w:p`; attributes are of the namespace w."""
    made = OxmlElement(tag)
    for name, value in attributes.items():
        made.set(qn(f"w:{name}"), value)
    made.extend(children)
    return made


def run(part: Run, *, size: float | None = None) -> Element:
    """A run, whose letters have this size in points."""
    properties = element("w:rPr")
    if part.style == "code":
        properties.append(element("w:rFonts", ascii=CODE_FONT, hAnsi=CODE_FONT, cs=CODE_FONT))
        size = 0.9 * (size or 10)
    if part.style == "bold":
        properties.append(element("w:b"))
    if part.style == "italic":
        properties.append(element("w:i"))
    if part.style == "soft":
        properties.append(element("w:color", val=SOFT))
    if size is not None:
        properties.append(element("w:sz", val=str(round(2 * size))))
    made = element("w:r", properties)
    for number, line in enumerate(readable(part.text).split("\n")):
        if number:
            made.append(element("w:br"))
        text = element("w:t")
        text.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
        text.text = line
        made.append(text)
    return made


def field(instruction: str, shown: str) -> Element:
    """A field that Word computes, and the text that is shown until it does."""
    return element("w:fldSimple", run(Run(shown)), instr=f" {instruction} ")


def paragraph(
    parts: Sequence[Run | Element],
    *,
    style: str = "",
    keep: bool = False,
    indent: int = 0,
    band: str = "",
    right: bool = False,
    size: float | None = None,
) -> Element:
    """A paragraph. `keep` holds it on the page of the next one; `indent` is in twentieths of a point; `band` is the
    colour of a bar at its left."""
    properties = element("w:pPr")
    if style:
        properties.append(element("w:pStyle", val=style))
    if keep:
        properties.append(element("w:keepNext"))
    if band:
        bar = element("w:left", val="single", sz="24", space="8", color=band)
        properties.append(element("w:pBdr", bar))
        properties.append(element("w:shd", val="clear", color="auto", fill=BAND))
    if indent:
        properties.append(element("w:ind", left=str(indent)))
    if right:
        properties.append(element("w:jc", val="right"))
    return element("w:p", properties, *(run(part, size=size) if isinstance(part, Run) else part for part in parts))


def caption(word: str, number: int, title: str, rest: Sequence[Run], *, keep: bool) -> Element:
    """ "Table 3 Scores": numbered by Word, too, when tables are added."""
    numbering = field(f"SEQ {word} \\* ARABIC", str(number))
    return paragraph([Run(f"{word} "), numbering, Run(f"  {title}"), *rest], style="Caption", keep=keep)


def bookmark(number: int, name: str, content: Sequence[Run]) -> list[Element]:
    """Runs that can be linked to by the name."""
    start = element("w:bookmarkStart", id=str(number), name=name)
    return [start, *(run(part) for part in content), element("w:bookmarkEnd", id=str(number))]


def link(name: str, text: str) -> Element:
    """A link to a bookmark of the document."""
    return element("w:hyperlink", run(Run(text)), anchor=name, history="1")


def table(
    rows: Sequence[Sequence[Cell]],
    widths: Sequence[float],
    *,
    title: str,
    size: float = 9.5,
    head: bool = True,
) -> Element:
    """A table whose columns have these widths in points. Its head, the first row, is repeated on each page."""
    borders = element("w:tblBorders", *_borders(("top", "bottom", "insideH")))
    properties = element(
        "w:tblPr",
        element("w:tblW", w=str(round(20 * sum(widths))), type="dxa"),
        borders,
        element("w:tblLayout", type="fixed"),
        element("w:tblLook", val="0020" if head else "0000", firstRow="1" if head else "0"),
        element("w:tblCaption", val=readable(title).replace("\n", " ")),
    )
    grid = element("w:tblGrid", *(element("w:gridCol", w=str(round(20 * width))) for width in widths))
    made = element("w:tbl", properties, grid)
    for number, row in enumerate(rows):
        is_head = head and not number
        about = element("w:trPr", element("w:cantSplit"))
        if is_head:
            about.append(element("w:tblHeader"))
        cells = (_cell(cell, width, size, head=is_head) for cell, width in zip(row, widths, strict=True))
        made.append(element("w:tr", *((about,) if is_head or size < 9.5 else ()), *cells))
    return made


def _cell(cell: Cell, width: float, size: float, *, head: bool) -> Element:
    properties = element("w:tcPr", element("w:tcW", w=str(round(20 * width)), type="dxa"))
    if head:
        properties.append(element("w:shd", val="clear", color="auto", fill=BAND))
    runs = [Run(part.text, "bold") for part in cell.runs] if head else cell.runs
    return element("w:tc", properties, paragraph(runs, style="Cell", right=cell.right, size=size, keep=head))


def _borders(sides: Sequence[str]) -> Iterator[Element]:
    for side in sides:
        yield element(f"w:{side}", val="single", sz="4", space="0", color=LINE)
