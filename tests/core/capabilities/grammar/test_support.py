"""Whether a text states a true answer."""

from __future__ import annotations

import pytest

from hcat.core.capabilities.grammar.support import states_answer, subjects, supports_answer
from hcat.core.records.samples.right_answers import right_answers
from hcat.core.types import Sample


@pytest.mark.parametrize(
    ("text", "answer", "stated"),
    [
        ("It began on the 1st of April, 2023.", "2023-04-01", True),
        ("It began on April 1, 2023.", "2023-04-01", True),
        ("It began on 1 April 2023.", "2023-04-01 00:00:00", True),
        ("It began on 2023-04-01.", "2023-04-01", True),
        ("It began on April 11, 2023.", "2023-04-01", False),
        ("It began in the spring of 2023.", "2023-04-01", False),
        ("The budget is $1,200.", "1200", True),
        ("The budget is $12.", "1200", False),
        ("The project is in Tokyo, Japan.", "tokyo japan", True),
        ("Nothing here.", "thing", False),
        ("Anything.", "", False),
    ],
)
def test_word_by_word(text: str, answer: str, stated: bool) -> None:
    assert states_answer(text, [answer]) is stated


def test_the_subject_of_the_query_must_be_named() -> None:
    sample = Sample("s", "Where is 'O'Brien Ltd' seated?", None, reference="Cork")
    assert subjects(sample.query) == ("O'Brien Ltd",)
    assert supports_answer(sample, "O’Brien Ltd has its seat in Cork.")
    assert not supports_answer(sample, "Murphy Ltd has its seat in Cork.")


def test_any_of_several_right_answers_counts() -> None:
    sample = Sample("s", "Name a client", "Meta", reference="Apple", metadata={"answers": ["Amazon", "Meta", "Apple"]})
    assert right_answers(sample) == ("Apple", "Amazon", "Meta")
    assert supports_answer(sample, "Meta is a client.")
