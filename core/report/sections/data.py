"""The system as it was tested: its runs and how they answered, the corpora behind the tests, and the topics."""

from __future__ import annotations

from core.refusals.state import ANSWER_STATES, TITLES
from core.report.evidence.records import Evidence
from core.report.tree import Block, Column, Heading, Section, Table, Value
from core.wording.clusters import CLUSTERS

TOPIC_SOURCES = {"query": "queries"}
STATES = (
    "An answer that declines is a refusal: correct where the reference declines too, wrong where the reference or "
    "relevant passages hold the answer. Recognised by rules on the wording, in English."
)


def data_section(evidence: Evidence) -> Section:
    """The runs, the states of their answers, and what the questions are about."""
    blocks: list[Block] = [_runs(evidence), *_states(evidence), *_corpora(evidence), *_topics(evidence)]
    return Section("data", "System and data", tuple(blocks))


def _runs(evidence: Evidence) -> Table:
    columns = (
        *(Column("Run"), Column("Questions", "count"), Column("Samples", "count"), Column("Clusters", "count")),
        *(Column("Without answer", "count"), Column("Metrics", "count"), Column("Source file")),
        Column("Content hash", "code"),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            *(run.name, run.test_cases, run.n, run.clusters, run.unanswered, len(run.scores)),
            *(run.filename or None, run.content_hash[:16]),
        )
        for run in evidence.runs
    )
    note = f"A question is one test case; a sample is one answer to it. {CLUSTERS} Full hashes: see Reproducibility."
    return Table("Runs", columns, rows, (note,))


def _states(evidence: Evidence) -> list[Table]:
    """How the samples of each run were answered, every state counted."""
    states = [Column(TITLES[state].capitalize(), "count") for state in ANSWER_STATES]
    rows: list[tuple[Value, ...]] = [
        (run.name, *[run.answer_states[state] for state in ANSWER_STATES], run.n)
        for run in evidence.runs
        if run.answer_states
    ]
    columns = (Column("Run"), *states, Column("Samples", "count"))
    return [Table("Answers and refusals", columns, tuple(rows), (STATES,))] if rows else []


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
