"""Coverage of each run's corpus by its test cases: topics, documents, passages, declared against realised."""

from __future__ import annotations

from hcat.core.capabilities.coverage.run_coverage import RunCoverage
from hcat.core.capabilities.coverage.view import WITHOUT_A_CASE, coverage_view, passages_view
from hcat.core.capabilities.coverage.wording import INTRODUCTION, rests_on
from hcat.core.capabilities.report.chapter import Chapter
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.display.messages import say
from hcat.core.records.design_weights import DesignSummary
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Heading, Paragraph, Section, Table, Value
from hcat.core.wording.clusters import CLUSTERS

MOST_ROWS = 50
TRIALS = "A question is one test case, a trial one answer to it."


NO_CORPUS = (
    "It is not known from which corpus the test cases were made, nor how much they cover of the documents that the "
    "system answers from."
)


def coverage_section(evidence: Evidence) -> Section:
    """The number of test cases of each run, their design, and their coverage of the corpus."""
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
    blocks = [Heading(item.run), Paragraph((rests_on(item),)), *coverage_view(found, most_rows=MOST_ROWS).blocks]
    if found.count("tested") < len(found.passages):
        blocks += passages_view(found, WITHOUT_A_CASE, most_rows=MOST_ROWS).blocks
    return blocks


CHAPTER = Chapter(
    "coverage", "Test design and coverage", coverage_section, lambda evidence: evidence.coverage, after="data"
)
