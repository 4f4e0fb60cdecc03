"""The report as the data that `report.typ` sets: plain JSON, in which every text is a string and nothing is markup."""

from __future__ import annotations

import json
from typing import assert_never

from hcat.core.display.messages import say
from hcat.core.records.codec import JSON
from hcat.core.types import JsonValue
from hcat.core.view.cover import own_facts
from hcat.core.view.renderers.json_tree import report_hash
from hcat.core.view.renderers.numbered import NumberedSection, Part, numbered
from hcat.core.view.renderers.pdf.glyphs import CODE_POINT, ESCAPE, acts, shown
from hcat.core.view.renderers.pdf.pieces import Piece, lines, pieces, plain, run_pieces, text_of, value_pieces
from hcat.core.view.renderers.pdf.table_layout import table_layout
from hcat.core.view.renderers.quoted_blocks import QuotedBlock, QuotedTable, quoted_blocks
from hcat.core.view.renderers.verdict_marks import marked
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
    Report,
    SampleExcerpt,
    Samples,
    Table,
    Value,
)
from hcat.core.view.values import NUMERIC, breakable, show, verdict_word

Data = dict[str, object]

WORDS = {
    "kind": "Model validation",
    "contents": "Contents",
    "table": "Table",
    "figure": "Figure",
    "none": "None.",
    "attached": "Files are attached to this document, among them the same report as JSON with every number in full "
    "precision. Readers of PDF list them as attachments.",
    "escaped": "The fonts of this document lack some characters of its texts, or these act instead of being read. "
    "Their code points stand in their places, as [U+4E2D]; the attached JSON has the texts unchanged.",
}


def document(report: Report) -> JsonValue:
    """All that is printed, as JSON values. Figures and attachments are named and come as separate files."""
    data, words = _data(report), {name: say(text) for name, text in WORDS.items()}
    return JSON.write(data | {"words": words, "escaped": ESCAPE in json.dumps(JSON.write(data))})


def _data(report: Report) -> Data:
    """The content that is printed of this report alone."""
    return {
        "title": shown(report.title),
        "subtitle": plain(report.subtitle),
        "created": report.created_at.isoformat(timespec="seconds"),
        "hash": report_hash(report),
        "facts": [[plain(name), plain(text)] for name, text in own_facts(report.facts).items()],
        "language": report.language,
        "footer": {
            "left": shown(" · ".join(_footer(report))),
            "page": say("Page"),
            "hash": say("SHA-256 of this report as JSON:"),
        },
        "sections": [_section(section) for section in numbered(report)],
    }


def undrawn(report: Report) -> tuple[str, ...]:
    """The letters of the report's texts that no font of the document has, each once: their code points are printed."""
    codes = dict.fromkeys(CODE_POINT.findall(json.dumps(JSON.write(_data(report)))))
    return tuple(letter for code in codes if not acts(letter := chr(int(code, 16))))


def _footer(report: Report) -> list[str]:
    version = report.facts.get("Version")
    built = report.created_at.isoformat(sep=" ", timespec="minutes")
    return [
        report.title,
        *([say("version {version}", version=version)] if version else []),
        built,
        f"hcat {report.version}",
    ]


def figure_file(part: Part) -> str:
    """The name of the file with the picture of a figure."""
    return f"{part.anchor}.svg"


def _section(section: NumberedSection) -> Data:
    return {
        "number": str(section.number),
        "title": plain(section.section.title),
        "blocks": [_block(part) for part in section.parts],
    }


def _block(part: Part) -> Data:
    block = part.block
    match block:
        case Heading():
            return {"type": "heading", "text": plain(block.text), "new_page": block.new_page}
        case Paragraph():
            return {"type": "paragraph", "text": pieces(block.text)}
        case Quotation():
            return {"type": "quotation", "blocks": [_quoted(quoted) for quoted in quoted_blocks(block.text)]}
        case Bullets():
            return {"type": "bullets", "items": [pieces(item) for item in block.items]}
        case KeyValues():
            return {"type": "facts", "items": [[plain(name), value_pieces(value)] for name, value in block.items]}
        case Callout():
            return {"type": "callout", "kind": block.kind, "title": plain(block.title), "text": pieces(block.text)}
        case Table():
            return _table(block, part.number)
        case Figure():
            return _figure(block, part)
        case Samples():
            samples = [_sample(item) for item in block.items]
            return {"type": "samples", "title": plain(block.title), "items": samples, "note": pieces(block.note)}
        case _:
            assert_never(block)


def _table(table: Table, number: int) -> Data:
    titles = [plain(column.title) for column in table.columns]
    rows = [[_cell(value, column) for value, column in zip(row, table.columns, strict=True)] for row in table.rows]
    layout = table_layout([titles, *rows])
    return {
        "type": "table",
        "number": number,
        "title": plain(table.title),
        "columns": [
            {"title": title, "numeric": column.kind in NUMERIC}
            for title, column in zip(titles, table.columns, strict=True)
        ],
        "widths": layout.widths,
        "size": layout.size,
        "wide": layout.sideways,
        "rows": rows,
        "note": pieces(table.note),
    }


def _cell(value: Value, column: Column) -> list[Piece]:
    text = show(value if isinstance(value, Quantity) else Quantity(value, column.kind)).text
    if column.kind == "code":
        return lines(text, "code")
    if column.kind == "verdict":
        return plain(marked(verdict_word(value)), "verdict")
    return plain(breakable(text)) if column.kind in NUMERIC else plain(text)


def _figure(figure: Figure, part: Part) -> Data:
    return {
        "type": "figure",
        "number": part.number,
        "title": plain(figure.title),
        "caption": pieces(figure.caption),
        "alt": text_of((f"{figure.title}. ", *figure.caption)),
        "file": figure_file(part),
    }


def _sample(sample: SampleExcerpt) -> Data:
    fields: list[object] = [[say("Query"), lines(sample.query)]]
    answer = plain(say("The system gave no answer."), "italic") if sample.answer is None else lines(sample.answer)
    fields.append([say("Answer"), answer])
    if sample.reference is not None:
        fields.append([say("Reference"), lines(sample.reference)])
    fields += [[say("Context") if len(sample.contexts) == 1 else say("Context {number}", number=number), lines(context)]
               for number, context in enumerate(sample.contexts, start=1)]  # fmt: skip
    facts = [[plain(name), value_pieces(value)] for name, value in sample.facts]
    return {
        "id": plain(sample.id, "code"),
        "facts": facts,
        "labels": [plain(label) for label in sample.labels],
        "fields": fields,
    }


def _quoted(block: QuotedBlock) -> Data:
    if isinstance(block, QuotedTable):
        return {"table": [[run_pieces(cell) for cell in row] for row in block.rows]}
    return {"text": run_pieces(block.runs), "depth": block.depth, "marker": block.marker}
