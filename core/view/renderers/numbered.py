"""Sections, tables and figures with their numbers and anchors: the same ones in every format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hcat.core.view.tree import Block, Figure, Heading, Report, Section, Table


@dataclass(frozen=True, slots=True)
class Part:
    """A block, its number among the report's tables or figures (0 for other blocks), and its anchor."""

    block: Block
    number: int
    anchor: str


@dataclass(frozen=True, slots=True)
class NumberedSection:
    number: int
    section: Section
    parts: tuple[Part, ...]

    @property
    def headings(self) -> tuple[tuple[str, str], ...]:
        """The anchor and the text of each heading within."""
        return tuple((part.anchor, part.block.text) for part in self.parts if isinstance(part.block, Heading))


def numbered(report: Report) -> tuple[NumberedSection, ...]:
    """The report's sections. Numbers of tables and figures run on through the report, so that no two share one."""
    counts = {"table": 0, "figure": 0}
    return tuple(
        NumberedSection(number, section, tuple(parts_of(section.blocks, name=section.id, counts=counts)))
        for number, section in enumerate(report.sections, start=1)
    )


def parts_of(blocks: Iterable[Block], *, name: str, counts: dict[str, int], prefix: str = "") -> Iterator[Part]:
    """The blocks with their anchors; `counts` of tables and figures go on. `prefix` sets anchors apart."""
    for position, block in enumerate(blocks, start=1):
        kind = "table" if isinstance(block, Table) else "figure" if isinstance(block, Figure) else ""
        if kind:
            counts[kind] += 1
            yield Part(block, counts[kind], f"{prefix}{kind}-{counts[kind]}")
        else:
            yield Part(block, 0, f"{name}-{position}")
