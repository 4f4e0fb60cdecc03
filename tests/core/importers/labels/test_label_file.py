"""Label files: words, levels, runs, times and weights."""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hcat.core.errors import FileFormatError, HcatError
from hcat.core.importers.labels.label_file import labels_csv, read_labels
from hcat.core.importers.labels.level_words import SKIP, likely_level
from hcat.core.importers.reading.cells import as_identifier
from hcat.core.types import Criterion, Label

FIXTURES = Path(__file__).parents[1] / "fixtures"
CORRECTNESS = Criterion("correctness")
QUALITY = Criterion("quality", levels=("poor", "fair", "good"), passing=2)


def text_of(*rows: tuple[str, ...], header: str = "sample_id,criterion,label") -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out).writerows([header.split(","), *rows])
    return out.getvalue().encode()


def test_a_file_with_two_criteria_is_read_and_their_levels_inferred() -> None:
    preview = read_labels(FIXTURES / "labels.csv", criterion=None)
    assert (preview.problems, preview.rows, preview.left_out) == ((), 6, 0)
    assert preview.criteria == (
        Criterion("correctness"),
        # 1 to 5, of which the upper half (4 and 5) passes
        Criterion("completeness", levels=("1", "2", "3", "4", "5"), passing=3),
    )
    assert [(label.sample_id, label.level) for label in preview.labels] == [
        ("q1", 1),
        ("q2", 0),
        ("q3", 1),
        ("q1", 3),
        ("q2", 1),
        ("q3", 4),
    ]
    first, second, third = preview.labels[:3]
    assert (first.annotator, first.run, first.probability) == ("ann", "run-a", 0.5)
    assert first.at == datetime(2025, 3, 1, 10, 0, tzinfo=UTC)
    assert second.at == datetime(2025, 3, 1, 10, 5, tzinfo=UTC)
    assert second.rationale == "No figure, no source"
    assert (third.at, third.probability, third.rationale) == (None, 1.0, None)


def test_a_criterion_and_a_run_can_be_chosen() -> None:
    preview = read_labels(FIXTURES / "labels.csv", criterion=CORRECTNESS, run="run-a")
    assert [label.sample_id for label in preview.labels] == ["q1", "q2"]
    assert preview.left_out == 4
    with pytest.raises(FileFormatError, match='no label of run "run-z": the file has "run-a", "run-b"'):
        read_labels(FIXTURES / "labels.csv", criterion=None, run="run-z")
    with pytest.raises(FileFormatError, match='no label of criterion "quality": the file has "correctness"'):
        read_labels(FIXTURES / "labels.csv", criterion=QUALITY)


def test_labels_that_name_no_run_belong_to_every_run() -> None:
    data = text_of(
        ("q1", "c", "pass", "a"),
        ("q2", "c", "pass", ""),
        ("q3", "c", "fail", "b"),
        header="sample_id,criterion,label,run",
    )
    preview = read_labels(data, criterion=None, run="a")
    assert [(label.sample_id, label.run) for label in preview.labels] == [("q1", "a"), ("q2", None)]


@pytest.mark.parametrize(
    ("word", "level"),
    [("pass", 1), ("FAIL", 0), ("1", 1), ("0", 0), ("1.0", 1), ("yes", 1), ("No", 0), (" TRUE ", 1), ("false", 0)],
)
def test_the_usual_words_for_pass_and_fail(word: str, level: int) -> None:
    for criterion in (None, CORRECTNESS, Criterion("correctness", levels=("wrong", "right"))):
        preview = read_labels(text_of(("q1", "correctness", word)), criterion=criterion)
        assert [label.level for label in preview.labels] == [level]


def test_level_names_of_a_given_criterion() -> None:
    data = text_of(
        ("q1", "quality", "Good"), ("q2", "quality", "poor"), ("q3", "quality", "great"), ("q4", "quality", "1")
    )
    preview = read_labels(data, criterion=QUALITY)
    assert [(label.sample_id, label.level) for label in preview.labels] == [("q1", 2), ("q2", 0)]
    assert [(p.row, p.column, p.expected, p.found) for p in preview.problems] == [
        (3, "label", "one of poor, fair, good", '"great"'),
        (4, "label", "one of poor, fair, good", '"1"'),
    ]


@pytest.mark.parametrize("levels", [("1", "2"), ("yes", "no")])
def test_level_names_that_turn_the_usual_words_around_stand_alone(levels: tuple[str, str]) -> None:
    data = text_of(("q1", "c", levels[0]), ("q2", "c", levels[1]), ("q3", "c", "true"))
    preview = read_labels(data, criterion=Criterion("c", levels=levels))
    assert [label.level for label in preview.labels] == [0, 1]
    assert [p.row for p in preview.problems] == [3]


