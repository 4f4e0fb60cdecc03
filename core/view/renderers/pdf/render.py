"""The report as one PDF for the archive: PDF/A-3a and PDF/UA-1, with the report's JSON inside."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from hcat.core.display.edition import edition
from hcat.core.display.messages import say
from hcat.core.types import JsonValue
from hcat.core.view.renderers.json_tree import render_json
from hcat.core.view.renderers.numbered import Part, numbered
from hcat.core.view.renderers.pdf.attachment import Attachment
from hcat.core.view.renderers.pdf.compile import MissingGlyphError, compile_pdf
from hcat.core.view.renderers.pdf.document import document, figure_file
from hcat.core.view.renderers.pdf.glyphs import in_latin, shown
from hcat.core.view.renderers.svg import draw_for_print
from hcat.core.view.tree import Figure, Report

REPORT_JSON = "report.json"
TEMPLATE = Path(__file__).with_name("report.typ")
FONT = "Libertinus Serif"
"""Font of the pictures; the texts have theirs from the template."""

_FOLDER = "printed"


def render_pdf(report: Report, attachments: Sequence[Attachment] = ()) -> bytes:
    """The PDF, with the report's JSON and the attachments inside; the same bytes for the same input, on any machine.

    Raises HcatError where it can't be set, ValueError for two attachments of one name.
    """
    with edition(report.language):
        return _pdf(report, attachments)


def _pdf(report: Report, attachments: Sequence[Attachment]) -> bytes:
    own = Attachment(
        REPORT_JSON, render_json(report), "application/json", say("This report with every number in full.")
    )
    attached = {attachment.name: attachment for attachment in (own, *attachments)}
    if len(attached) != 1 + len(attachments):
        raise ValueError("two attachments have the same name")
    described = [
        {"name": a.name, "media_type": a.media_type, "description": a.description, "relationship": a.relationship}
        for a in attached.values()
    ]
    files = {a.name: a.data for a in attached.values()}
    files |= {f"{_FOLDER}/attachments.json": _json(described), f"{_FOLDER}/report.typ": TEMPLATE.read_bytes()}
    try:
        return _set(report, files, shown)
    except MissingGlyphError:
        return _set(report, files, lambda text: in_latin(shown(text)))


def _set(report: Report, files: Mapping[str, bytes], readable: Callable[[str], str]) -> bytes:
    printed = {
        figure_file(part): _drawn(part.block, readable) for part in _parts(report) if isinstance(part.block, Figure)
    }
    printed["document.json"] = _json(_texts(document(report), readable))
    in_folder = {f"{_FOLDER}/{name}": data for name, data in printed.items()}
    return compile_pdf({**files, **in_folder}, main=f"{_FOLDER}/report.typ", created_at=report.created_at)


def _drawn(figure: Figure, readable: Callable[[str], str]) -> bytes:
    return draw_for_print(figure.data, font=FONT, shown=readable).encode()


def _parts(report: Report) -> list[Part]:
    return [part for section in numbered(report) for part in section.parts]


def _texts(value: JsonValue, readable: Callable[[str], str]) -> JsonValue:
    """The data with each text as it can be read. What is readable already stays."""
    if isinstance(value, str):
        return "\N{ZERO WIDTH SPACE}".join(map(readable, value.split("\N{ZERO WIDTH SPACE}")))
    if isinstance(value, list):
        return [_texts(item, readable) for item in value]
    return {name: _texts(item, readable) for name, item in value.items()} if isinstance(value, dict) else value


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
