"""ragas data sets, in the layouts that ragas and pandas write."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hcat.core.errors import FileFormatError
from hcat.core.importers import Preview, read_run, write_run

FIXTURES = Path(__file__).parents[1] / "fixtures"
RECORDS = [json.loads(line) for line in (FIXTURES / "ragas.jsonl").read_text(encoding="utf-8").splitlines()]


def parquet(records: object) -> bytes:
    out = io.BytesIO()
    pd.DataFrame(records).to_parquet(out)
    return out.getvalue()


def contents(preview: Preview) -> list[dict[str, object]]:
    return [
        {
            "user_input": sample.query,
            "retrieved_contexts": [passage.text for passage in sample.contexts],
            "reference_contexts": list(sample.reference_contexts),
            "response": sample.answer,
            "reference": sample.reference,
        }
        for sample in preview.samples
    ]


@pytest.mark.parametrize("container", ["csv", "json", "jsonl", "parquet"])
def test_a_data_set_reads_the_same_from_every_container(container: str) -> None:
    source = parquet(RECORDS) if container == "parquet" else FIXTURES / f"ragas.{container}"
    preview = read_run(source, filename="x")
    assert (preview.format.name, preview.problems) == ("ragas", ())
    assert contents(preview) == RECORDS
    assert preview.fields["user_input"] == "query"
    again = read_run(write_run(preview.samples).encode(), filename="x")
    assert (again.format.name, again.samples) == ("native", preview.samples)


def test_ids_are_the_same_from_every_container() -> None:
    sources = [parquet(RECORDS), *((FIXTURES / f"ragas.{kind}").read_bytes() for kind in ("csv", "json", "jsonl"))]
    ids = {tuple(sample.id for sample in read_run(source, filename="x").samples) for source in sources}
    assert len(ids) == 1


@pytest.mark.parametrize("container", ["csv", "json", "jsonl", "parquet"])
def test_a_malformed_row_is_left_out_in_every_container(container: str) -> None:
    records = [dict(record) for record in RECORDS]
    if container == "parquet":
        records[1]["user_input"] = None
        source, column = parquet(records), "user_input"
    elif container == "csv":
        text = (FIXTURES / "ragas.csv").read_text(encoding="utf-8")
        source, column = text.replace("['Die Quote beträgt 12,5 %; siehe", "['Die Quote").encode(), "retrieved_contexts"
        source = source.replace(b"2024.']", b"2024.'")
    else:
        records[1]["retrieved_contexts"] = "['Die Quote"
        column = "retrieved_contexts"
        source = (json.dumps(records) if container == "json" else "\n".join(map(json.dumps, records))).encode()
    preview = read_run(source, filename="x")
    assert contents(preview) == [RECORDS[0], RECORDS[2]]
    assert [(p.row, p.column) for p in preview.problems] == [(2, column)]
    assert [bad.row for bad in preview.bad_rows] == [2]


@pytest.mark.parametrize("container", ["csv", "json", "jsonl", "parquet"])
def test_version_0_1_reads_the_same_from_every_container(container: str) -> None:
    old = [
        {
            "question": record["user_input"],
            "answer": record["response"],
            "contexts": np.array(record["retrieved_contexts"], dtype=object),
            "ground_truth": record["reference"],
        }
        for record in RECORDS
    ]
    source = parquet(old) if container == "parquet" else FIXTURES / f"ragas_01.{container}"
    preview = read_run(source, filename="x")
    assert (preview.format.name, preview.problems) == ("ragas-0.1", ())
    found = [{**content, "reference_contexts": None} for content in contents(preview)]
    assert found == [{**record, "reference_contexts": None} for record in RECORDS]
    again = read_run(write_run(preview.samples).encode(), filename="x")
    assert again.samples == preview.samples


def test_version_0_1_with_a_malformed_row_in_every_container() -> None:
    rows = [
        {"question": "q1", "answer": "a1", "contexts": ["c1"]},
        {"question": "q2", "answer": "a2", "contexts": "['c2'"},
    ]
    table = io.StringIO()
    pd.DataFrame(rows).to_csv(table)
    mixed = [{**rows[0]}, {**rows[1], "contexts": ["c2"], "question": None}]
    sources = [
        (table.getvalue().encode(), "contexts"),
        (json.dumps(rows).encode(), "contexts"),
        ("\n".join(map(json.dumps, rows)).encode(), "contexts"),
        (parquet(mixed), "question"),
    ]
    for source, column in sources:
        preview = read_run(source, filename="x")
        assert preview.format.name == "ragas-0.1"
        assert [sample.query for sample in preview.samples] == ["q1"]
        assert [(p.row, p.column) for p in preview.problems] == [(2, column)]


def test_several_ground_truths_give_a_reference_and_stay_as_metadata() -> None:
    row = {"question": "q", "answer": "a", "contexts": [], "ground_truths": ["first", "second"]}
    sample = read_run(json.dumps([row]).encode(), filename="x").samples[0]
    assert (sample.reference, sample.metadata) == ("first", {"answers": ["first", "second"]})


def test_a_talk_of_several_turns_is_a_clear_problem() -> None:
    preview = read_run(FIXTURES / "ragas_multi_turn.jsonl", filename="x")
    assert preview.samples == ()
    assert [(p.row, p.column, p.expected, p.found) for p in preview.problems] == [
        (1, "user_input", "one question as text: hcat reads single-turn samples", "a conversation of 2 messages")
    ]
    talk = [{"content": "Hello", "type": "human"}]
    table = io.StringIO(newline="")
    csv.writer(table).writerows([("user_input", "response"), (talk, "Hi"), ("[{ is no talk", "No.")])
    preview = read_run(table.getvalue().encode(), filename="x")
    assert [sample.query for sample in preview.samples] == ["[{ is no talk"]
    assert [p.found for p in preview.problems] == ["a conversation of 1 messages"]


def test_ids_of_contexts_are_kept_and_must_match() -> None:
    row = {
        "user_input": "q",
        "response": "a",
        "retrieved_contexts": ["One.", "Two."],
        "retrieved_context_ids": ["d1", 2],
        "reference_context_ids": ["d1"],
    }
    wrong = {**row, "retrieved_context_ids": ["d1"]}
    preview = read_run(json.dumps([row, wrong]).encode(), filename="x")
    assert [passage.id for passage in preview.samples[0].contexts] == ["d1", "2"]
    assert preview.samples[0].relevant_ids == {"d1": 1}
    assert [(p.row, p.column, p.found) for p in preview.problems] == [(2, "retrieved_context_ids", "1 ids")]


def test_a_row_without_a_response_is_a_system_that_failed() -> None:
    rows = [{"user_input": "q1", "response": "a"}, {"user_input": "q2"}]
    assert [s.answer for s in read_run(json.dumps(rows).encode(), filename="x").samples] == ["a", None]


def test_a_test_set_without_any_response_is_no_run() -> None:
    with pytest.raises(FileFormatError, match="ragas needs user_input, response"):
        read_run(b'[{"user_input": "q", "reference": "r"}]', filename="x")


def test_scores_stay_metadata_and_slices_become_dimensions() -> None:
    frame = pd.DataFrame(
        [
            {
                "user_input": f"question {index}",
                "response": "answer",
                "retrieved_contexts": ["context"],
                "faithfulness": [0.0, 1.0][index % 2],
                "synthesizer_name": ["single", "multi"][index % 2],
                "rubrics": {"score1": "bad"},
            }
            for index in range(10)
        ]
    )
    for data in (frame.to_csv().encode(), frame.to_json(orient="records").encode()):
        preview = read_run(data, filename="x")
        assert (preview.problems, len(preview.samples)) == ((), 10)
        assert preview.extras["synthesizer_name"] == "dimension"
        assert preview.samples[1].dimensions["synthesizer_name"] == "multi"
    data = frame.to_json(orient="records", double_precision=10).encode()
    out = io.BytesIO()
    frame.to_parquet(out)
    for preview in (read_run(frame.to_csv().encode(), filename="x"), read_run(out.getvalue(), filename="x")):
        assert preview.extras["faithfulness"] == "metadata"
        assert "faithfulness" in preview.samples[0].metadata
