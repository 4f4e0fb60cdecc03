"""Of several right answers the one that is meant counts."""

from __future__ import annotations

import pytest

from hcat.core.models.model_set import ModelSet
from hcat.core.records.samples.right_answers import right_answers, with_nearest_reference, with_right_answers
from hcat.core.scoring.evaluate import score_samples
from hcat.core.types import Sample

SAMPLE = Sample("s", "Who?", "It is Meta, of course", reference="Apple")


def test_all_are_stored_and_the_nearest_is_compared_with() -> None:
    sample = with_right_answers(SAMPLE, ["Apple", "Meta", "Meta Inc"])
    assert (sample.reference, right_answers(sample)) == ("Apple", ("Apple", "Meta", "Meta Inc"))
    assert with_nearest_reference(sample).reference == "Meta"


def test_one_or_none_changes_nothing() -> None:
    assert with_right_answers(SAMPLE, []) is SAMPLE
    assert with_right_answers(SAMPLE, ["Meta"]).metadata == {}
    assert with_nearest_reference(SAMPLE) is SAMPLE


@pytest.mark.parametrize("answers", [["Apple", "Meta"], ["Meta", "Apple"]])
def test_a_right_answer_scores_whatever_its_place(answers: list[str]) -> None:
    sample = with_right_answers(Sample("s", "Who?", "Meta"), answers)
    table = score_samples([sample], metrics=["token_f1"], models=ModelSet(()))
    assert table.score("s", "token_f1").value == 1.0
