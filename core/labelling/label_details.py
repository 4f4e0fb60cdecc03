"""The details of a label besides the level: confidence, the words of the sample that support it, and what was shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hcat.core.errors import HcatError
from hcat.core.types import Sample

Part = Literal["query", "contexts", "answer", "reference"]
PARTS: tuple[Part, ...] = ("query", "contexts", "answer", "reference")
SUREST = 5


@dataclass(frozen=True, slots=True)
class EvidenceSpan:
    """Characters [start, end) of a part of the sample; of the passage with this id if the part is "contexts"."""

    part: Part
    start: int
    end: int
    passage: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelDetails:
    """The details of a label, a skip, or "can't judge".

    `confidence` is 1 (a guess) to 5 (certain). `flagged` asks for somebody's attention, `comment` says why. `shown`
    names what the annotator saw before, and `blind` says that no score, verdict or other label was among it; None if
    nobody recorded it."""

    confidence: int | None = None
    spans: tuple[EvidenceSpan, ...] = ()
    flagged: bool = False
    comment: str | None = None
    shown: tuple[str, ...] = ()
    blind: bool | None = None

    def __post_init__(self) -> None:
        if self.confidence is not None and not 1 <= self.confidence <= SUREST:
            raise HcatError(f"confidence is 1 (a guess) to {SUREST} (certain)")


NO_DETAILS = LabelDetails()


def check_spans(sample: Sample, details: LabelDetails) -> None:
    """Raise HcatError if a span is not within its part of the sample."""
    for span in details.spans:
        text = _text(sample, span)
        if text is None:
            raise HcatError(f"sample {sample.id!r} has no {_place(span)} to mark: mark words that are displayed")
        if not 0 <= span.start < span.end <= len(text):
            raise HcatError(
                f"the mark {span.start}–{span.end} is not within the {len(text)} characters of {_place(span)}"
            )


def _text(sample: Sample, span: EvidenceSpan) -> str | None:
    if span.part == "contexts":
        return next((passage.text for passage in sample.contexts if passage.id == span.passage), None)
    return {"query": sample.query, "answer": sample.answer, "reference": sample.reference}.get(span.part)


def _place(span: EvidenceSpan) -> str:
    return span.part if span.passage is None else f"passage {span.passage!r}"
