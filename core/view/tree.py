"""The report as one tree of plain values. Every format is a renderer over it; no renderer computes anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from hcat.core.display.edition import Language
from hcat.core.figures.curve import CalibrationCurve
from hcat.core.figures.forest import ForestPlot
from hcat.core.figures.heatmap import WeaknessHeatmap
from hcat.core.figures.reliability import ReliabilityDiagram
from hcat.core.figures.slice_scores import SliceScores
from hcat.core.types import Estimate, JsonValue

Kind = Literal["text", "code", "number", "count", "percent", "p-value", "difference", "estimate", "share", "verdict"]
"""Format of a value. "share" is an estimate in percent, "code" a hash, a command or a name that a machine reads."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value and its format; the full precision is stored with the text."""

    value: str | int | float | Estimate | None
    kind: Kind = "number"


Value = str | int | float | Estimate | Quantity | None
"""Content of a cell of a table. None is empty; a quantity has its own format, not its column's."""


Text = tuple[str | Quantity, ...]
"""Plain text with quantities in it. Never markup: renderers escape it."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of a part of a section; in print it may begin a new page."""

    text: str
    new_page: bool = False


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: Text


@dataclass(frozen=True, slots=True)
class Quotation:
    """Text from elsewhere, in Markdown."""

    text: str


@dataclass(frozen=True, slots=True)
class Bullets:
    items: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class KeyValues:
    """Facts by name, in order."""

    items: tuple[tuple[str, Quantity], ...]


@dataclass(frozen=True, slots=True)
class Column:
    title: str
    kind: Kind = "text"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns; each row has one value a column. The first column names the row."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    note: Text = ()

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"a row of the table {self.title!r} does not have {len(self.columns)} values")


FigureData = ReliabilityDiagram | CalibrationCurve | WeaknessHeatmap | ForestPlot | SliceScores


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as data. `caption` describes it in words."""

    title: str
    data: FigureData
    caption: Text = ()


@dataclass(frozen=True, slots=True)
class Callout:
    """A statement that must not be missed."""

    kind: Literal["good", "info", "warning", "bad"]
    title: str
    text: Text


@dataclass(frozen=True, slots=True)
class SampleExcerpt:
    """One sample as text, cut where it is long. `facts` are its scores, `labels` what people said of it."""

    id: str
    query: str
    answer: str | None
    contexts: tuple[str, ...] = ()
    facts: tuple[tuple[str, Quantity], ...] = ()
    reference: str | None = None
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Samples:
    title: str
    items: tuple[SampleExcerpt, ...]
    note: Text = ()


Block = Heading | Paragraph | Quotation | Bullets | KeyValues | Table | Figure | Callout | Samples


@dataclass(frozen=True, slots=True)
class Section:
    """`id` is its anchor: lower-case letters, digits and hyphens."""

    id: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """A whole report. `facts` go on the cover; hcat's own have English names, which renderers translate, as they do
    verdicts. All other texts are in the `language` of the edition."""

    title: str
    subtitle: str
    created_at: datetime
    version: str
    sections: tuple[Section, ...]
    facts: Mapping[str, str] = field(default_factory=dict)
    language: Language = "en"
    inputs: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, JsonValue] = field(default_factory=dict)
