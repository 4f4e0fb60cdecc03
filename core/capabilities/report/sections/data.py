"""The system as tested: its runs and states of answers, the corpora behind the tests, and the topics."""

from __future__ import annotations

from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.capabilities.topics.wording import landmarks_sentence
from hcat.core.display.messages import say
from hcat.core.refusals.state import ANSWER_STATES, TITLES
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Heading, Section, Table, Value
from hcat.core.wording.clusters import CLUSTERS

TOPICS_OF_QUERIES, TOPICS_OF = (
    "Topics of the queries of run {item.run}",
    "Topics of the {item.source} of run {item.run}",
)
STATES = (
    "An answer that declines is a refusal: correct where the reference declines too, wrong where the reference or "
    "relevant passages hold the answer. Recognised by rules on the wording, in English."
)


def data_section(evidence: Evidence) -> Section:
    """The runs, the states of their answers, and the topics of the questions."""
    blocks: list[Block] = [_runs(evidence), *_states(evidence), *_corpora(evidence), *_topics(evidence)]
    return Section("data", say("System and data"), tuple(blocks))


def _runs(evidence: Evidence) -> Table:
    columns = (
        *(column("Run"), column("Questions", "count"), column("Samples", "count"), column("Clusters", "count")),
        *(column("Without answer", "count"), column("Metrics", "count"), column("Source file")),
        column("Content hash", "code"),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            *(run.name, run.test_cases, run.n, run.clusters, run.unanswered, len(run.scores)),
            *(run.filename or None, run.content_hash[:16]),
        )
        for run in evidence.runs
    )
    note = say(
        "A question is one test case; a sample is one answer to it. {clusters} Full hashes: see Reproducibility.",
        clusters=say(CLUSTERS),
    )
    return Table(say("Runs"), columns, rows, (note,))


def _states(evidence: Evidence) -> list[Table]:
    """Number of samples of each run by state of the answer."""
    states = [column(TITLES[state].capitalize(), "count") for state in ANSWER_STATES]
    rows: list[tuple[Value, ...]] = [
        (run.name, *[run.answer_states[state] for state in ANSWER_STATES], run.n)
        for run in evidence.runs
        if run.answer_states
    ]
    columns = (column("Run"), *states, column("Samples", "count"))
    return [Table(say("Answers and refusals"), columns, tuple(rows), (say(STATES),))] if rows else []


def _corpora(evidence: Evidence) -> list[Block]:
    """The corpora that test cases were made from, each version once."""
    columns = (
        *(column("Corpus"), column("Version", "count"), column("Documents", "count"), column("Passages", "count")),
        column("Content hash", "code"),
    )
    corpora = dict.fromkeys(item.corpus for item in evidence.coverage)
    rows: list[tuple[Value, ...]] = [
        (corpus.name, corpus.version, corpus.documents, corpus.passages, corpus.content_hash) for corpus in corpora
    ]
    return [Table(say("Corpora"), columns, tuple(rows))] if rows else []


def _topics(evidence: Evidence) -> list[Block]:
    columns = (column("Topic"), column("Texts", "count"), column("Share", "percent"), column("Key terms"))
    blocks: list[Block] = []
    for item in evidence.topics:
        model = item.model
        rows: list[tuple[Value, ...]] = [
            (topic.title, topic.size, topic.size / max(1, model.n), ", ".join(term.text for term in topic.terms[:8]))
            for topic in model.topics
        ]
        if model.without_topic:
            rows.append((say("(no topic)"), model.without_topic, model.without_topic / model.n, None))
        note = say(
            "Method: {model.method}. Key terms by class-based TF-IDF. Topics were derived from the texts.", model=model
        )
        notes = tuple(filter(None, (note, landmarks_sentence(model))))
        title = say(TOPICS_OF_QUERIES if item.source in ("query", "queries") else TOPICS_OF, item=item)
        blocks += [Heading(say("Topics of run {item.run}", item=item)), Table(title, columns, tuple(rows), notes)]
    return blocks
