"""Coverage of a corpus by a test set, in words and as rows of tables."""

from __future__ import annotations

from collections.abc import Sequence

from hcat.core.capabilities.attacks.planning import clean_bound
from hcat.core.capabilities.coverage.coverage import Coverage, LevelCoverage
from hcat.core.capabilities.coverage.run_coverage import RunCoverage
from hcat.core.display.messages import say
from hcat.core.display.numbers import counted, format_count, format_percent
from hcat.core.records.codec import JSON
from hcat.core.records.layout import JsonObject

FACTS = (
    "These numbers count this test set over this corpus: they are facts, not estimates, and need no interval. That a "
    "passage is tested says that a test case asks for what it holds, not that the system answers it well."
)
INTRODUCTION = (
    "Which topics, documents and passages the test cases ask about, which they do not, and which can't be tested, with "
    "the reason; and how the test cases came out against what their design declared (HCAT 2)."
)
PASSAGE_COLUMNS = ("passage", "document", "topic", "status", "cases", "reason")


def coverage_sentences(found: Coverage) -> list[str]:
    """The tested share of the corpus, and the cases that test none of it, in sentences."""
    tested, untestable = found.count("tested"), found.count("untestable")
    testable = len(found.passages) - untestable
    share = format_percent(tested / testable) if testable else "none"
    said = [
        say(
            "With {test_cases}, {tested} of {passages} are tested, which is {share} of the {testable} that "
            "can be tested; {untestable} can't be, each with its reason.",
            test_cases=counted(found.cases, "test case"),
            tested=format_count(tested),
            passages=counted(len(found.passages), "passage"),
            share=share,
            testable=format_count(testable),
            untestable=format_count(untestable),
        )
    ]
    for what, levels in (("topic", found.topics), ("document", found.documents)):
        if levels:
            missed = [level.level for level in levels if level.status == "not tested"]
            reached = [level.cases for level in levels if level.status == "tested"]
            said.append(
                say(
                    "{reached} of {counted} tested{named}.",
                    reached=format_count(len(reached)),
                    counted=counted(len(levels), what),
                    named=_named(missed),
                )
                + _unseen(reached)
            )
    if found.without_passage:
        said.append(
            say(
                "Cases that ask for what the corpus does not hold (unanswerable): {without_passage}.",
                without_passage=format_count(found.without_passage),
            )
        )
    if found.of_other_corpora:
        said.append(
            say(
                "Cases that name passages which this corpus does not have: {of_other_corpora}. The corpus was "
                "changed since, or is another one.",
                of_other_corpora=format_count(found.of_other_corpora),
            )
        )
    return said


def least_tested_first(levels: Sequence[LevelCoverage]) -> list[LevelCoverage]:
    """The topics or documents in the order that tables show them."""
    return sorted(levels, key=lambda row: (row.tested > 0, row.tested / row.passages, -row.passages, row.level))


def rests_on(item: RunCoverage) -> str:
    """The test cases that a run asked, the corpus they are over, and caveats on both."""
    corpus, cases = item.corpus, counted(item.coverage.cases, "test case")
    if item.test_set:
        asked = say(
            "{cases} of the {test_cases} of {item.test_set}",
            cases=format_count(item.coverage.cases),
            test_cases=counted(item.of_cases, "test case"),
            item=item,
        )
    else:
        asked = say("{cases} that are of no stored test set, but name their passages", cases=cases)
    which = "" if corpus.version is None else say(", version {corpus.version}", corpus=corpus)
    said = say(
        "Run {item.run} asked {asked}; the corpus is {corpus.name}{which}.",
        item=item,
        asked=asked,
        corpus=corpus,
        which=which,
    )
    if corpus.version is not None and corpus.newest is not None and corpus.newest > corpus.version:
        said += say(
            " The corpus has a newer version, {corpus.newest}: of that one these numbers say nothing.", corpus=corpus
        )
    if item.unanswered:
        said += say(
            " Cases that the system failed to answer: {unanswered}; what they ask about counts as tested, "
            "since the question was put.",
            unanswered=format_count(item.unanswered),
        )
    return said


def passage_rows(found: Coverage) -> list[tuple[str, ...]]:
    """One row a passage, with the reason where it can't be tested."""
    return [(row.id, row.document, row.topic, row.status, str(row.cases), row.reason) for row in found.passages]


def coverage_document(found: Coverage) -> JsonObject:
    """The attestation as JSON."""
    return {
        "cases": found.cases,
        "passages": {status: found.count(status) for status in ("tested", "not tested", "untestable")},
        "without_passage": found.without_passage,
        "of_other_corpora": found.of_other_corpora,
        "topics": [{**JSON.write_object(row), "status": row.status} for row in found.topics],
        "documents": [{**JSON.write_object(row), "status": row.status} for row in found.documents],
        "distributions": [JSON.write_object(row) for row in found.distributions],
        "untestable": {row.id: row.reason for row in found.passages if row.reason},
    }


def _unseen(cases: Sequence[int]) -> str:
    """The failure rate that the fewest test cases of a tested topic or document could miss."""
    if not cases:
        return ""
    return say(
        " The one with the fewest has {fewest}: even where all pass, a failure rate of up to {bound} could go unseen "
        "(95% confidence).",
        fewest=counted(min(cases), "test case"),
        bound=format_percent(clean_bound(min(cases))),
    )


def _named(missed: list[str]) -> str:
    if not missed:
        return ""
    more = say(" and {missed} more", missed=len(missed) - 5) if len(missed) > 5 else ""
    return say("; not tested: {missed}{more}", missed=", ".join(missed[:5]), more=more)
