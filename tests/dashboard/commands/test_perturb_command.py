"""`hcat perturb`, on test sets and run files."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from hcat.core.capabilities.collect.test_set import read_test_cases
from hcat.core.capabilities.robustness.variants.registry import FAMILIES
from hcat.core.records import test_case
from hcat.core.records.test_case import TestCase
from hcat.dashboard.cli import app

CASE = TestCase("a", "Which documents do I bring?", reference="EUR 5", passages=("p",), grades={"p": 2})


def written(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_variants_of_a_test_set_can_be_collected(tmp_path: Path) -> None:
    tests, output = tmp_path / "t.jsonl", tmp_path / "v.jsonl"
    tests.write_text(test_case.test_cases_jsonl([CASE]), "utf-8")
    result = CliRunner().invoke(
        app, ["perturb", str(tests), "--family", "spelling", "--strength", "0.3,1", "-o", str(output), "--with-origins"]
    )
    assert result.exit_code == 0, result.output
    origin, *variants = read_test_cases(output)
    assert origin.query == CASE.query
    assert [case.variant.of for case in variants if case.variant] == ["a", "a"]
    assert [case.metadata["expectation"] for case in variants] == ["stay", "stay"]


def test_variants_of_a_runs_queries(tmp_path: Path) -> None:
    run, output, corpus = tmp_path / "r.jsonl", tmp_path / "v.jsonl", tmp_path / "c.jsonl"
    contexts = [{"id": "p", "text": "It costs EUR 5."}]
    rows: list[dict[str, object]] = [
        {"id": f"a{trial}", "test_case": "a", "trial": trial, "query": "What does the card cost?", "answer": "EUR 5",
         "reference": "EUR 5", "relevant_ids": {"p": 2}, "contexts": contexts}
        for trial in (0, 1)
    ]  # fmt: skip
    rows.append({"id": "b", "query": "Wat?", "answer": "", "variant": {"family": "spelling", "of": "a"}})
    run.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    corpus.write_text(json.dumps(contexts[0]) + "\n", "utf-8")
    result = CliRunner().invoke(
        app,
        ["perturb", str(run), "--family", "contradicting context,updated context", "-o", str(output), "--json",
         "--corpus", str(corpus), "--perturbed-corpus", str(tmp_path / "p.jsonl")],
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert (document["test_cases"], document["variants"]) == (1, 2)
    assert [row["variants"] for row in document["families"]] == [1, 1]
    assert {str(row["id"]) for row in written(output)} == {"a~contradicting-context-0.2", "a~updated-context-0.2"}
    for name, ids in {
        "contradicting-context-0.2": {"p", "a~contradicting"},
        "updated-context-0.2": {"a~updated-1"},
    }.items():
        assert {row["id"] for row in written(tmp_path / f"p-{name}.jsonl")} == ids
        assert [row["id"] for row in written(tmp_path / f"v-{name}.jsonl")] == [f"a~{name}"]
    assert not (tmp_path / "p.jsonl").exists()
    assert len(document["perturbed_corpora"]) == 2


def test_copies_of_the_corpus_are_written_over_nothing_and_need_a_change(tmp_path: Path) -> None:
    tests, corpus = tmp_path / "t.jsonl", tmp_path / "p-contradicting-context-0.2.jsonl"
    tests.write_text(test_case.test_cases_jsonl([TestCase("a", "What does the card cost?", "EUR 5", ("p",))]), "utf-8")
    corpus.write_text('{"id": "p", "text": "The card costs EUR 5."}\n', "utf-8")
    named = ["-o", str(tmp_path / "v.jsonl"), "--corpus", str(corpus), "--perturbed-corpus", str(tmp_path / "p.jsonl")]
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    for family, said in (("contradicting context", "would be overwritten"), ("spelling", "no --perturbed-corpus")):
        result = CliRunner().invoke(app, ["perturb", str(tests), "--family", family, *named])
        assert said in str(result.exception)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_nothing_to_change_is_one_line_and_writes_nothing(tmp_path: Path) -> None:
    tests = tmp_path / "t.jsonl"
    tests.write_text(test_case.test_cases_jsonl([TestCase("a", "EUR 5?")]), "utf-8")
    result = CliRunner().invoke(app, ["perturb", str(tests), "-o", str(tmp_path / "v.jsonl")])
    assert "no variant could be made" in str(result.exception)
    assert not (tmp_path / "v.jsonl").exists()


def test_the_families_are_listed() -> None:
    result = CliRunner().invoke(app, ["perturb", "--families", "--json"])
    assert [row["family"] for row in json.loads(result.stdout)["families"]] == list(FAMILIES)
