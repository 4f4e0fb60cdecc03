"""Real run files and labels."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.importers import read_run, write_run
from core.importers.labels import labels_csv, read_labels

FOLDER = Path(__file__).parents[4] / "shared/data/financebench"

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


def test_correct_against_the_rest_for_one_run() -> None:
    preview = read_labels(FOLDER / "labels.csv", criterion=None, positive="Correct Answer", run="gpt-4_oracle")
    # Counted by hand in the file: 73 correct, 8 incorrect, 2 refusals of 83; 16 runs in all.
    assert (preview.problems, preview.rows, preview.left_out) == ((), 16 * 83, 15 * 83)
    assert (len(preview.labels), sum(label.level for label in preview.labels)) == (83, 73)
    ids = {sample.id for sample in read_run(FOLDER / "gpt-4_oracle.jsonl", filename="x").samples}
    assert {label.sample_id for label in preview.labels} == ids
    again = read_labels(labels_csv(preview.labels, preview.criteria[0]).encode(), criterion=preview.criteria[0])
    assert again.labels == preview.labels


def test_without_an_order_three_names_are_a_problem_in_each_row() -> None:
    preview = read_labels(FOLDER / "labels.csv", criterion=None)
    assert (preview.labels, len(preview.problems)) == ((), 1328)
