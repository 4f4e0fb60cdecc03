"""Criteria with their guidelines, the labels on them, and the topics of the texts."""

from __future__ import annotations

from core.report.evidence.records import Evidence, LabelEvidence
from core.report.tree import Block, Column, Heading, KeyValues, Paragraph, Quantity, Quotation, Section, Table, Value
from core.types import Criterion

TOPIC_SOURCES = {"query": "queries"}
KIND_NAMES = {"people": "people", "rule": "rule (no person)"}
NO_GUIDELINE = "This criterion has no guideline: what annotators passed and failed follows from no written rule."
LABELS = (
    "Several labels of one sample count once: by majority, or as an adjudicator decided. Decisions are not counted "
    "as labels, nor adjudicators as annotators. Intervals are Wilson's at 95%. "
    "Shares are weighted by the probability with which each sample was drawn."
)


def data_section(evidence: Evidence) -> Section:
    """What was judged, by whom, and what the questions are about."""
    blocks = [block for criterion in evidence.criteria for block in _criterion(criterion)]
    blocks.append(_labels(evidence.labels) if evidence.labels else Paragraph(("There are no labels.",)))
    return Section("data", "Data and labels", (*blocks, *_corpora(evidence), *_topics(evidence)))


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


def _corpora(evidence: Evidence) -> list[Block]:
    """The corpora that test cases were made from, each version once."""
    columns = (
        *(Column("Corpus"), Column("Version", "count"), Column("Documents", "count"), Column("Passages", "count")),
        Column("Content hash", "code"),
    )
    corpora = dict.fromkeys(item.corpus for item in evidence.coverage)
    rows: list[tuple[Value, ...]] = [
        (corpus.name, corpus.version, corpus.documents, corpus.passages, corpus.content_hash) for corpus in corpora
    ]
    return [Table("Corpora", columns, tuple(rows))] if rows else []


def _topics(evidence: Evidence) -> list[Block]:
    columns = (Column("Topic"), Column("Texts", "count"), Column("Share", "percent"), Column("Key terms"))
    blocks: list[Block] = []
    for item in evidence.topics:
        model = item.model
        rows: list[tuple[Value, ...]] = [
            (topic.title, topic.size, topic.size / max(1, model.n), ", ".join(term.text for term in topic.terms[:8]))
            for topic in model.topics
        ]
        if model.without_topic:
            rows.append(("(no topic)", model.without_topic, model.without_topic / model.n, None))
        note = f"Method: {model.method}. Key terms by class-based TF-IDF. Topics were derived from the texts."
        title = f"Topics of the {TOPIC_SOURCES.get(item.source, item.source)} of run {item.run}"
        blocks += [Heading(f"Topics of run {item.run}"), Table(title, columns, tuple(rows), (note,))]
    return blocks
