"""The report as one HTML file that needs nothing else: no script, no font, no picture, no address."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from hcat.core.display.edition import edition
from hcat.core.display.messages import say
from hcat.core.display.palette import ACCENT, ACCENT_DARK, BAD, DIVERGING_DARK, GOOD, MUTED, REGIONS, VERDICT_COLORS
from hcat.core.view.cover import own_facts
from hcat.core.view.renderers.json_tree import report_hash
from hcat.core.view.renderers.numbered import Part, numbered
from hcat.core.view.renderers.quotation import quotation_html
from hcat.core.view.renderers.svg import draw
from hcat.core.view.tree import Block, Column, Figure, Quantity, Report
from hcat.core.view.values import NUMERIC, breakable, cell, show

TEMPLATES = Path(__file__).parent / "templates"

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
"""Colours of figures on a dark page, in place of those for white paper that are too dim there."""


@dataclass(frozen=True, slots=True)
class View:
    """A part as the template takes it: which macro draws it, and its picture."""

    macro: str
    part: Part
    svg: Markup | None = None

    @property
    def block(self) -> Block:
        return self.part.block

    @property
    def number(self) -> int:
        return self.part.number

    @property
    def anchor(self) -> str:
        return self.part.anchor


def render_html(report: Report) -> bytes:
    """One HTML document in UTF-8. Text of any origin is escaped; every number has a `data-value` in full precision."""
    template = environment().get_template("report.html.j2")
    with edition(report.language):
        html = template.render(
            report=report,
            facts=own_facts(report.facts),
            sections=numbered(report),
            hash=report_hash(report),
            dark_marks=DARK_MARKS,
            accent=ACCENT,
        )
    return html.encode("utf-8", "replace")


def environment() -> Environment:
    """The environment of the templates of blocks. All texts are escaped."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"show": show, "cell": cell, "numeric": is_numeric, "breakable": breakable}
    made.filters |= {"markdown": quotation_html, "view": _view}
    made.globals["say"] = say
    made.tests["quantity"] = lambda value: isinstance(value, Quantity)
    return made


def is_numeric(column: Column) -> bool:
    return column.kind in NUMERIC


def _view(part: Part) -> View:
    svg = None
    if isinstance(part.block, Figure):
        # The drawing library escapes the data's text; tests hold it to that.
        svg = Markup(draw(part.block.data, name=part.anchor))  # noqa: S704
    return View(_macro(part.block), part, svg)


def _macro(block: Block) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(block).__name__).lower()
