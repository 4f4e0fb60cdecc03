"""Recognition, mapping, ids, unknown columns, and what is downloaded."""

from __future__ import annotations

import csv
import hashlib
import io
import json

import pytest

from hcat.core.errors import FileFormatError
from hcat.core.importers import FORMATS, BadRow, Problem, bad_rows_jsonl, problems_csv, read_run
from hcat.core.importers.extras import MAX_LEVELS
from hcat.core.importers.preview import MAX_BAD_ROWS
from hcat.core.importers.recognition import recognise


def preview_of(*records: dict[str, object]):
    return read_run(json.dumps(records).encode(), filename="x")


def first_names(declared) -> tuple[str, ...]:
    return tuple(names.split("|")[0] for names in declared)


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.name)
def test_each_format_is_recognised_by_what_it_needs_and_knows(known) -> None:
    needed, every = first_names(known.required), first_names(known.fields)
    assert recognise(needed) is known
    assert recognise((*needed, *every)) is known
    assert set(known.known_fields((*needed, *every))) >= set(every)


def test_the_format_that_knows_most_columns_wins() -> None:
    columns = ("query", "answer", "user_input", "response", "retrieved_contexts", "reference")
    found = recognise(columns)
    assert found is not None
    assert found.name == "ragas"
    assert list(found.known_fields(columns)) == ["user_input", "response", "retrieved_contexts", "reference"]


def test_unknown_columns_list_what_was_found_and_what_is_needed() -> None:
    with pytest.raises(FileFormatError) as caught:
        preview_of({"demand": "q", "output": "a"})
    message = str(caught.value)
    assert "found demand, output." in message
    assert "native needs query, answer;" in message
    # Of the others only those are named of which something is there; LangSmith has one of its two, "output".
    assert "trulens needs record_id, input, output" in message
    assert "langsmith needs inputs.question|inputs.query|inputs.user_input|…, outputs.answer|" in message
    assert "ragchecker" not in message


def test_an_answer_beside_what_a_system_said_is_the_reference() -> None:
    [sample] = preview_of({"query": "q", "answer": "the right answer", "gpt_response": "what it said"}).samples
    assert (sample.answer, sample.reference) == ("what it said", "the right answer")


def test_a_format_can_be_named() -> None:
    records = [{"question": "q1", "contexts": ["c"], "answer": "old", "query": "q2"}]
    data = json.dumps(records).encode()
    assert read_run(data, filename="x", format="native").samples[0].query == "q2"
    assert read_run(data, filename="x", format="ragas-0.1").samples[0].query == "q1"
    with pytest.raises(FileFormatError, match=r"choose one of native, ragas, ragas-0\.1"):
        read_run(data, filename="x", format="excel")
    with pytest.raises(FileFormatError, match="ragas needs user_input, response"):
        read_run(data, filename="x", format="ragas")


def test_columns_can_be_mapped_to_native_ones() -> None:
    data = b"Frage;Antwort;Quellen;Firma\nWas?;Das.;\"['eins' 'zwei']\";3M\n"
    mapping = {"Frage": "query", "Antwort": "answer", "Quellen": "contexts"}
    preview = read_run(data, filename="x", mapping=mapping)
    assert preview.format.name == "native"
    assert preview.columns == ("Frage", "Antwort", "Quellen", "Firma")
    sample = preview.samples[0]
    assert (sample.query, sample.answer, [p.text for p in sample.contexts]) == ("Was?", "Das.", ["eins", "zwei"])
    assert sample.metadata == {"Firma": "3M"}


