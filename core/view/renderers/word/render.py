"""The report as one Word document, for texts that a bank goes on writing and commenting."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING

from hcat.core.display.edition import Language, edition
from hcat.core.display.messages import say
from hcat.core.view.cover import own_facts
from hcat.core.view.renderers.json_tree import report_hash
from hcat.core.view.renderers.numbered import NumberedSection, numbered
from hcat.core.view.renderers.pdf.table_layout import PAGE_WIDTH
from hcat.core.view.renderers.word.blocks import NAMES, Picture, Set, set_block
from hcat.core.view.renderers.word.elements import (
    Cell,
    Run,
    bookmark,
    element,
    field,
    link,
    paragraph,
    readable,
    table,
)
from hcat.core.view.renderers.word.pictures import DOTS_PER_INCH, pictures
from hcat.core.view.tree import Report

if TYPE_CHECKING:
    from docx.document import Document
    from docx.oxml.xmlchemy import BaseOxmlElement as Element

TEXT_FONT, INK = "Calibri", (0x1F, 0x2A, 0x30)
A4 = (210, 297)
SIDE, TOP, BOTTOM = 18, 18, 22
"""Margins in millimetres."""
TALLEST_PICTURE = 200
"""Millimetres."""
ESCAPED = (
    "Characters that act instead of being read, such as those that turn the direction of a text, stand as their code "
    "points: [U+202E]. The report as JSON has the texts unchanged."
)
LANGUAGES: dict[Language, str] = {"en": "en-US", "de": "de-DE"}
_EPOCH = (1980, 1, 1, 0, 0, 0)


def render_word(report: Report) -> bytes:
    """The document; the same bytes for the same report. HcatError where a figure can't be drawn."""
    import docx

    with edition(report.language):
        return _without_times(_written(docx.Document(), report))


def _written(document: Document, report: Report) -> bytes:
    _styles(document)
    _language(document, report.language)
    _properties(document, report)
    writer = _Writer(document)
    sections = numbered(report)
    for each in _cover(report, sections):
        writer.add(each)
    drawn = pictures(sections)
    for section in sections:
        words = [Run(f"{section.number}  {section.section.title}")]
        heading = bookmark(section.number, _name(section), words)
        writer.set(Set((paragraph(heading, style="Heading1"),)))
        for part in section.parts:
            writer.set(set_block(part, drawn))
    _footer(document, report)
    made = io.BytesIO()
    document.save(made)
    return made.getvalue()


class _Writer:
    """Appends elements to the document, on pages in portrait or landscape format."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.sideways = False
        _page(document.sections[0], sideways=False)

    def add(self, made: Element) -> None:
        self.document.element.body[-1].addprevious(made)

    def set(self, content: Set) -> None:
        if content.sideways != self.sideways:
            self.sideways = content.sideways
            _page(self.document.add_section(), sideways=self.sideways)
        for each in content.content:
            if isinstance(each, Picture):
                self._picture(each)
            else:
                self.add(each)

    def _picture(self, picture: Picture) -> None:
        from docx.shared import Inches, Mm

        place = self.document.add_paragraph()
        place.paragraph_format.keep_with_next = True
        shape = place.add_run().add_picture(io.BytesIO(picture.png))
        width, height = _pixels(picture.png)
        scale = min(
            1.0,
            PAGE_WIDTH / 72 / (width / DOTS_PER_INCH),
            TALLEST_PICTURE / 25.4 / (height / DOTS_PER_INCH),
        )
        shape.width, shape.height = (Inches(scale * each / DOTS_PER_INCH) for each in (width, height))
        shape.height = min(shape.height, Mm(TALLEST_PICTURE))
        shape._inline.docPr.set("descr", readable(picture.words).replace("\n", " "))


def _pixels(png: bytes) -> tuple[int, int]:
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


def _cover(report: Report, sections: tuple[NumberedSection, ...]) -> Iterator[Element]:
    yield paragraph([Run(say("Model validation"), "soft")])
    yield paragraph([Run(report.title)], style="Title")
    yield paragraph([Run(" ".join(report.subtitle.split("\n")))])
    facts = [*own_facts(report.facts).items(), (say("Built"), report.created_at.isoformat(sep=" ", timespec="seconds"))]
    rows = [(Cell((Run(name, "soft"),)), Cell((Run(text),))) for name, text in facts]
    hashed = (Cell((Run(say("SHA-256 of this report as JSON"), "soft"),)), Cell((Run(report_hash(report), "code"),)))
    yield table([*rows, hashed], (NAMES, PAGE_WIDTH - NAMES), title=say("About this report"), head=False)
    if "[U+" in readable("".join(_texts(report))):
        yield paragraph([Run(say(ESCAPED), "soft")], style="Note")
    yield paragraph([Run(say("Contents"))], style="Heading3")
    yield from _contents(sections)


def _contents(sections: tuple[NumberedSection, ...]) -> Iterator[Element]:
    """The sections as links, in a field that Word can bring up to date with page numbers."""
    begin = [_mark("begin"), _instruction('TOC \\o "1-1" \\h'), _mark("separate")]
    for section in sections:
        yield paragraph([*begin, link(_name(section), f"{section.number}  {section.section.title}")], style="Cell")
        begin = []
    yield paragraph([*begin, _mark("end")], style="Cell")


def _name(section: NumberedSection) -> str:
    return f"section_{section.number}"


def _mark(kind: str) -> Element:
    return element("w:r", element("w:fldChar", fldCharType=kind))


def _instruction(text: str) -> Element:
    made = element("w:instrText")
    made.text = text
    return element("w:r", made)


def _texts(value: object) -> Iterator[str]:
    """Every text of the report."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        yield from _texts((*value, *value.values()))
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            yield from _texts(getattr(value, name))


