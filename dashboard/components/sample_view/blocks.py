"""A sample and an explanation as the plain data that the sample view draws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hcat.core.display.palette import BAD, GOOD
from hcat.core.display.reflow import reflow
from hcat.core.types import JsonValue, Sample
from hcat.dashboard.components.sample_view.marks import Mark, Place, Spot, marks


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text: one that a mark judges, or one that is only the match of such."""

    spot: Spot
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """The stretches of each text in their order, none over another, and where links lead."""

    spans: dict[Place, list[Span]]

    def shown(self, spot: Spot) -> str | None:
        """The id of the stretch shown at the place of a match: itself, or a judged one that overlaps it."""
        here = self.spans.get(spot.place, [])
        return next((span.spot.id for span in here if span.spot.start < spot.end and spot.start < span.spot.end), None)


def blocks(
    sample: Sample, explanation: dict[str, JsonValue] | None, *, dark: bool, reference: bool = True
) -> list[JsonValue]:
    """Three blocks of texts in segments: query with reference, contexts in rank order, answer.

    Without an explanation nothing is coloured and no score is shown: that is the blind view. Each text has its place
    there, "answer/0" or "contexts/2" by rank, so that words in it can be marked. Segments hold the unchanged texts;
    gaps say what is shown in place of some of their characters.
    """
    blind = explanation is None
    layout = _layout(marks(explanation or {}))

    def text(role: str, body: str, *, title: str = "", passage: str | None = None, rank: int = 1) -> JsonValue:
        segments = list(_segments(body, (role, passage), layout, dark=dark))
        gaps: list[JsonValue] = [[gap.start, gap.end, gap.shown] for gap in reflow(body).gaps]
        drawn: dict[str, JsonValue] = {"title": title, "segments": segments, "gaps": gaps}
        return {**drawn, "place": f"{role}/{rank - 1}"} if blind else drawn

    question = [text("query", sample.query)]
    if reference and sample.reference is not None:
        question.append(text("reference", sample.reference, title="Reference answer"))
    contexts: list[JsonValue] = [
        text(
            "contexts",
            passage.text,
            title=_passage_title(rank, passage.id, passage.score, blind),
            passage=passage.id,
            rank=rank,
        )
        for rank, passage in enumerate(sample.contexts, start=1)
    ]
    answer: list[JsonValue] = [] if not sample.answer else [text("answer", sample.answer)]
    missing = "The system gave no answer." if sample.answer is None else "The answer is empty."
    return [
        {"role": "query", "title": "Query", "texts": question},
        {
            "role": "contexts",
            "title": "Contexts",
            "texts": contexts,
            "empty": "The run file holds no contexts here.",
        },
        {"role": "answer", "title": "Answer", "texts": answer, "empty": missing},
    ]


def _passage_title(rank: int, passage_id: str, score: float | None, blind: bool) -> str:
    """The rank alone in the blind view: the id of a passage that was planted says that it was."""
    if blind:
        return str(rank)
    return f"{rank} · {passage_id}" + ("" if score is None else f" · retrieval score {score:.3f}")


def _layout(marks: Sequence[Mark]) -> Layout:
    """Judged stretches first; a match is a stretch of its own only if it overlaps none of them."""
    layout = Layout({})
    for span in [*(Span(mark.spot, mark) for mark in marks), *(Span(mark.match) for mark in marks if mark.match)]:
        if layout.shown(span.spot) is None:
            layout.spans.setdefault(span.spot.place, []).append(span)
    return Layout({place: sorted(spans, key=lambda span: span.spot.start) for place, spans in layout.spans.items()})


def _segments(text: str, place: Place, layout: Layout, *, dark: bool) -> Iterator[JsonValue]:
    end = 0
    for span in layout.spans.get(place, []):
        if span.spot.start > end:
            yield {"text": text[end : span.spot.start]}
        segment: dict[str, JsonValue] = {"text": text[span.spot.start : span.spot.end], "id": span.spot.id}
        if span.mark is not None:
            segment |= _judged(span.mark, layout, dark=dark)
        yield segment
        end = span.spot.end
    if end < len(text):
        yield {"text": text[end:]}


def _judged(mark: Mark, layout: Layout, *, dark: bool) -> dict[str, JsonValue]:
    return {
        "score": mark.badge,
        "best": None if mark.match is None else layout.shown(mark.match),
        "color": None if mark.tone is None else shade(mark.tone, dark=dark),
        "flag": mark.flagged,
        "note": mark.note,
    }


def shade(score: float, *, dark: bool) -> str:
    """The colour behind a sentence: orange below 0.5, blue above, stronger with distance."""
    color = GOOD if score >= 0.5 else BAD
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    alpha = min(1.0, 0.15 + abs(score - 0.5)) * (0.75 if dark else 0.6)
    return f"rgba({red}, {green}, {blue}, {alpha:.2f})"
