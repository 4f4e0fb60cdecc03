"""What a test set covers, counted by hand."""

import json
import sys
from pathlib import Path

import pytest

from hcat.core.capabilities.coverage.coverage import Coverage, coverage, declared_of
from hcat.core.capabilities.coverage.view import coverage_view
from hcat.core.capabilities.coverage.wording import coverage_sentences
from hcat.core.capabilities.test_sets.frame import TOO_SHORT
from hcat.core.errors import HcatError
from hcat.core.records import test_case
from hcat.core.records.passages import CorpusPassage, passages_jsonl
from hcat.core.records.test_case import TestCase
from hcat.core.view.tree import Table
from hcat.core.view.values import cell
from hcat.dashboard import cli

LONG = "This passage says something about {}."
PASSAGES = (
    CorpusPassage("f1", LONG.format("fees"), "fees.md"),
    CorpusPassage("f2", LONG.format("charges"), "fees.md"),
    CorpusPassage("l1", LONG.format("loans"), "loans.md"),
    CorpusPassage("l2", LONG.format("fees"), "loans.md"),
    CorpusPassage("t1", "Too short.", "toc.md"),
)
TOPICS = {"f1": "fees", "f2": "fees", "l1": "loans", "l2": "fees", "t1": "loans"}
CASES = (
    TestCase("a", "q1", passages=("f1",), topic="fees", difficulty="easy"),
    TestCase("b", "q2", passages=("f1", "f2"), type="multi-hop", topic="fees"),
    TestCase("c", "q3", type="unanswerable", topic="loans"),
    TestCase("d", "q4", passages=("gone",)),
)
DECLARED = {"topic": {"fees": 2.0, "loans": 2.0}, "type": {"simple factual": 4.0}}


def texts(found: Coverage, title: str) -> list[list[str]]:
    """The rows of a table of the view as they read."""
    [table] = [block for block in coverage_view(found).blocks if isinstance(block, Table) and block.title == title]
    return [[cell(value, of).text for value, of in zip(row, table.columns, strict=True)] for row in table.rows]


def test_each_passage_is_tested_or_not_or_untestable_with_a_reason() -> None:
    found = coverage(CASES, PASSAGES, topics=TOPICS, untestable={"l1": "no fact", "f1": "never said"})
    assert [(p.id, p.status, p.cases, p.reason) for p in found.passages] == [
        ("f1", "tested", 2, ""),
        ("f2", "tested", 1, ""),
        ("l1", "untestable", 0, "no fact"),
        ("l2", "not tested", 0, ""),  # though it has the text of f1
        ("t1", "untestable", 0, TOO_SHORT),
    ]
    assert (found.cases, found.without_passage, found.of_other_corpora) == (4, 1, 1)


def test_topics_and_documents_count_their_passages() -> None:
    found = coverage(CASES, PASSAGES, topics=TOPICS)
    rows = [(t.level, t.passages, t.tested, t.untestable, t.cases, t.status) for t in found.topics]
    assert rows == [("fees", 3, 2, 0, 2, "tested"), ("loans", 2, 0, 1, 0, "not tested")]
    assert [(d.level, d.tested, d.status) for d in found.documents] == [
        ("fees.md", 2, "tested"),
        ("loans.md", 0, "not tested"),
        ("toc.md", 0, "untestable"),
    ]
    assert coverage(CASES, PASSAGES).topics == ()
    without_short = {name: topic for name, topic in TOPICS.items() if name != "t1"}
    topics = coverage(CASES, PASSAGES, topics=without_short).topics
    assert [(t.level, t.passages, t.untestable) for t in topics] == [("fees", 3, 0), ("loans", 1, 0)]
    assert texts(found, "Topics, the least tested first")[0] == ["loans", "2", "0", "0%", "1", "0", "not tested"]


def test_declared_stands_beside_realised() -> None:
    found = coverage(CASES, PASSAGES, topics=TOPICS, declared=DECLARED)
    rows = {(row.dimension, row.level): (row.declared, row.realised) for row in found.distributions}
    # Case d says no topic, and its passage is none of the corpus.
    assert rows["topic", "fees"] == (2, 2)
    assert rows["topic", "loans"] == (2, 1)
    assert rows["topic", "(none)"] == (0, 1)
    assert rows["type", "simple factual"] == (4, 2)
    assert rows["type", "multi-hop"] == (0, 1)
    assert rows["difficulty", "easy"] == (None, 1)
    assert rows["document", "fees.md"] == (None, 2)
    shown = texts(found, "Declared and realised cases")
    assert ["topic", "loans", "2.00", "1", "−1.00"] in shown
    assert "document" not in {row[0] for row in shown}  # undeclared: the table of documents has their cases


def test_what_a_design_declares() -> None:
    design = {
        "settings": {"by": ["topic", "document"]},
        "strata": [
            {"levels": ["fees", "a"], "target": 1.5},
            {"levels": ["fees", "b"], "target": 0.5},
            {"levels": ["loans", "a"], "target": 2.0},
        ],
    }
    assert declared_of(design) == {"topic": {"fees": 2.0, "loans": 2.0}, "document": {"a": 3.5, "b": 0.5}}
    made = {
        "settings": {"dimensions": ["topic"]},
        "strata": [{"levels": ["fees"], "asked": 3}],
        "types": [{"type": "open", "asked": 3}],
    }
    assert declared_of(made) == {"topic": {"fees": 3.0}, "type": {"open": 3.0}}
    with pytest.raises(HcatError, match="nothing is declared"):
        declared_of({"settings": {}})


def test_sentences_say_what_is_missed() -> None:
    said = " ".join(coverage_sentences(coverage(CASES, PASSAGES, topics=TOPICS)))
    assert "With 4 test cases, 2 of 5 passages are tested, which is 50.0% of the 4 that can be tested" in said
    assert (
        "1 of 2 topics tested; not tested: loans. The one with the fewest has 2 test cases: even where all pass" in said
    )
    assert "a failure rate of up to 77.6% could go unseen" in said  # 1 − √0.05
    assert "Cases that name passages which this corpus does not have: 1." in said


def test_a_corpus_has_passages() -> None:
    with pytest.raises(HcatError, match="no passage"):
        coverage(CASES, ())


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.jsonl").write_text(test_case.test_cases_jsonl(CASES), "utf-8")
    Path("p.jsonl").write_text(passages_jsonl(PASSAGES), "utf-8")
    Path("u.csv").write_text("passage,reason\nl1,no fact\n", "utf-8")
    Path("d.json").write_text(json.dumps({"types": [{"type": "open", "asked": 3}]}), "utf-8")
    call = "coverage t.jsonl p.jsonl --untestable u.csv --declared d.json -o c.csv"
    for more, wanted in (("", "not estimates"), (" --json", '"not tested": 1')):
        monkeypatch.setattr(sys, "argv", ["hcat", *(call + more).split()])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert not ended.value.code
        assert wanted in capsys.readouterr().out
    assert Path("c.csv").read_text("utf-8-sig").splitlines()[3] == '"l1","loans.md","","untestable","0","no fact"'
