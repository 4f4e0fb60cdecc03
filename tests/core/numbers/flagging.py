"""How often wrong numbers are flagged, and how often flagged numbers are wrong."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from hcat.core.metrics.registry import find_metric
from hcat.core.metrics.sample_view import PARTS, SampleView, placed_sentences
from hcat.core.text import sentences
from hcat.core.types import Passage, Sample
from tests.core.numbers.corrupted_numbers import Statement
from tests.core.numbers.number_cases import Case

Row = tuple[str, int, int, bool]
"""A number of an answer, its place, and whether it is flagged."""


@dataclass
class Flagging:
    """Counts of flagged numbers, and what was wrong."""

    right: int = 0
    false: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float:
        """Of the wrong numbers, the share that is flagged."""
        return self.right / (self.right + len(self.missed))

    @property
    def precision(self) -> float:
        """Of the flagged numbers, the share that is wrong."""
        return self.right / (self.right + len(self.false))


def flagged_numbers(source: str, answer: str) -> list[Row]:
    """The numbers of an answer as `factual_numbers` checks them."""
    sample = Sample("s", "query", answer, (Passage("p", source),))
    view = SampleView(sample, {part: placed_sentences(sample, part, sentences) for part in PARTS})
    numbers = find_metric("factual_numbers")(view).explain().get("numbers", [])
    assert isinstance(numbers, list)
    return [
        (str(row["text"]), int(str(row["start"])), int(str(row["end"])), row["verdict"] in {"doubtful", "not found"})
        for row in numbers
        if isinstance(row, dict)
    ]


def of_cases(cases: Iterable[Case]) -> Flagging:
    """All numbers of the answers count."""
    counts = Flagging()
    for case in cases:
        rows = flagged_numbers(case.source, case.answer)
        spans = [(case.answer.index(text), case.answer.index(text) + len(text)) for text in case.wrong]
        for text, (start, end) in zip(case.wrong, spans, strict=True):
            if any(flagged and first < end and last > start for _, first, last, flagged in rows):
                counts.right += 1
            else:
                counts.missed.append(f"{text!r} in {case.answer!r}")
        for text, first, last, flagged in rows:
            if flagged and not any(first < end and last > start for start, end in spans):
                counts.false.append(f"{text!r} in {case.answer!r}")
    return counts


def of_statements(statements: Iterable[Statement]) -> Flagging:
    """Only the target of each statement counts."""
    counts = Flagging()
    for one in statements:
        start = one.answer.index(one.target)
        end = start + len(one.target)
        flagged = any(
            flag and first < end and last > start for _, first, last, flag in flagged_numbers(one.source, one.answer)
        )
        if one.kind == "true" and flagged:
            counts.false.append(one.answer)
        elif one.kind != "true" and flagged:
            counts.right += 1
        elif one.kind != "true":
            counts.missed.append(f"{one.kind}: {one.answer}")
    return counts
