"""The blocks of a report as elements of a Word document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from hcat.core.display.messages import say
from hcat.core.view.renderers.numbered import Part
from hcat.core.view.renderers.pdf.pieces import plain
from hcat.core.view.renderers.pdf.table_layout import PAGE_HEIGHT, PAGE_WIDTH, table_layout
from hcat.core.view.renderers.quoted_blocks import QuotedTable, quoted_blocks
from hcat.core.view.renderers.verdict_marks import marked
from hcat.core.view.renderers.word.elements import SOFT, Cell, Run, caption, paragraph, table
from hcat.core.view.tree import (
    Bullets,
    Callout,
    Column,
    Figure,
    Heading,
    KeyValues,
    Paragraph,
    Quantity,
    Quotation,
    SampleExcerpt,
    Samples,
    Table,
    Text,
    Value,
)
from hcat.core.view.values import NUMERIC, breakable, show, verdict_word

if TYPE_CHECKING:
    from docx.oxml.xmlchemy import BaseOxmlElement as Element

NAMES = 110.0
"""Points of a column of names in a table of facts."""
TONES = {"good": "1F6FA8", "bad": "B85C0E", "warning": "8F6C00", "info": SOFT}
MARKS = {"good": "✓", "bad": "×", "warning": "!", "info": "i"}


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure in its place: `png`, and the words for who can't see it."""

    png: bytes
    words: str


@dataclass(frozen=True, slots=True)
class Set:
    """Elements of a block in order; `sideways` on a page in landscape format."""

    content: tuple[Element | Picture, ...]
    sideways: bool = False


def set_block(part: Part, pictures: Mapping[str, bytes]) -> Set:
    """The elements of a block; `pictures` are those of the figures by their anchors."""
    block = part.block
    match block:
        case Heading():
            return Set((paragraph([Run(block.text)], style="Heading2"),))
        case Paragraph():
            return Set((paragraph(runs(block.text)),))
        case Quotation():
            return Set(tuple(_quotation(block)))
        case Bullets():
            return Set(tuple(paragraph(runs(item), style="ListBullet") for item in block.items))
        case KeyValues():
            rows = [(Cell((Run(name, "soft"),)), Cell(tuple(runs((value,))))) for name, value in block.items]
            return Set(
                (table(rows, (NAMES, PAGE_WIDTH - NAMES), title=say("Facts"), head=False), _space()) if rows else ()
            )
        case Callout():
            title = Run(f"{MARKS[block.kind]} {block.title}", "bold")
            tone = TONES[block.kind]
            return Set((paragraph([title], band=tone, keep=True), paragraph(runs(block.text), band=tone)))
        case Table():
            return _table(block, part.number)
        case Figure():
            words = "".join(run.text for run in runs((f"{block.title}. ", *block.caption)))
            below = caption(say("Figure"), part.number, f"{block.title}. ", runs(block.caption), keep=False)
            return Set((Picture(pictures[part.anchor], words), below))
        case Samples():
            return Set(tuple(_samples(block)))
        case _:
            assert_never(block)


def runs(text: Text) -> list[Run]:
    """A text with its quantities. Line ends in it are spaces, as in every format."""
    made = []
    for part in text:
        style = part.kind if isinstance(part, Quantity) else "text"
        shown = show(part).text if isinstance(part, Quantity) else part
        made.append(Run(" ".join(shown.split("\n")), "code" if style == "code" else "plain"))
    return made


def _table(block: Table, number: int) -> Set:
    titles = [column.title for column in block.columns]
    texts = [[_text(value, column) for value, column in zip(row, block.columns, strict=True)] for row in block.rows]
    layout = table_layout([[plain(text) for text in row] for row in (titles, *texts)])
    right = [column.kind in NUMERIC for column in block.columns]
    style = ["code" if column.kind == "code" else "plain" for column in block.columns]
    head = [Cell((Run(title),), at_right) for title, at_right in zip(titles, right, strict=True)]
    rows = [
        [Cell((Run(text, "code" if kind == "code" else "plain"),), at_right)
         for text, kind, at_right in zip(row, style, right, strict=True)]
        for row in texts
    ]  # fmt: skip
    widest = PAGE_HEIGHT if layout.sideways else PAGE_WIDTH
    shrunk = min(1.0, widest / sum(layout.widths))
    body = [
        caption(say("Table"), number, block.title, (), keep=True),
        table([head, *rows], [shrunk * width for width in layout.widths], title=block.title, size=layout.size),
    ]
    if not rows:
        body.append(paragraph([Run(say("None."), "soft")]))
    body.append(paragraph([Run(part.text, "soft") for part in runs(block.note)], style="Note"))
    return Set(tuple(body), layout.sideways)


def _text(value: Value, column: Column) -> str:
    text = show(value if isinstance(value, Quantity) else Quantity(value, column.kind)).text
    if column.kind == "verdict":
        return marked(verdict_word(value))
    return breakable(text) if column.kind in NUMERIC else text


def _quotation(block: Quotation) -> Iterator[Element]:
    for quoted in quoted_blocks(block.text):
        if isinstance(quoted, QuotedTable):
            rows = [[Cell(tuple(Run(part.text, part.style) for part in cell)) for cell in row] for row in quoted.rows]
            columns = max(map(len, rows), default=0)
            filled = [[*row, *[Cell(())] * (columns - len(row))] for row in rows]
            if columns:
                yield table(filled, [(PAGE_WIDTH - 20) / columns] * columns, title=say("Quoted table"), size=8.5)
                yield _space()
        else:
            marker = [Run(f"{quoted.marker} ")] if quoted.marker else []
            parts = [Run(part.text, part.style) for part in quoted.runs]
            yield paragraph([*marker, *parts], indent=240 * (1 + quoted.depth), band="C5CCCF")


def _samples(block: Samples) -> Iterator[Element]:
    yield paragraph([Run(block.title)], style="Heading3")
    if block.note:
        yield paragraph([Run(part.text, "soft") for part in runs(block.note)], style="Note")
    for sample in block.items:
        rows = [(Cell((Run(name, "soft"),)), Cell((value,))) for name, value in _fields(sample)]
        yield table(rows, (NAMES, PAGE_WIDTH - NAMES), title=say("Sample {id}", id=sample.id), head=False)
        yield _space()


def _fields(sample: SampleExcerpt) -> Iterator[tuple[str, Run]]:
    yield say("Sample"), Run(sample.id, "code")
    for name, value in sample.facts:
        yield name, Run(show(value).text)
    for label in sample.labels:
        yield say("Label"), Run(label)
    yield say("Query"), Run(sample.query)
    yield (
        say("Answer"),
        Run(say("The system gave no answer."), "italic") if sample.answer is None else Run(sample.answer),
    )
    if sample.reference is not None:
        yield say("Reference"), Run(sample.reference)
    for number, context in enumerate(sample.contexts, start=1):
        name = say("Context") if len(sample.contexts) == 1 else say("Context {number}", number=number)
        yield name, Run(context)


def _space() -> Element:
    return paragraph([], style="Note")
