"""What the test cases of each run cover of their corpus: topics, documents, passages, declared against realised."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hcat.core.display.messages import say
from hcat.core.records.design_weights import DesignSummary
from hcat.core.report.evidence.records import Evidence
from hcat.core.testgen.coverage import DOCUMENT, Coverage, LevelCoverage
from hcat.core.testgen.run_coverage import RunCoverage
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Bullets, Heading, Paragraph, Section, Table, Text, Value
from hcat.core.wording.clusters import CLUSTERS
from hcat.core.wording.testgen.coverage import INTRODUCTION, coverage_sentences, least_tested_first, rests_on

MOST_ROWS = 50
TRIALS = "A question is one test case, a trial one answer to it."


NO_CORPUS = (
    "It is not known from which corpus the test cases were made, nor how much they cover of the documents that the "
    "system answers from."
)


def coverage_section(evidence: Evidence) -> Section:
    """How many test cases each run asks, by which design, and what they cover of the corpus."""
    blocks: list[Block] = [_designs(evidence)] if evidence.runs else []
    blocks.append(Paragraph((say(INTRODUCTION) if evidence.coverage else say(NO_CORPUS),)))
    for item in evidence.coverage:
        blocks += _of_run(item)
    return Section("coverage", say("Test design and coverage"), tuple(blocks))


def _designs(evidence: Evidence) -> Table:
    """The test cases of each run, and whether they were drawn with probabilities that estimates weight by."""
    columns = (
        *(column("Run"), column("Questions", "count"), column("Trials", "count"), column("Clusters", "count")),
        *(column("Corpus"), column("Drawn")),
    )
    corpora = {item.run: item.corpus.name for item in evidence.coverage}
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (run.name, run.test_cases, run.n, run.clusters, corpora.get(run.name), _drawn(run.design))
        for run in evidence.runs
    )
    return Table(say("Test cases of each run"), columns, rows, (f"{say(TRIALS)} {say(CLUSTERS)}",))


def _drawn(design: DesignSummary | None) -> str:
    if design is None:
        return say("with unknown probability")
    if design.without:
        return say("some with unknown probability: not weighted")
    return say("with unequal probability: weighted") if design.unequal else say("with equal probability")


def _of_run(item: RunCoverage) -> list[Block]:
    found = item.coverage
    blocks: list[Block] = [
        Heading(item.run),
        Paragraph((rests_on(item),)),
        Bullets(tuple((sentence,) for sentence in coverage_sentences(found))),
        _statuses(found),
    ]
    blocks += [_levels(title, levels) for title, levels in (("Topic", found.topics), ("Document", found.documents))
               if levels]  # fmt: skip
    blocks.append(_distributions(found))
    return [*blocks, *_not_tested(found)]


def _statuses(found: Coverage) -> Table:
    """How many passages have each status, those that can't be tested by reason."""
    columns = (column("Passages"), column("Number", "count"), column("Share", "percent"), column("Reason"))
    counts = Counter((passage.status, passage.reason) for passage in found.passages)
    order = {"tested": 0, "not tested": 1, "untestable": 2}
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (say(status), n, n / len(found.passages), say(reason) or None)
        for (status, reason), n in sorted(counts.items(), key=lambda row: (order[row[0][0]], -row[1], row[0][1]))
    )
    return Table(say("Passages by status"), columns, rows[:MOST_ROWS], _left_out(len(rows)))


def _levels(title: str, levels: Sequence[LevelCoverage]) -> Table:
    columns = (
        *(column(title), column("Passages", "count"), column("Tested", "count"), column("Share tested", "percent")),
        *(column("Untestable", "count"), column("Cases", "count"), column("Status")),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (row.level, row.passages, row.tested, row.tested / row.passages, row.untestable, row.cases, say(row.status))
        for row in least_tested_first(levels)[:MOST_ROWS]
    )
    return Table(say(f"{title}s, the least tested first"), columns, rows, _left_out(len(levels)))


def _distributions(found: Coverage) -> Table:
    """Documents only where they were declared: how many cases each has stands in the table of documents."""
    columns = (
        *(column("Dimension"), column("Level"), column("Declared", "number"), column("Realised", "count")),
        column("Difference", "number"),
    )
    rows: list[tuple[Value, ...]] = [
        (
            *(row.dimension, row.level, row.declared, row.realised),
            None if row.declared is None else row.realised - row.declared,
        )
        for row in found.distributions
        if row.declared is not None or row.dimension != DOCUMENT
    ]
    note = say("Cases by dimension: what the design and the shares of types declared, and what the run asked.")
    return Table(
        say("Declared and realised cases"), columns, tuple(rows[:MOST_ROWS]), (note, *_left_out(len(rows), before=" "))
    )


def _not_tested(found: Coverage) -> list[Block]:
    columns = (column("Passage"), column("Document"), column("Topic"), column("Status"), column("Reason"))
    missed = [passage for passage in found.passages if passage.status != "tested"]
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (passage.id, passage.document, passage.topic or None, say(passage.status), say(passage.reason) or None)
        for passage in missed[:MOST_ROWS]
    )
    return [Table(say("Passages without a test case"), columns, rows, _left_out(len(missed)))] if rows else []


def _left_out(n: int, *, before: str = "") -> Text:
    if n <= MOST_ROWS:
        return ()
    said = say("The first {most_rows} of {n:,} rows; the page Coverage has all of them.", most_rows=MOST_ROWS, n=n)
    return (f"{before}{said}",)
