"""The score table that a file of scores makes, and what a user states of it."""

from __future__ import annotations

import math

import pytest

from hcat.core.errors import FileFormatError, HcatError
from hcat.core.models.model_set import ModelSet
from hcat.core.records.run_file import content_hash
from hcat.core.scoring.evaluate import score_samples
from hcat.core.scoring.score_file import RunBeside, ScoreColumn, ScoreFile, file_score_table, run_beside, run_scored_as
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.scoring.statements import Statement, with_statements
from hcat.core.slices.sample_columns import ColumnsOfSamples
from hcat.core.types import Sample, Score, Variant


def file(*, values: tuple[float, ...] = (0.0, 5.0, 9.0)) -> ScoreFile:
    ids = tuple("abc")
    scores = {name: Score(value) for name, value in zip(ids, values, strict=True)}
    return ScoreFile("theirs.csv", "ab" * 32, ids, (ScoreColumn("judge", scores),), left_out={"said": "text"})


def samples(*ids: str) -> list[Sample]:
    return [Sample(name, "q", "I don't know." if name == "b" else "a") for name in ids]


def beside(run: list[Sample]) -> RunBeside:
    return run_beside(ColumnsOfSamples(run), content_hash(run))


def test_without_a_run_the_table_has_the_ids_of_the_file() -> None:
    table = file_score_table(file())
    assert (table.sample_ids, table.metrics, table.answer_states) == (("a", "b", "c"), ("judge",), None)
    assert table.provenance.from_files["judge"].sha256 == "ab" * 32


def test_with_a_run_it_has_those_of_the_run() -> None:
    run = samples("c", "d", "a")
    table = file_score_table(file(), run=beside(run))
    assert table.provenance.run_hash == content_hash(run)
    assert [table.score(name, "judge").value for name in "ca"] == [9.0, 0.0]
    assert table.reasons("judge") == {"not in the file": 1}
    assert table.provenance.from_files["judge"].not_in_run == 1
    assert table.answer_states is not None


def test_scores_of_another_run_are_refused() -> None:
    with pytest.raises(FileFormatError, match="no row is of this run: it has no sample 'a', the run begins with 'x'"):
        file_score_table(file(), run=beside(samples("x")))


def test_what_is_stated_is_kept_and_what_is_outside_is_unscored() -> None:
    table = with_statements(file_score_table(file()), {"judge": Statement("lower", (0.0, 5.0))})
    assert table.direction_of("judge") == "lower"
    assert table.reasons("judge") == {"outside the range 0..5": 1}
    assert ScoreTable.from_bytes(table.to_bytes()).summary()["judge"].mean.n == 2


def test_what_rounding_put_outside_counts_as_the_end() -> None:
    table = file_score_table(file(values=(0.5, 1.0000001, -1e-8)))
    within = with_statements(table, {"judge": Statement(bounds=(0.0, 1.0))})
    assert within.values("judge").tolist() == [0.5, 1.0, 0.0]


def test_an_end_may_be_left_open() -> None:
    table = with_statements(file_score_table(file()), {"judge": Statement(bounds=(1.0, None))})
    assert table.facts("judge").range == (1.0, math.inf)
    assert table.reasons("judge") == {"outside the range 1..": 1}


def test_a_metric_can_be_given_another_name() -> None:
    table = with_statements(file_score_table(file()), {"judge": Statement(name="bank_judge", bounds=(0.0, 5.0))})
    assert table.metrics == ("bank_judge",)
    assert table.reasons("bank_judge") == {"outside the range 0..5": 1}
    assert table.provenance.from_files["bank_judge"].column == "judge"


@pytest.mark.parametrize(
    ("name", "statement", "message"),
    [
        ("other", Statement("lower"), "no metric 'other' comes from a file: these do: judge"),
        ("answer_f1", Statement("lower"), "'answer_f1' is computed by hcat"),
        ("judge", Statement(name="answer_f1"), "can't be the name of a metric from a file"),
        ("judge", Statement(name="sample_id"), "can't be the name"),
        ("judge", Statement(bounds=(5.0, 0.0)), "smaller number to a larger"),
    ],
)
def test_what_can_not_be_stated_is_refused(name: str, statement: Statement, message: str) -> None:
    with pytest.raises(HcatError, match=message):
        with_statements(file_score_table(file()), {name: statement})


def test_a_run_that_was_just_scored_tells_the_same_of_its_samples() -> None:
    run = [
        Sample("a", "q", "I don't know.", test_case="x", metadata={"probability": 0.25}),
        Sample("b", "q", "It is 5.", variant=Variant("spelling", "a")),
        Sample("c", "q", None, group="g"),
    ]
    computed = score_samples(run, metrics=["answer_length"], models=ModelSet(()))
    of_samples, of_scores = beside(run), run_scored_as(computed)
    table, other = (file_score_table(file(), run=each) for each in (of_samples, of_scores))
    assert table.to_bytes() == other.to_bytes()
    assert (table.clusters, table.answer_states) == (computed.clusters, computed.answer_states)
    assert dict(of_samples.clusters) == dict(of_scores.clusters) and dict(of_samples.probabilities) == {"a": 0.25}
