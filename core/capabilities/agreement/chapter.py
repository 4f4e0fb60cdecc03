"""The chapter on human judgement: by which guideline people judged, how many, how blind, and how far they agree."""

from __future__ import annotations

from hcat.core.capabilities.agreement.view import agreement_view
from hcat.core.capabilities.report.chapter import Chapter
from hcat.core.capabilities.report.evidence.records import Evidence, LabelEvidence
from hcat.core.display.messages import say
from hcat.core.types import Criterion
from hcat.core.view.telling import column, tell
from hcat.core.view.tree import (
    Block,
    Bullets,
    Heading,
    KeyValues,
    Paragraph,
    Quantity,
    Quotation,
    Section,
    Table,
    Text,
    Value,
)

KIND_NAMES = {"people": "people", "rule": "rule (no person)"}
NO_GUIDELINE = "This criterion has no guideline: what annotators passed and failed follows from no written rule."
LABELS = (
    "Several labels of one sample count once: by majority, or as an adjudicator decided. Decisions are not counted "
    "as labels, nor adjudicators as annotators. Intervals are Wilson's at 95%. "
    "Shares are weighted by the probability with which each sample was drawn."
)
BLIND = (
    "A label is blind if its annotator had seen no score, no verdict and no label of others on that sample. Labels "
    "that were imported from a file do not say."
)


def people_section(evidence: Evidence) -> Section:
    """Criteria with their guidelines, the labels on them, blindness, and agreement between annotators."""
    blocks = [block for criterion in evidence.criteria for block in _criterion(criterion)]
    blocks.append(Heading(say("Labels")))
    blocks.append(_labels(evidence.labels) if evidence.labels else Paragraph((say("There are no labels."),)))
    blocks += _blindness(evidence.labels)
    blocks.append(Heading(say("Agreement between annotators")))
    if not evidence.agreements:
        blocks.append(Paragraph((say("No two people labelled the same samples: their agreement is unknown."),)))
    for item in evidence.agreements:
        blocks += agreement_view(item.agreement, item.criterion, item.run).blocks
    return Section("people", say("Human judgement"), tuple(blocks))


def _criterion(criterion: Criterion) -> list[Block]:
    items = [
        (say("Levels, worst to best"), Quantity(" < ".join(map(say, criterion.levels)), "text")),
        (say("Passes from"), Quantity(say(criterion.levels[criterion.passing]), "text")),
    ]
    if not criterion.guideline:
        return [
            Heading(say("Criterion: {criterion.name}", criterion=criterion)),
            KeyValues(tuple(items)),
            Paragraph((say(NO_GUIDELINE),)),
        ]
    items.append((say("Guideline version"), Quantity(criterion.guideline_version, "count")))
    return [
        Heading(say("Criterion: {criterion.name}", criterion=criterion)),
        KeyValues(tuple(items)),
        Quotation(criterion.guideline),
    ]


def _labels(labels: tuple[LabelEvidence, ...]) -> Table:
    columns = (
        *(column("Run"), column("Criterion"), column("Labelled by"), column("Annotators", "count")),
        *(column("Labels", "count"), column("Decisions", "count"), column("Samples", "count")),
        *(column("Ties left out", "count"), column("Passing", "share")),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            *(item.run, item.criterion, say(KIND_NAMES[item.kind]), len(item.annotators), item.labels, item.decisions),
            *(item.samples, item.ties, item.passes),
        )
        for item in labels
    )
    return Table(say("Labels"), columns, rows, (say(LABELS),))


def _blindness(labels: tuple[LabelEvidence, ...]) -> list[Block]:
    """Numbers of labels in force that are blind, not blind, and not recorded as either; empty where nobody recorded
    it."""
    items: tuple[Text, ...] = tuple(
        tell(
            "Run {item.run}, {item.criterion}: {blind} labels are blind, {not_blind} are not, and of {unknown} it is "
            "not recorded.",
            item=item,
            blind=Quantity(item.blindness.blind, "count"),
            not_blind=Quantity(item.blindness.not_blind, "count"),
            unknown=Quantity(item.blindness.unknown, "count"),
        )
        for item in labels
        if item.blindness is not None
    )
    return [Heading(say("Blindness")), Paragraph((say(BLIND),)), Bullets(items)] if items else []


CHAPTER = Chapter(
    "people",
    "Human judgement",
    people_section,
    lambda evidence: any(each.kind == "people" for each in evidence.labels),
    after="metrics",
)
