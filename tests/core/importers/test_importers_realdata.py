"""Real run files and labels."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from hcat.core.importers import read_run, write_run
from hcat.core.importers.labels.label_file import labels_csv, read_labels
from hcat.core.types import Criterion

DATA = Path(__file__).parents[4] / "shared/data"
FOLDER = DATA / "financebench"
GRAMMAR_FILES = sorted(DATA.glob("grammar/*/eval_results/*results*.json"))

pytestmark = [
    pytest.mark.realdata,
    pytest.mark.skipif(not FOLDER.is_dir(), reason="the public data sets are not beside the repository"),
]


def test_every_run_file_reads_whole() -> None:
    files = sorted(FOLDER.glob("*.jsonl"))
    assert len(files) == 16
    for file in files:
        preview = read_run(file, filename=file.name)
        assert (file.name, len(preview.samples), preview.problems) == (file.name, 83, ())
        assert read_run(write_run(preview.samples).encode(), filename="x").samples == preview.samples


def test_oracle_runs_have_contexts_and_dimensions() -> None:
    samples = read_run(FOLDER / "gpt-4_oracle.jsonl", filename="x").samples
    assert all(sample.contexts and sample.reference for sample in samples)
    assert {name for sample in samples for name in sample.dimensions} == {
        "company",
        "question_type",
        "question_reasoning",
    }


def test_three_named_levels_of_one_run() -> None:
    correctness = Criterion("correctness", ("Incorrect Answer", "Refusal", "Correct Answer"), passing=2)
    preview = read_labels(FOLDER / "labels.csv", criterion=correctness, run="gpt-4_oracle")
    # Counted by hand in the file: 73 correct, 8 incorrect, 2 refusals of 83; 16 runs in all.
    assert (preview.problems, preview.rows, preview.left_out) == ((), 16 * 83, 15 * 83)
    assert (len(preview.labels), Counter(label.level for label in preview.labels)) == (83, {2: 73, 0: 8, 1: 2})
    ids = {sample.id for sample in read_run(FOLDER / "gpt-4_oracle.jsonl", filename="x").samples}
    assert {label.sample_id for label in preview.labels} == ids
    again = read_labels(labels_csv(preview.labels, preview.criteria[0]).encode(), criterion=preview.criteria[0])
    assert again.labels == preview.labels


def test_without_an_order_three_names_are_a_problem_in_each_row() -> None:
    preview = read_labels(FOLDER / "labels.csv", criterion=None)
    assert (preview.labels, len(preview.problems)) == ((), 1328)


def test_every_grammar_result_reads_whole() -> None:
    # Counted in the files: records, groups, records without a response, records with the text of a document.
    counts = {
        "aurp/results_long": (257, 157, 125, 257),
        "aurp/results_long_balanced": (471, 157, 339, 0),
        "aurp/results_short": (314, 157, 224, 314),
        "aurp/results_short_balanced": (471, 157, 336, 471),
        "spider/gpt3.5-turbo_results_long": (1, 1, 0, 0),
        "spider/gpt3.5-turbo_results_short": (570, 57, 2, 0),
        "spider/results_long": (436, 56, 0, 436),
        "spider/results_long_balanced": (570, 57, 0, 570),
        "spider/results_short": (397, 57, 0, 397),
        "spider/results_short_balanced": (570, 57, 0, 570),
    }
    found = {}
    for file in GRAMMAR_FILES:
        preview = read_run(file, filename=file.name)
        assert (preview.format.name, preview.problems) == ("grammar", ())
        samples = preview.samples
        found[f"{file.parents[1].name}/{file.stem}"] = (
            len(samples),
            len({sample.group for sample in samples}),
            sum(sample.answer is None for sample in samples),
            sum(any(passage.text for passage in sample.contexts) for sample in samples),
        )
        assert read_run(write_run(samples).encode(), filename="x").samples == samples
    assert found == counts


def test_grammar_contexts_are_whole_documents_of_the_database() -> None:
    documents = json.loads((DATA / "grammar/aurp/retrieval_database/documents.json").read_text(encoding="utf-8"))
    samples = read_run(DATA / "grammar/aurp/eval_results/results_short.json", filename="x").samples
    assert {documents[passage.id] == passage.text for sample in samples for passage in sample.contexts} == {True}


@pytest.mark.parametrize(
    ("file", "hits"),
    [
        ("aurp/results_short", 90),
        ("aurp/results_long", 132),
        ("spider/results_short", 146),
        ("spider/results_long", 154),
    ],
)
def test_grammar_ids_agree_with_the_files_own_verdict_on_the_retrieval(file: str, hits: int) -> None:
    folder, name = file.split("/")
    samples = read_run(DATA / f"grammar/{folder}/eval_results/{name}.json", filename="x").samples
    # The tool's verdict is 1 where the retrieved ids are exactly the true ones (RAGResult.judge_retrieval_response).
    found = [{passage.id for passage in sample.contexts} == set(sample.relevant_ids) for sample in samples]
    assert found == [sample.metadata["retrieval_judgement"] == 1 for sample in samples]
    assert sum(found) == hits
