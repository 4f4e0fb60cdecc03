"""The chapter on human judgement: by which guideline people judged, how many, how blind, and how far they agree."""

from __future__ import annotations

from core.report.evidence.records import AgreementEvidence, Evidence, LabelEvidence
from core.report.tree import (
    Block,
    Bullets,
    Column,
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
from core.types import Criterion
from core.wording.agreement import coefficient_text, few_minority_labels

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
    blocks.append(Heading("Labels"))
    blocks.append(_labels(evidence.labels) if evidence.labels else Paragraph(("There are no labels.",)))
    blocks += _blindness(evidence.labels)
    blocks.append(Heading("Agreement between annotators"))
    if not evidence.agreements:
        blocks.append(Paragraph(("No two people labelled the same samples: their agreement is unknown.",)))
    blocks += [_agreement(item) for item in evidence.agreements]
    return Section("people", "Human judgement", tuple(blocks))


def _criterion(criterion: Criterion) -> list[Block]:
    items = [
        ("Levels, worst to best", Quantity(" < ".join(criterion.levels), "text")),
        ("Passes from", Quantity(criterion.levels[criterion.passing], "text")),
    ]
    if not criterion.guideline:
        return [Heading(f"Criterion: {criterion.name}"), KeyValues(tuple(items)), Paragraph((NO_GUIDELINE,))]
    items.append(("Guideline version", Quantity(criterion.guideline_version, "count")))
    return [Heading(f"Criterion: {criterion.name}"), KeyValues(tuple(items)), Quotation(criterion.guideline)]


def _labels(labels: tuple[LabelEvidence, ...]) -> Table:
    columns = (
        *(Column("Run"), Column("Criterion"), Column("Labelled by"), Column("Annotators", "count")),
        *(Column("Labels", "count"), Column("Decisions", "count"), Column("Samples", "count")),
        *(Column("Ties left out", "count"), Column("Passing", "share")),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            *(item.run, item.criterion, KIND_NAMES[item.kind], len(item.annotators), item.labels, item.decisions),
            *(item.samples, item.ties, item.passes),
        )
        for item in labels
    )
    return Table("Labels", columns, rows, (LABELS,))


def _blindness(labels: tuple[LabelEvidence, ...]) -> list[Block]:
    """How many labels in force were given blind; nothing where nobody recorded it."""
    items: tuple[Text, ...] = tuple(
        (
            f"Run {item.run}, {item.criterion}: ",
            *(Quantity(item.blindness.blind, "count"), " labels are blind, "),
            *(Quantity(item.blindness.not_blind, "count"), " are not, and of "),
            *(Quantity(item.blindness.unknown, "count"), " it is not recorded."),
        )
        for item in labels
        if item.blindness is not None
    )
    return [Heading("Blindness"), Paragraph((BLIND,)), Bullets(items)] if items else []


def _agreement(item: AgreementEvidence) -> Table:
    agreement = item.agreement
    columns = (Column("Coefficient"), Column("Estimate", "estimate"))
    note = (
        "Of ",
        Quantity(agreement.annotators, "count"),
        " people, over the samples that two or more of them labelled. Intervals are by Bayesian bootstrap over "
        "samples, or over clusters where some have several samples.",
        *(() if agreement.enough else (" There are too few of these samples to conclude anything.",)),
        *((f" {few}",) if (few := few_minority_labels(agreement)) else ()),
    )
    rows = tuple(
        (name, made if agreement.is_shown(name) else coefficient_text(agreement, name))
        for name, made in agreement.coefficients.items()
    )
    return Table(f"Agreement on {item.criterion}, run {item.run}", columns, rows, note)