def test_one_mapped_record_alone_is_a_record() -> None:
    data = json.dumps({"prompt": "q", "output": "a", "hits": [{"text": "c"}]}).encode()
    preview = read_run(data, filename="x", mapping={"prompt": "query", "output": "answer", "hits": "contexts"})
    assert preview.samples[0].contexts[0].text == "c"


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        ({"nowhere": "query"}, 'no column is called "nowhere"'),
        ({"a": "question"}, '"question" is not a column of a run file'),
        ({"a": "query"}, 'two columns would be called "query"'),
        ({"a": "answer", "b": "answer"}, 'two columns would be called "answer"'),
        ({"query": "group"}, "native needs query, answer"),
    ],
)
def test_a_wrong_mapping_is_refused(mapping: dict[str, str], message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        read_run(b"query,a,b\n1,2,3\n", filename="x", mapping=mapping)


def test_an_id_is_made_of_query_answer_contexts_and_trial() -> None:
    row = {"query": "q", "answer": "a", "contexts": ["c"]}
    made = preview_of(row, {**row, "reference": "r"}, row, {**row, "trial": 1}, {**row, "answer": None}).samples
    expected = hashlib.sha256(b'["q", "a", ["c"], 0]').hexdigest()[:16]
    assert [sample.id for sample in made[:3]] == [expected, f"{expected}-2", f"{expected}-3"]
    assert len({sample.id for sample in made}) == 5
    # The same rows in another order and company keep their ids.
    assert preview_of({"query": "other", "answer": "x"}, row).samples[1].id == expected


def test_a_made_id_steps_aside_for_a_given_one() -> None:
    row = {"query": "q", "answer": "a"}
    made = preview_of(row).samples[0].id
    ids = [sample.id for sample in preview_of(row, {"id": made, "query": "another", "answer": "a"}).samples]
    assert ids == [f"{made}-2", made]


def test_the_same_id_and_trial_twice_is_a_problem_and_another_trial_is_none() -> None:
    row = {"id": "q1", "query": "q", "answer": "a"}
    preview = preview_of(row, {**row, "trial": 1}, {**row, "answer": "b"}, {**row, "id": 1}, {**row, "id": "1"})
    assert [(sample.id, sample.trial) for sample in preview.samples] == [("q1", 0), ("q1", 1), ("1", 0)]
    assert [(p.row, p.column, p.found) for p in preview.problems] == [
        (3, "id", '"q1", trial 0, as in row 1'),
        (5, "id", '"1", trial 0, as in row 4'),
    ]


def test_a_bad_row_does_not_take_an_id() -> None:
    preview = preview_of({"id": "q1", "query": "", "answer": "a"}, {"id": "q1", "query": "q", "answer": "a"})
    assert [sample.id for sample in preview.samples] == ["q1"]
    assert [p.row for p in preview.problems] == [1]


def test_what_unknown_columns_are_used_for() -> None:
    count = 2 * MAX_LEVELS + 4
    records = [
        {
            "query": "q",
            "answer": f"a{index}",
            "company": ["A", "B"][index % 2] if index else "",
            "year": 2020 + index % 3,
            "cached": index % 2 == 0,
            "latency": [0.5, 1.5][index % 2],
            "ticket": f"T{index}",
            "thirty": f"L{index % MAX_LEVELS}",
            "thirty_one": f"L{index % (MAX_LEVELS + 1)}",
            "tags": ["x"],
            "nothing": None,
        }
        for index in range(count)
    ]
    preview = preview_of(*records)
    assert preview.problems == ()
    assert preview.extras == {
        "company": "dimension",
        "year": "dimension",
        "cached": "dimension",
        "latency": "metadata",
        "ticket": "metadata",
        "thirty": "dimension",
        "thirty_one": "metadata",
        "tags": "metadata",
        "nothing": "metadata",
    }
    sample = preview.samples[1]
    assert sample.dimensions == {"company": "B", "year": "2021", "cached": "false", "thirty": "L1"}
    assert sample.metadata == {"latency": 1.5, "ticket": "T1", "thirty_one": "L1", "tags": ["x"]}


def test_fewer_than_half_as_many_levels_as_samples_make_a_dimension() -> None:
    def use(count: int) -> str:
        rows = [{"query": "q", "answer": f"{i}", "team": "ab"[i % 2]} for i in range(count)]
        return preview_of(*rows).extras["team"]

    assert (use(4), use(5)) == ("metadata", "dimension")


def test_a_given_dimension_is_not_overwritten_by_a_column() -> None:
    rows = [{"query": "q", "answer": f"{i}", "team": "x", "dimensions": {"team": "y"}} for i in range(3)]
    assert preview_of(*rows).samples[0].dimensions == {"team": "y"}


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_no_cell_of_the_problems_is_a_formula(start: str) -> None:
    problems = [
        Problem(1, f"{start}1+1", f"{start}SUM(A1)", f"{start}cmd|' /C calc'!A0"),
        Problem(None, None, "a", "b"),
    ]
    rows = list(csv.reader(io.StringIO(problems_csv(problems).decode("utf-8"), newline="")))
    assert rows[0] == ["row", "column", "expected", "found"]
    assert rows[1] == ["1", f"'{start}1+1", f"'{start}SUM(A1)", f"'{start}cmd|' /C calc'!A0"]
    assert rows[2] == ["", "", "a", "b"]


def test_problems_of_hostile_columns_can_be_downloaded() -> None:
    data = json.dumps([{"query": "q", "answer": "a"}, {"query": "q", "answer": "a", "=\ud800": ["x"]}]).encode()
    assert read_run(data, filename="x").bad == 0  # no field needs it
    preview = read_run(data, filename="x", mapping={"query": "query", "answer": "answer", "=\ud800": "dimension"})
    assert preview.bad == 1
    assert b"'=\\ud800" in problems_csv(preview.problems)


def test_bad_rows_can_be_mended_and_imported_again() -> None:
    lines = ['{"id": "q1", "query": "", "answer": "a"}', '{"id": "q2", "query": "q", "answer": "a"}', '{"id": "q3"']
    preview = read_run("\n".join(lines).encode(), filename="x")
    assert [sample.id for sample in preview.samples] == ["q2"]
    downloaded = bad_rows_jsonl(preview.bad_rows).decode()
    assert downloaded.splitlines() == [lines[0], lines[2]]
    mended = downloaded.replace('"query": ""', '"query": "q"').replace('"q3"', '"q3", "query": "q", "answer": null}')
    assert [sample.id for sample in read_run(mended.encode(), filename="x").samples] == ["q1", "q3"]
    assert bad_rows_jsonl([BadRow(1, {"answer": "\ud800"}), BadRow(2, "one\r\ntwo")]) == (
        b'{"answer": "\\ud800"}\none two\n'
    )


def test_only_the_first_bad_rows_are_kept_but_all_are_counted() -> None:
    preview = preview_of(*[{"query": "", "answer": "a"}] * (MAX_BAD_ROWS + 5), {"query": "q", "answer": "a"})
    assert (preview.bad, len(preview.bad_rows), len(preview.problems)) == (
        MAX_BAD_ROWS + 5,
        MAX_BAD_ROWS,
        MAX_BAD_ROWS + 5,
    )


def test_a_hostile_file_name_is_shown_in_one_line() -> None:
    with pytest.raises(FileFormatError, match=r"^\?\[31mred\?name\.csv: the file is empty$"):
        read_run(b"", filename="../../\x1b[31mred\nname.csv\x00")
