"""Words that an annotator marked in the blind view, between the browser's plain data and evidence spans."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hcat.core.labelling.label_details import PARTS, EvidenceSpan
from hcat.core.types import JsonValue, Sample


def to_marks(sample: Sample, spans: Iterable[EvidenceSpan]) -> list[JsonValue]:
    """Spans as the browser knows them: by the place of the text, since passages have no name in the blind view."""
    ranks = {passage.id: rank for rank, passage in reversed(list(enumerate(sample.contexts)))}
    return [
        {"place": f"{span.part}/{ranks.get(span.passage or '', 0)}", "start": span.start, "end": span.end}
        for span in spans
    ]


def from_marks(sample: Sample, marks: object) -> tuple[EvidenceSpan, ...]:
    """The marks that the browser sent, in the order of the texts. Whatever is no mark of this sample is left out."""
    spans = {span for mark in marks if (span := _span(sample, mark))} if isinstance(marks, list) else set()
    return tuple(sorted(spans, key=lambda span: (PARTS.index(span.part), span.passage or "", span.start)))


def _span(sample: Sample, mark: object) -> EvidenceSpan | None:
    if not isinstance(mark, Mapping):
        return None
    place, _, rank = str(mark.get("place")).partition("/")
    start, end = mark.get("start"), mark.get("end")
    part = next((name for name in PARTS if name == place), None)
    if part is None or not rank.isdecimal() or not isinstance(start, int) or not isinstance(end, int):
        return None
    if part != "contexts":
        return EvidenceSpan(part, start, end)
    if int(rank) >= len(sample.contexts):
        return None
    return EvidenceSpan(part, start, end, sample.contexts[int(rank)].id)
