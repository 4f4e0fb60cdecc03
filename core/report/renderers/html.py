"""The report as one HTML file that needs nothing else: no script, no font, no picture, no address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from core.display.palette import ACCENT, ACCENT_DARK, BAD, DIVERGING_DARK, GOOD, MUTED, REGIONS, VERDICT_COLORS
from core.report.renderers.json_tree import report_hash
from core.report.renderers.quotation import quotation_html
from core.report.renderers.svg import draw
from core.report.renderers.values import NUMERIC, Shown, show
from core.report.tree import Block, Column, Figure, Heading, Quantity, Report, Section, Table, Value

TEMPLATES = Path(__file__).parent / "templates"

NO_BREAK = "\N{NO-BREAK SPACE}"

DARK_MARKS = {
    ACCENT: ACCENT_DARK,
    GOOD: DIVERGING_DARK[-1],
    BAD: DIVERGING_DARK[0],
    VERDICT_COLORS["possibly weak"]: "#E0BE55",
    VERDICT_COLORS["lower score"]: "#B79BD6",
    VERDICT_COLORS["not shown to be weak"]: "#9DB9C7",
    REGIONS["both"]: "#B3A4E8",
    MUTED: "#A9B4B9",
}
"""What stands for a figure's colour on a dark page, where the one chosen for white paper is too dim."""


@dataclass(frozen=True, slots=True)
class View:
    """A block as the template takes it: which macro draws it, its number among its kind, its anchor, its picture."""

    macro: str
    block: Block
    number: int = 0
    anchor: str = ""
    svg: Markup | None = None


@dataclass(frozen=True, slots=True)
class SectionView:
    number: int
    section: Section
    views: tuple[View, ...]

    @property
    def headings(self) -> tuple[View, ...]:
        return tuple(view for view in self.views if view.macro == "heading")


def render_html(report: Report) -> bytes:
    """One HTML document in UTF-8. Text of any origin is escaped; every number has a `data-value` in full precision."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"show": show, "cell": cell, "numeric": is_numeric, "breakable": breakable}
    environment.filters["markdown"] = quotation_html
    environment.tests["quantity"] = lambda value: isinstance(value, Quantity)
    template = environment.get_template("report.html.j2")
    html = template.render(
        report=report, sections=_sections(report), hash=report_hash(report), dark_marks=DARK_MARKS, accent=ACCENT
    )
    return html.encode("utf-8", "replace")


def cell(value: Value, column: Column) -> Shown:
    """A table's value under its column."""
    return show(value if isinstance(value, Quantity) else Quantity(value, column.kind))


def is_numeric(column: Column) -> bool:
    return column.kind in NUMERIC


def breakable(text: str) -> str:
    """A number's text for a narrow column: "0.71 [0.65, 0.77], n = 83" breaks before its interval and before its n."""
    return re.sub(r" (?!\[|n = )", NO_BREAK, text)


def _sections(report: Report) -> tuple[SectionView, ...]:
    counts = {"table": 0, "figure": 0}
    return tuple(
        SectionView(number, section, tuple(_views(section, counts)))
        for number, section in enumerate(report.sections, start=1)
    )


def _views(section: Section, counts: dict[str, int]) -> Iterator[View]:
    """The section's blocks in order; `counts` runs on through the report, so that no two tables share a number."""
    for position, block in enumerate(section.blocks, start=1):
        macro = _macro(block)
        match block:
            case Heading():
                yield View(macro, block, anchor=f"{section.id}-{position}")
            case Table():
                counts["table"] += 1
                yield View(macro, block, counts["table"], f"table-{counts['table']}")
            case Figure():
                counts["figure"] += 1
                anchor = f"figure-{counts['figure']}"
                # The drawing library escapes the data's text; tests hold it to that.
                yield View(macro, block, counts["figure"], anchor, Markup(draw(block.data, name=anchor)))  # noqa: S704
            case _:
                yield View(macro, block, anchor=f"{section.id}-{position}")


def _macro(block: Block) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(block).__name__).lower()