def test_one_value_against_the_rest() -> None:
    data = text_of(
        ("q1", "c", "Correct Answer"), ("q2", "c", "Refusal"), ("q3", "c", "correct answer"), ("q4", "c", "")
    )
    preview = read_labels(data, criterion=None, positive="Correct Answer")
    assert [label.level for label in preview.labels] == [1, 0, 1]
    assert preview.criteria == (Criterion("c"),)
    assert [(p.row, p.column) for p in preview.problems] == [(4, "label")]
    with pytest.raises(FileFormatError, match='no label is "Right": the file has "Correct Answer", "Refusal"'):
        read_labels(data, criterion=None, positive="Right")
    with pytest.raises(FileFormatError, match="two levels"):
        read_labels(data, criterion=QUALITY, positive="Correct Answer")


@pytest.mark.parametrize(
    ("words", "positive"),
    [
        (("right", "wrong", "mostly right"), "mostly right"),
        (("right", "fail", "mostly right"), "mostly right"),
        (("yes", "no", "1"), "yes"),
        (("5", "4", "3"), "5"),
    ],
)
def test_one_value_against_several_is_refused(words: tuple[str, ...], positive: str) -> None:
    data = text_of(*[(f"q{i}", "c", word) for i, word in enumerate(words)])
    with pytest.raises(FileFormatError, match=r"takes two labels.*--levels.*--passing"):
        read_labels(data, criterion=None, positive=positive)


def test_one_value_against_the_usual_words_for_a_fail() -> None:
    data = text_of(*[(f"q{i}", "c", word) for i, word in enumerate(("good", "no", "0", "Fail"))])
    assert [label.level for label in read_labels(data, criterion=None, positive="Good").labels] == [1, 0, 0, 0]


def test_what_most_labels_are_decides_and_the_others_are_problems() -> None:
    preview = read_labels(
        text_of(*[(f"q{i}", "c", w) for i, w in enumerate(("pass", "fail", "maybe", "7"))]), criterion=None
    )
    assert ([label.level for label in preview.labels], [p.row for p in preview.problems]) == ([1, 0], [3, 4])
    preview = read_labels(text_of(*[(f"q{i}", "c", w) for i, w in enumerate(("1", "0", "2", "fine"))]), criterion=None)
    assert preview.criteria[0].levels == ("0", "1", "2")
    assert [p.row for p in preview.problems] == [4]
    preview = read_labels(text_of(("q1", "c", "great"), ("q2", "c", "1000")), criterion=None)
    assert (preview.labels, preview.criteria, len(preview.problems)) == ((), (), 2)
    assert "give the criterion with their order (--levels" in preview.problems[0].expected


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("probability", "0"),
        ("probability", "1.5"),
        ("probability", "often"),
        ("probability", "nan"),
        ("at", "yesterday"),
        ("guideline_version", "-1"),
        ("sample_id", ""),
        ("label", " "),
        ("rationale", "x\x00"),
    ],
)
def test_a_bad_row_is_named_and_left_out(column: str, value: str) -> None:
    names = ["sample_id", "criterion", "label", "probability", "at", "guideline_version", "rationale"]
    good = ["q1", "c", "pass", "0.5", "2025-01-01", "2", "why"]
    bad = [value if name == column else cell for name, cell in zip(names, good, strict=True)]
    preview = read_labels(text_of(tuple(good), tuple(bad), header=",".join(names)), criterion=None)
    assert [label.sample_id for label in preview.labels] == ["q1"]
    assert [(p.row, p.column) for p in preview.problems] == [(2, column)]


def test_the_same_label_twice_is_a_problem_and_a_later_one_is_none() -> None:
    header = "sample_id,criterion,label,annotator,at"
    rows = [
        ("q1", "c", "pass", "ann", "2025-01-01"),
        ("q1", "c", "fail", "ann", "2025-01-01"),
        ("q1", "c", "fail", "ben", ""),
        ("q1", "c", "fail", "ann", "2025-01-02"),
    ]
    preview = read_labels(text_of(*rows, header=header), criterion=None)
    assert [(label.annotator, label.level) for label in preview.labels] == [("ann", 1), ("ben", 0), ("ann", 0)]
    assert [(p.row, p.found) for p in preview.problems] == [(2, '"q1", as in row 1')]


def test_columns_that_are_missing_are_named() -> None:
    with pytest.raises(FileFormatError, match="labels: no column criterion, label: found sample_id, verdict"):
        read_labels(b"sample_id,verdict\nq1,pass\n", criterion=None)
    assert len(read_labels(b"sample_id,label\nq1,pass\n", criterion=CORRECTNESS).labels) == 1


def test_json_labels_are_read_too() -> None:
    data = b'[{"sample_id": 1, "criterion": "c", "label": true}, {"sample_id": "2", "criterion": "c", "label": 0}]'
    assert [(x.sample_id, x.level) for x in read_labels(data, criterion=None).labels] == [("1", 1), ("2", 0)]


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=20)
NAME = TEXT.filter(lambda text: as_identifier(text) == text)
"""Names without outer blanks and invisible characters, which are taken off."""


