"""Reports made from a seed, with every kind of block, value and figure, and a way to change every text in one."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import cast, get_args

import numpy as np
import pytest

from hcat.core.figures.curve import CalibrationCurve, CurveRegion
from hcat.core.figures.forest import ForestPlot, ForestRow
from hcat.core.figures.heatmap import HeatmapCell, WeaknessHeatmap
from hcat.core.figures.reliability import ReliabilityDiagram, ReliabilityPoint
from hcat.core.figures.slice_scores import SliceScores
from hcat.core.types import Estimate
from hcat.core.view.tree import (
    Block,
    Bullets,
    Callout,
    Column,
    Figure,
    FigureData,
    Heading,
    KeyValues,
    Kind,
    Paragraph,
    Quantity,
    Quotation,
    Report,
    SampleExcerpt,
    Samples,
    Section,
    Table,
    Value,
)

WORDS = (
    "mortgage",
    "fee",
    "groundedness",
    "lost card",
    "Überweisung",
    "q̂",
    "≥ 0.5",
    "answer_relevancy_weighted",
    "naïve",
)
VERDICTS = ("weak", "possibly weak", "not shown to be weak", "insufficient evidence", "lower score")


class Maker:
    """Draws the parts of a report."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def word(self) -> str:
        return WORDS[self.rng.integers(len(WORDS))]

    def words(self, n: int = 8) -> str:
        return " ".join(self.word() for _ in range(n))

    def estimate(self) -> Estimate:
        low, value, high = np.sort(self.rng.random(3)).tolist()
        n = int(self.rng.integers(1, 5000))
        return Estimate(value, low, high, n) if n > 9 else Estimate(value, float("nan"), float("nan"), n)

    def value(self, kind: Kind) -> Value:
        if self.rng.random() < 0.05:
            return None
        if kind in ("estimate", "share"):
            return self.estimate()
        if kind == "count":
            return int(self.rng.integers(0, 10**6))
        if kind in ("text", "code"):
            return self.words(3) if kind == "text" else "a1b2c3d4" * 8
        if kind == "verdict":
            return VERDICTS[self.rng.integers(len(VERDICTS))]
        return float(self.rng.normal(0, 100)) if kind in ("number", "difference") else float(self.rng.random())

    def quantity(self) -> Quantity:
        kind = cast(Kind, self.rng.choice(np.array(get_args(Kind), dtype=object)))
        value = self.value(kind)
        return Quantity(value.value if isinstance(value, Quantity) else value, kind)

    def table(self) -> Table:
        kinds = cast(
            "list[Kind]", ["text", *self.rng.choice(np.array(get_args(Kind), dtype=object), self.rng.integers(1, 13))]
        )
        rows = tuple(tuple(self.value(kind) for kind in kinds) for _ in range(self.rng.integers(0, 70)))
        return Table(
            self.words(3), tuple(Column(self.word(), kind) for kind in kinds), rows, (self.words(), self.quantity())
        )

    def figure(self) -> FigureData:
        levels = tuple(f"level {number}" for number in range(1, 4))
        rng = self.rng
        made: tuple[Callable[[], FigureData], ...] = (
            lambda: ReliabilityDiagram(tuple(ReliabilityPoint(p, self.estimate()) for p in (0.1, 0.5, 0.9))),
            lambda: CalibrationCurve(
                "groundedness",
                tuple((x, x) for x in np.linspace(0, 1, 9).tolist()),
                tuple((float(x), bool(x > 0.5)) for x in rng.random(20)),
                (CurveRegion("fail", 0.0, 0.3), CurveRegion("both", 0.3, 0.6), CurveRegion("pass", 0.6, 1.0)),
            ),
            lambda: WeaknessHeatmap(
                "groundedness",
                "topic",
                "area",
                levels,
                levels,
                tuple(
                    HeatmapCell(
                        a, b, self.estimate(), float(rng.normal(0, 0.1)), "possibly weak", 0.03, int(rng.integers(8))
                    )
                    for a in levels
                    for b in levels
                ),
                overall=0.5,
            ),
            lambda: ForestPlot(
                "groundedness",
                tuple(ForestRow("topic", level, self.estimate(), VERDICTS[rng.integers(4)]) for level in levels),
                0.5,
            ),
            lambda: SliceScores(
                "groundedness",
                tuple((float(x), ("pass", "fail", "no label")[i % 3]) for i, x in enumerate(rng.random(15))),
                self.estimate(),
                0.6,
            ),
        )
        return made[rng.integers(len(made))]()

    def samples(self) -> Samples:
        items = tuple(
            SampleExcerpt(
                f"q{number:03d}",
                f"{self.words()}?",
                None if self.rng.random() < 0.2 else self.words(30),
                tuple(self.words(60) for _ in range(self.rng.integers(0, 4))),
                (("groundedness", self.quantity()),),
                self.words() if self.rng.random() < 0.5 else None,
                ("pass by ada",),
            )
            for number in range(self.rng.integers(0, 4))
        )
        return Samples(self.words(2), items, (self.words(),))

    def block(self, kind: type[Block]) -> Block:
        text = (self.words(), " ", self.quantity(), f" {self.words()}")
        if kind is Callout:
            return Callout(("good", "info", "warning", "bad")[self.rng.integers(4)], self.words(3), text)
        made: dict[type[Block], Callable[[], Block]] = {
            Heading: lambda: Heading(self.words(3), bool(self.rng.random() < 0.2)),
            Paragraph: lambda: Paragraph(text),
            Quotation: lambda: Quotation(
                f"# {self.word()}\n\n{self.words()} **{self.word()}**\n\n1. {self.word()}\n   - {self.word()}\n\n"
                f"| a | b |\n|---|---|\n| {self.word()} | 2 |"
            ),
            Bullets: lambda: Bullets((text, (self.quantity(),))),
            KeyValues: lambda: KeyValues(((self.word(), self.quantity()), (self.word(), self.quantity()))),
            Table: self.table,
            Figure: lambda: Figure(self.words(3), self.figure(), text),
            Samples: self.samples,
        }
        return made[kind]()

    def report(self) -> Report:
        kinds = list(get_args(Block))
        sections = []
        for number in range(1, int(self.rng.integers(2, 5))):
            self.rng.shuffle(kinds)
            blocks = tuple(self.block(kind) for kind in kinds)
            sections.append(Section(f"section-{number}", self.words(2), blocks))
        at = datetime(2026, 3, 2, 9, 30, tzinfo=UTC) + timedelta(days=int(self.rng.integers(300)))
        facts = {"Project": self.words(2), "Version": str(self.rng.integers(1, 9))}
        return Report(self.words(3), self.words(5), at, "0.1.0", tuple(sections), facts)


@pytest.fixture(scope="session")
def made_report() -> Callable[[int], Report]:
    """A report of this seed."""
    return lambda seed: Maker(seed).report()


def with_texts(value: object, change: Callable[[str], str]) -> object:
    """The tree with every text changed, but the anchors of sections and the words that a program chooses among."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, tuple):
        return tuple(with_texts(item, change) for item in value)
    if isinstance(value, dict):
        return {change(str(name)): with_texts(item, change) for name, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type | Estimate | CurveRegion | SliceScores):
        chosen = {
            ("Section", "id"),
            ("HeatmapCell", "verdict"),
            ("ForestRow", "verdict"),
            ("Report", "created_at"),
            ("Report", "language"),
            ("Callout", "kind"),
            ("Column", "kind"),
            ("Quantity", "kind"),
        }
        names = [field.name for field in dataclasses.fields(value) if (type(value).__name__, field.name) not in chosen]
        return dataclasses.replace(value, **{name: with_texts(getattr(value, name), change) for name in names})
    return value


@pytest.fixture(scope="session")
def report_with_texts() -> Callable[[Report, Callable[[str], str]], Report]:
    """The report with each of its texts changed."""
    return lambda report, change: cast(Report, with_texts(report, change))
