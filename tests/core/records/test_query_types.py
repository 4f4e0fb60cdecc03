"""The type of a query by its wording, against the types that people gave the demo's test cases."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hcat.core.capabilities.demo.bank import read_test_cases
from hcat.core.records.query_types import query_type_of
from hcat.core.slices.sample_columns import measures_of
from hcat.core.slices.slices import dimension_frame
from hcat.core.types import Sample


@pytest.mark.parametrize(
    ("query", "worded"),
    [
        ("What is the fee for amounts of more than EUR 500?", "factual"),
        ("Which is cheaper, the Gold or the Silver card?", "factual"),
        ("According to the report, what was the revenue in 2022?", "factual"),
        ("Können Sie mir bitte sagen, wie hoch die Gebühr ist?", "factual"),
        ("Can I withdraw more than EUR 500 a day?", "yes/no"),
        ("My laptop is three years old. Will the policy take it?", "yes/no"),
        ("For the Classic account, does the fee apply abroad?", "yes/no"),
        ("Could you tell me if I can pay abroad?", "yes/no"),
        ("Was the bank founded in 1920?", "yes/no"),
        ("Kann ich die Karte sperren?", "yes/no"),
        ("Which of the following is right? a) 5 b) 6", "multiple choice"),
        ("How does the Gold card differ from the Silver card?", "comparison"),
        ("Worin besteht der Unterschied zwischen Gold und Silber?", "comparison"),
        ("Why was my application refused?", "open"),
        ("Can you explain to me how overdrafts work?", "open"),
        ("Wie eröffne ich ein Konto?", "open"),
        ("interest rate gold", None),
        ("Quel est le taux du compte ?", None),
        ("", None),
    ],
)
def test_the_wording_tells_the_type(query: str, worded: str | None) -> None:
    assert query_type_of(query) == worded


def test_the_wording_agrees_with_the_stated_types_of_the_demo() -> None:
    """Yes/no, multiple choice and facts are told nearly always; open ones that ask "what can be done" read as facts."""
    told = [(case.dimensions["query_type"], query_type_of(case.query)) for case in read_test_cases()]
    of = {stated: [worded for named, worded in told if named == stated] for stated, _ in told}
    assert (of["yes/no"].count("yes/no"), len(of["yes/no"])) == (39, 40)
    assert set(of["multiple choice"]) == {"multiple choice"}
    assert (of["simple factual"].count("factual"), len(of["simple factual"])) == (66, 73)
    assert (of["open"].count("open"), len(of["open"])) == (14, 41)
    assert not {"yes/no", "multiple choice"} & {*of["simple factual"], *of["open"]}


def test_a_run_without_types_is_sliced_by_those_of_its_wording() -> None:
    samples = [Sample("a", "What is the fee?", "5"), Sample("b", "Is it free?", "No."), Sample("c", "fee gold", "5")]
    column = dimension_frame(samples)["query_type"]
    assert [*map(str, column)] == ["factual", "yes/no", "(none)"]
    stated = [replace(each, dimensions={"query_type": level}) for each, level in zip(samples, "xyx", strict=True)]
    frame = dimension_frame(stated)
    assert [*map(str, frame["query_type"])] == ["x", "y", "x"] and "query_type (derived)" not in frame


def test_an_erased_query_keeps_its_type() -> None:
    sample = Sample("a", "Is it free?", "No.")
    erased = replace(sample, query="erased", answer="erased", erased="x", metadata={"measured": measures_of(sample)})
    assert dimension_frame([erased, Sample("b", "What is the fee?", "5")])["query_type"].tolist() == [
        "yes/no",
        "factual",
    ]
