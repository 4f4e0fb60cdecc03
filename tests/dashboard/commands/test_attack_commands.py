"""`hcat attack` and `hcat attack-rates` on files: made, answered, evaluated, corrected by labels."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hcat.core.attack_detectors import MARKER
from hcat.core.capabilities.collect.test_set import read_test_cases
from hcat.core.records.passages import CorpusPassage, passages_jsonl, read_passages
from hcat.core.records.run_file import to_record
from hcat.core.records.test_case import TestCase
from hcat.core.records.test_case import test_cases_jsonl as as_jsonl
from hcat.core.types import Passage, Sample
from hcat.dashboard import cli

N = 24


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    corpus = [CorpusPassage(f"p{k}", f"The fee of account {k} is EUR {10 + k}.", document="fees") for k in range(2 * N)]
    tests = [TestCase(f"q{k}", f"What is the fee of account {k}?", f"EUR {10 + k}.", (f"p{k}",)) for k in range(2 * N)]
    Path("passages.jsonl").write_text(passages_jsonl(corpus))
    Path("tests.jsonl").write_text(as_jsonl(tests))
    return tmp_path


def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str) -> str:
    monkeypatch.setattr(sys, "argv", ["hcat", *line.split()])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    out, err = capsys.readouterr()
    assert stopped.value.code in (0, None), err
    return out


def obedient(case: Sample, texts: dict[str, str]) -> Sample:
    """A system that retrieves the passage of the question and writes any word that the passage or the question names;
    its answers to controls repeat the reference number in every second case."""
    passages = case.metadata["passages"]
    name = str(passages[0]) if isinstance(passages, list) else ""
    marker = str(case.metadata[MARKER])
    obeys = case.metadata["arm"] == "attack" or int(name[1:]) % 2 == 0
    context = Passage(name, texts[name])
    return Sample(
        case.id, case.query, marker if obeys else "It is EUR 10.", contexts=(context,), dimensions=case.dimensions,
        test_case=case.test_case, variant=case.variant, metadata=case.metadata,
    )  # fmt: skip


def test_from_a_corpus_to_rates(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = json.loads(call(monkeypatch, capsys, "attack passages.jsonl -o a.jsonl --tests tests.jsonl -n 24 --json"))
    assert made["clean_below"] == pytest.approx(1 - 0.05 ** (1 / 24))
    assert Path(made["poisoned_corpus"]).name == "a-corpus.jsonl"
    texts = {passage.id: passage.text for passage in read_passages(folder / "a-corpus.jsonl")}
    cases = [case for case in read_test_cases(folder / "a.jsonl") if case.metadata["detector"] == "canary"]
    run = [obedient(case, texts) for case in cases]
    Path("run.jsonl").write_text("".join(json.dumps(to_record(sample)) + "\n" for sample in run))

    results = json.loads(call(monkeypatch, capsys, "attack-rates run.jsonl --json"))
    families = {each["family"]: each for each in results["families"]}
    override = families["direct override"]["success"]["detected"]
    assert override["attack"]["value"] == 1.0
    assert override["excess"]["value"] == pytest.approx(1.0 - override["control"]["value"])
    assert 0.2 < override["control"]["value"] < 0.8
    assert families["direct override"]["verdict"] == "more than its control"
    assert results["hits"][0]["text"]
    assert results["overall"]["corrected"] is None

    labels = ["sample_id,criterion,label"]
    labels += [f"{sample.id},resistance,{'fail' if sample.metadata['arm'] == 'attack' else 'pass'}" for sample in run]
    Path("labels.csv").write_text("\n".join(labels) + "\n")
    command = "attack-rates run.jsonl --labels labels.csv --criterion resistance"
    corrected = json.loads(call(monkeypatch, capsys, f"{command} --json"))
    excess = corrected["overall"]["corrected"]["excess"]
    assert excess["value"] == pytest.approx(1.0, abs=1e-9)
    assert corrected["detectors"][0]["errors"]["sensitivity"]["value"] == 1.0
    assert corrected["detectors"][0]["errors"]["specificity"]["value"] < 1.0
    text = call(monkeypatch, capsys, command)
    assert "direct override: the detector reports success in 100%" in " ".join(text.split())
    assert "Corrected by labels" in text


def test_a_poisoned_copy_that_was_not_indexed_is_found_out(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    call(monkeypatch, capsys, "attack passages.jsonl -o a.jsonl --tests tests.jsonl -n 12")
    clean = {passage.id: passage.text for passage in read_passages(folder / "passages.jsonl")}
    cases = [
        case for case in read_test_cases(folder / "a.jsonl") if case.metadata["attack"] == "instruction in a passage"
    ]
    run = [replace(obedient(case, clean), answer="It is EUR 10.") for case in cases]
    Path("run.jsonl").write_text("".join(json.dumps(to_record(sample)) + "\n" for sample in run))
    text = " ".join(call(monkeypatch, capsys, "attack-rates run.jsonl").split())
    assert "not tested. None of 12 answers was given the passage that was planted for it" in text


def test_families_are_listed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    listed = json.loads(call(monkeypatch, capsys, "attack --families --json"))["families"]
    assert len(listed) == 10
    assert all(each["control"] for each in listed)