def _styles(document: Document) -> None:
    from docx.enum.style import WD_STYLE_TYPE
    from docx.oxml.ns import qn
    from docx.shared import Pt, RGBColor

    styles = document.styles
    sizes = {"Normal": 10.5, "Title": 24, "Heading 1": 16, "Heading 2": 12.5, "Heading 3": 11, "Caption": 9.5}
    for name, size in sizes.items():
        style = styles[name]
        style.font.name, style.font.size, style.font.color.rgb = TEXT_FONT, Pt(size), RGBColor(*INK)
        fonts = style.element.rPr.rFonts
        for theme in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
            fonts.attrib.pop(qn(f"w:{theme}"), None)
    for name, size, after in (("Cell", 9.5, 0), ("Note", 8.8, 8)):
        made = styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
        made.base_style, made.font.size = styles["Normal"], Pt(size)
        made.paragraph_format.space_after = Pt(after)
        made.paragraph_format.space_before = Pt(0)


def _language(document: Document, language: Language) -> None:
    """The language by which Word checks and hyphenates."""
    from docx.oxml.ns import qn

    for each in document.styles.element.iter(qn("w:lang")):
        each.set(qn("w:val"), LANGUAGES[language])


def _properties(document: Document, report: Report) -> None:
    about = document.core_properties
    at = report.created_at.astimezone(UTC).replace(tzinfo=None, microsecond=0)
    about.title, about.subject = _short(report.title), _short(report.subtitle)
    about.author = about.last_modified_by = _short(f"hcat {report.version}")
    about.comments = f"{say('SHA-256 of this report as JSON:')} {report_hash(report)}"
    about.created = about.modified = at
    about.revision, about.language = 1, report.language


def _short(text: str) -> str:
    return readable(text).replace("\n", " ")[:250]


def _page(section: object, *, sideways: bool) -> None:
    from docx.enum.section import WD_ORIENT
    from docx.section import Section
    from docx.shared import Mm

    assert isinstance(section, Section)
    short, long = A4
    section.orientation = WD_ORIENT.LANDSCAPE if sideways else WD_ORIENT.PORTRAIT
    section.page_width, section.page_height = (Mm(long), Mm(short)) if sideways else (Mm(short), Mm(long))
    section.left_margin = section.right_margin = Mm(SIDE)
    section.top_margin, section.bottom_margin = Mm(TOP), Mm(BOTTOM)


def _footer(document: Document, report: Report) -> None:
    """Title, version, date and page on every page; and the hash of the report."""
    version = report.facts.get("Version")
    numbered = [say("version {version}", version=version)] if version else []
    built = report.created_at.isoformat(sep=" ", timespec="minutes")
    left = " · ".join([report.title, *numbered, built, f"hcat {report.version}"])
    footer = document.sections[0].footer
    footer.is_linked_to_previous = False
    place = footer.paragraphs[0]._p
    page = [Run(f"{left} · {say('Page')} ", "soft"), field("PAGE", "1"), Run(" / ", "soft"), field("NUMPAGES", "1")]
    hashed = Run(f"{say('SHA-256 of this report as JSON:')} {report_hash(report)}", "soft")
    place.addnext(paragraph([hashed], style="Cell", size=7))
    place.addnext(paragraph(page, style="Cell", size=7.5))
    place.getparent().remove(place)


def _without_times(document: bytes) -> bytes:
    """The same package with one date on each of its files, so that the same report is the same bytes."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(document)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(zipfile.ZipInfo(Path(name).as_posix(), _EPOCH), old.read(name), zipfile.ZIP_DEFLATED)
    return made.getvalue()
