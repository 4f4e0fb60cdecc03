"""Rubrics: written, read back, edited, and refused with a reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hcat.core.capabilities.judges.funnel import FUNNEL
from hcat.core.capabilities.judges.rubric import checked, read_rubric, rubric_json
from hcat.core.errors import FileFormatError, HcatError


def test_the_five_criteria_have_five_levels_each() -> None:
    assert [each.name for each in checked(FUNNEL).criteria] == [
        "hallucination",
        "captured_rate",
        "value_add",
        "missing_out",
        "confidence_calibration",
    ]
    assert {len(each.levels) for each in FUNNEL.criteria} == {5}


def test_a_rubric_is_read_back_as_it_was_written() -> None:
    assert read_rubric(rubric_json(FUNNEL)) == FUNNEL
    changed = replace(FUNNEL.criteria[0], question="Is it true?")
    edited = FUNNEL.with_criterion(changed)
    assert edited.criterion("hallucination").question == "Is it true?"
    assert edited.hash != FUNNEL.hash
    assert len(edited.with_criterion(replace(changed, name="own_one")).criteria) == 6


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"name": "No Name"}, "small letters"),
        ({"levels": ("one",)}, "levels are needed"),
        ({"levels": ("one", " ")}, "need words"),
        ({"question": ""}, "need words"),
        ({"passing": 6}, "passing starts"),
        ({"passing": 1}, "passing starts"),
        ({"needs": ("luck",)}, "needs are"),
        ({"question": "x" * 5000}, "more than"),
    ],
)
def test_what_can_not_be_asked_is_refused(changes: dict[str, object], problem: str) -> None:
    with pytest.raises(HcatError, match=problem):
        FUNNEL.with_criterion(replace(FUNNEL.criteria[0], **changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"name": "n", "role": "r", "criteria": []}'])
def test_a_file_that_is_no_rubric_is_named(text: str) -> None:
    with pytest.raises(FileFormatError, match=r"r\.json"):
        read_rubric(text, name="r.json")


def test_criteria_are_chosen_by_name() -> None:
    assert [each.name for each in FUNNEL.only(["value_add", "hallucination"]).criteria] == [
        "hallucination",
        "value_add",
    ]
    with pytest.raises(HcatError, match="no criterion 'none'"):
        FUNNEL.only(["none"])
    twice = replace(FUNNEL, criteria=(FUNNEL.criteria[0], FUNNEL.criteria[0]))
    with pytest.raises(HcatError, match="occurs twice"):
        checked(twice)