@settings(deadline=None)
@given(
    st.lists(
        st.builds(
            Label,
            sample_id=NAME,
            criterion=st.just("quality"),
            level=st.integers(0, 2),
            annotator=TEXT.filter(lambda text: not text.removesuffix(".0").isdecimal() or as_identifier(text) == text),
            run=st.none() | NAME,
            rationale=st.none() | TEXT,
            at=st.none() | st.datetimes(timezones=st.just(UTC)),
            probability=st.floats(0, 1, exclude_min=True),
            guideline_version=st.integers(0, 9),
            source=st.sampled_from(["person", "rule", "adjudication", "llm"]),
        ),
        min_size=1,
        unique_by=lambda label: (label.sample_id, label.source, label.annotator, label.run, label.at),
    )
)
def test_an_export_reads_back_as_it_was_and_holds_no_formula(labels: list[Label]) -> None:
    text = labels_csv(labels, QUALITY)
    preview = read_labels(text.encode(), criterion=QUALITY)
    assert (preview.problems, preview.labels) == ((), tuple(labels))
    cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
    starts = [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert all(re.fullmatch(r"[+-][\d.]+(e[+-]?\d+)?", cell, re.ASCII | re.IGNORECASE) for cell in starts), "numbers"


def test_a_source_is_read_and_names_of_older_files_tell_it_where_there_is_none() -> None:
    rows = [
        ("q1", "c", "1", "ann", ""),
        ("q1", "c", "1", "reference-rule: overlap", ""),
        ("q1", "c", "1", "adjudication by annotator-1f", ""),
        ("q2", "c", "1", "adjudication by me", "person"),
        ("q2", "c", "0", "a model", " LLM "),
        ("q3", "c", "0", "ann", "robot"),
    ]
    preview = read_labels(text_of(*rows, header="sample_id,criterion,label,annotator,source"))
    assert [(label.source, label.annotator) for label in preview.labels] == [
        ("person", "ann"),
        ("rule", "reference-rule: overlap"),
        ("adjudication", "annotator-1f"),
        ("person", "adjudication by me"),
        ("llm", "a model"),
    ]
    [problem] = preview.problems
    assert (problem.row, problem.column, problem.expected) == (6, "source", "one of person, rule, adjudication, llm")
    without = read_labels(text_of(*[row[:4] for row in rows[:3]], header="sample_id,criterion,label,annotator"))
    assert without.labels == preview.labels[:3]


def test_a_label_and_a_decision_by_one_person_are_two() -> None:
    rows = [("q1", "c", "1", "ann", "person"), ("q1", "c", "0", "ann", "adjudication")]
    assert len(read_labels(text_of(*rows, header="sample_id,criterion,label,annotator,source")).labels) == 2


def test_an_export_holds_the_labels_of_its_criterion_only() -> None:
    labels = [Label("q1", "quality", 2), Label("q2", "other", 1)]
    assert labels_csv(labels, QUALITY).splitlines()[1:] == [
        '"q1","quality","good","unknown","","","","1.0","1","person"'
    ]


@settings(deadline=None)
@given(
    st.binary(max_size=200)
    | st.text(st.characters(categories=["L", "P", "Zs", "Cc"])).map(
        lambda rest: f"sample_id,criterion,label\n{rest}".encode()
    )
)
def test_arbitrary_bytes_give_a_preview_or_an_hcat_error(data: bytes) -> None:
    try:
        preview = read_labels(data, criterion=None)
    except HcatError as error:
        assert "\n" not in str(error)
    else:
        assert len(preview.labels) <= preview.rows


ANSWERS = text_of(
    ("q1", "correctness", "Correct Answer"),
    ("q2", "correctness", "Incorrect Answer"),
    ("q3", "correctness", "Refusal"),
    ("q4", "correctness", "correct answer "),
)


def test_labels_of_other_words_are_counted_and_mapped_to_levels() -> None:
    preview = read_labels(ANSWERS, criterion=CORRECTNESS)
    assert preview.labels == ()
    assert preview.unknown == ("Correct Answer", "Incorrect Answer", "Refusal", "correct answer ")
    assert preview.values["Correct Answer"] == 1
    values = {"Correct Answer": "pass", "Incorrect Answer": "fail", "Refusal": SKIP}
    mapped = read_labels(ANSWERS, criterion=CORRECTNESS, values=values)
    assert [(label.sample_id, label.level) for label in mapped.labels] == [("q1", 1), ("q2", 0), ("q4", 1)]
    assert (mapped.skipped, mapped.unknown, mapped.problems) == (1, (), ())


def test_a_label_is_mapped_only_to_a_level_that_there_is() -> None:
    with pytest.raises(FileFormatError, match=r'"Refusal" is mapped to "maybe", which is no level of correctness'):
        read_labels(ANSWERS, criterion=CORRECTNESS, values={"Refusal": "maybe"})
    with pytest.raises(FileFormatError, match="only to the levels of a criterion that is given"):
        read_labels(ANSWERS, values={"Refusal": SKIP})


@pytest.mark.parametrize(
    ("value", "level"),
    [
        ("Correct Answer", "pass"),
        ("Incorrect Answer", "fail"),
        ("not correct", "fail"),
        ("Refusal", None),
        ("uncertain", None),
    ],
)
def test_the_likely_level_of_a_label(value: str, level: str | None) -> None:
    assert likely_level(CORRECTNESS, value) == level
    assert likely_level(QUALITY, value) is None
