"""What was validated: the runs, how their samples were answered, and what the report leaves out."""

from __future__ import annotations

from core.refusals.state import ANSWER_STATES, TITLES
from core.report.evidence.records import Evidence
from core.report.tree import Block, Column, Paragraph, Section, Table, Value
from core.wording.clusters import CLUSTERS

SCOPE = (
    "This report covers the answers that the system under validation gave to a fixed set of test cases, what "
    "automated metrics and human labels say about them, how well the metrics agree with people, and where the "
    "system is weak. It does not cover questions outside these test cases or changes to the system after the runs."
)
STATES = (
    "An answer that declines is a refusal: correct where the reference declines too, wrong where the reference or "
    "relevant passages hold the answer. Recognised by rules on the wording, in English."
)


def scope_section(evidence: Evidence) -> Section:
    """The description of the project, the runs and their answers."""
    blocks: list[Block] = [Paragraph((evidence.description,))] if evidence.description else []
    blocks.append(Paragraph((SCOPE,)))
    if evidence.runs_left_out:
        names = ", ".join(evidence.runs_left_out)
        blocks.append(Paragraph((f"Runs of the project that this report leaves out, by choice: {names}.",)))
    return Section("scope", "Scope", (*blocks, _runs(evidence), *_states(evidence)))


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
