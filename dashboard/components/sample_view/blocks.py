"""A sample and an explanation as the plain data that the sample view draws."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from core.palette import BAD, GOOD
from core.types import JsonValue, Sample

Place = tuple[str, str | None]
"""A part of the sample and, for contexts, the passage's id."""


@dataclass(frozen=True, slots=True)
class Span:
    """A sentence of a part. `score` and `best` (the id of its match) are of the scored part only."""

    start: int
    end: int
    id: str
    score: float | None = None
    best: str | None = None
    flagged: bool = False


@dataclass(frozen=True, slots=True)
class Spans:
    """The sentences that an explanation speaks of, by where they stand."""

    by_place: dict[Place, dict[int, Span]] = field(default_factory=dict)

    def add(self, place: Place, span: Span) -> None:
        held = self.by_place.setdefault(place, {})
        if span.start not in held or held[span.start].score is None:
            held[span.start] = span

    def at(self, place: Place) -> list[Span]:
        return [span for _, span in sorted(self.by_place.get(place, {}).items())]


def blocks(sample: Sample, explanation: dict[str, JsonValue] | None, *, dark: bool) -> list[JsonValue]:
    """Three blocks of texts in segments: query with reference, contexts in rank order, answer.

    Without an explanation nothing is coloured and nothing but the texts is told: that is the blind view.
    """
    blind = explanation is None
    spans = _spans(explanation or {})

    def text(part: str, body: str, *, title: str = "", passage: str | None = None) -> JsonValue:
        return {"title": title, "segments": list(_segments(body, spans.at((part, passage)), dark=dark))}

    question = [text("query", sample.query)]
    if sample.reference is not None:
        question.append(text("reference", sample.reference, title="Reference answer"))
    contexts: list[JsonValue] = [
        text("contexts", passage.text, title=_passage_title(rank, passage.id, passage.score, blind), passage=passage.id)
        for rank, passage in enumerate(sample.contexts, start=1)
    ]
    answer: list[JsonValue] = [] if not sample.answer else [text("answer", sample.answer)]
    missing = "The system gave no answer." if sample.answer is None else "The answer is empty."
    return [
        {"role": "query", "title": "Query", "texts": question},
        {"role": "contexts", "title": "Contexts", "texts": contexts, "empty": "No contexts were retrieved."},
        {"role": "answer", "title": "Answer", "texts": answer, "empty": missing},
    ]


def _passage_title(rank: int, passage_id: str, score: float | None, blind: bool) -> str:
    if blind:
        return f"{rank}"
    return f"{rank} · {passage_id}" + ("" if score is None else f" · retrieval score {score:.3f}")


def _spans(explanation: dict[str, JsonValue]) -> Spans:
    spans = Spans()
    part, other = str(explanation.get("part")), str(explanation.get("against"))
    flagged = explanation.get("flagged")
    rows = explanation.get("sentences")
    for position, row in enumerate(rows if isinstance(rows, list) else []):
        if not isinstance(row, dict) or not isinstance(row["match"], dict):
            continue
        match = _span(other, row["match"])
        spans.add((other, _passage(row["match"])), match)
        mine = _span(part, row)
        scored = Span(
            start=mine.start,
            end=mine.end,
            id=mine.id,
            score=float(str(row["score"])),
            best=match.id,
            flagged=isinstance(flagged, list) and position in flagged,
        )
        spans.add((part, _passage(row)), scored)
    return spans


def _span(part: str, row: dict[str, JsonValue]) -> Span:
    start, end = int(str(row["start"])), int(str(row["end"]))
    return Span(start, end, f"{part}/{_passage(row) or ''}/{start}")


def _passage(row: dict[str, JsonValue]) -> str | None:
    found = row.get("passage")
    return None if found is None else str(found)


def _segments(text: str, spans: list[Span], *, dark: bool) -> Iterator[JsonValue]:
    end = 0
    for span in spans:
        if span.start > end:
            yield {"text": text[end : span.start]}
        segment: dict[str, JsonValue] = {"text": text[span.start : span.end], "id": span.id}
        if span.score is not None:
            segment |= {
                "score": f"{span.score:.2f}",
                "best": span.best,
                "color": shade(span.score, dark=dark),
                "flag": span.flagged,
                "note": f"similarity to its best match: {span.score:.3f}",
            }
        yield segment
        end = span.end
    if end < len(text):
        yield {"text": text[end:]}


def shade(score: float, *, dark: bool) -> str:
    """The colour behind a sentence: orange below 0.5, blue above, stronger with distance."""
    color = GOOD if score >= 0.5 else BAD
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    alpha = min(1.0, 0.15 + abs(score - 0.5)) * (0.75 if dark else 0.6)
    return f"rgba({red}, {green}, {blue}, {alpha:.2f})"
