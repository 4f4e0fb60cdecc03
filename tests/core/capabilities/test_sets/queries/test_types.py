"""The other types of queries: their answers are computed or listed, and their proofs hold over the corpus."""

from __future__ import annotations

import pytest

from hcat.core.capabilities.test_sets.queries import CorpusIndex
from hcat.core.capabilities.test_sets.queries.changed_numbers import false_direction
from hcat.core.capabilities.test_sets.queries.unanswerable import is_absent
from hcat.core.records.passages import CorpusPassage
from tests.core.capabilities.test_sets.queries.sentences import cases, neutral, passage
from tests.core.capabilities.test_sets.queries.test_queries import STATEMENT, statement

INSURANCE = (
    passage(
        "The excess is EUR 75 a claim. Lost luggage must be reported to the carrier within 24 hours.",
        *("Insurance", "Compass Travel: what is covered"),
        name="travel",
    ),
    passage(
        "The excess is EUR 60 a claim. Two claims a year are allowed.",
        *("Insurance", "Pocket Device: phones and laptops"),
        name="device",
    ),
    passage("Survivors receive the sum at once.", *("Insurance", "Keel Term Life: sums"), name="life"),
)


def test_a_limit_is_applied_to_a_case_on_either_side() -> None:
    asked = neutral(passage("The student account may be overdrawn by up to EUR 750 free of interest."), of="inference")
    assert {reference[:3] for reference in asked.values() if reference} == {"Yes", "No,"}
    for query, reference in asked.items():
        amount = int(query.split("EUR ")[1].split()[0].replace(",", ""))
        assert (reference or "").startswith("Yes") == (amount <= 750)


def test_a_price_for_several_is_the_product() -> None:
    asked = neutral(passage("Renting a terminal costs EUR 16 a month."), of="inference")
    # 6 x 16 = 96, 12 x 16 = 192
    assert asked["How much does renting a terminal cost over 6 months?"] == (
        "EUR 96. Renting a terminal costs EUR 16 a month."
    )


def test_a_change_between_two_years_is_the_difference() -> None:
    asked = neutral(statement(), of="inference")
    reference = asked["By how much did Acme's total revenue change from 2021 to 2022?"]
    # 17,606 - 15,785 = 1,821
    assert reference == (
        "Acme's total revenue changed by $1,821 million, from $15,785 million in 2021 to $17,606 million in 2022."
    )
    assert (asked["Was Acme's gross profit higher in 2022 than in 2021?"] or "").startswith("Yes")


def test_options_are_four_different_quantities_with_the_right_one() -> None:
    asked = cases(*INSURANCE, types=("multiple choice",))
    assert asked
    for case in asked:
        assert len(set(case.options)) == 4
        assert str(case.metadata["answer"]) in case.options
        assert all(option in case.query for option in case.options)
    order = [case.options for case in cases(*INSURANCE, types=("multiple choice",))]
    assert order == [case.options for case in asked]


def test_a_comparison_needs_both_passages() -> None:
    asked = [case for case in cases(*INSURANCE, types=("multi-hop",)) if "comparison" in case.generator]
    assert [set(case.passages) for case in asked] == [{"travel", "device"}]
    assert asked[0].metadata["answer"] == "Compass Travel"


def test_the_difference_of_two_passages_is_computed() -> None:
    [asked] = [case for case in cases(*INSURANCE, types=("multi-hop",)) if "difference" in case.generator]
    assert "how much higher" in asked.query.lower()
    assert "the excess is per claim" not in asked.query and "excess per claim" in asked.query
    assert set(asked.passages) == {"travel", "device"}
    assert asked.metadata["answer"] == "EUR 15"  # 75 − 60
    assert (asked.reference or "").startswith("EUR 15. ")


def test_no_multi_hop_query_is_made_where_one_passage_holds_both_answers() -> None:
    both = passage("The excess is EUR 75 a claim for journeys and EUR 60 a claim for telephones.", name="both")
    assert cases(*INSURANCE, both, types=("multi-hop",)) == []


def test_two_organisations_are_compared_in_the_units_of_their_tables() -> None:
    other = statement("BETA_2022_10K#p1", STATEMENT.replace("In millions", "In thousands"))
    asked = [case for case in cases(statement(), other, types=("multi-hop",)) if "gross profit" in case.query]
    assert asked
    assert {case.metadata["answer"] for case in asked} == {"Acme"}


def test_the_difference_of_two_organisations_needs_one_unit() -> None:
    text = STATEMENT.replace("15,441", "5,441").replace("13,920", "3,920")
    asked = cases(statement(), statement("BETA_2022_10K#p1", text), types=("multi-hop",))
    [case] = [case for case in asked if "difference" in case.generator and "gross profit" in case.query]
    assert case.metadata["answer"] == "$10,000 million"  # 15,441 - 5,441, as 13,920 - 3,920
    assert "Acme's gross profit" in case.query and "than Beta's" in case.query
    other = statement("BETA_2022_10K#p1", STATEMENT.replace("In millions", "In thousands"))
    assert not [case for case in cases(statement(), other, types=("multi-hop",)) if "difference" in case.generator]


def test_a_near_miss_is_absent_from_every_passage_that_names_its_subject() -> None:
    index = CorpusIndex(INSURANCE)
    assert is_absent(index, "Keel Term Life", "how much is the excess a claim")
    assert not is_absent(index, "Pocket Device", "how much is the excess a claim")
    assert not is_absent(index, "Nobody Knows", "how much is the excess a claim")
    near = [case for case in cases(*INSURANCE, types=("unanswerable",)) if "near miss" in case.generator]
    assert near
    assert all("Keel Term Life" in case.query and case.reference is None and not case.passages for case in near)


def test_an_open_query_asks_for_what_a_heading_says_as_a_whole() -> None:
    text = (
        "Recordings of calls are deleted after 90 days. A monthly statement on paper costs EUR 1.80. "
        "Two people may hold an account together. Then it ends."
    )
    asked = cases(passage(text, "Accounts", "Joint accounts"), types=("open",))
    assert len(asked) == 1
    assert (asked[0].reference or "").count(".") == 4
    assert "Then it ends" not in (asked[0].reference or "")


@pytest.mark.parametrize(
    ("answer", "before", "larger"),
    [
        ("5 days", "within", False),
        ("up to EUR 20", "", True),
        ("at least 12 characters", "", True),
        ("EUR 5", "", None),
    ],
)
def test_a_false_twin_of_a_limit_lies_on_the_side_that_makes_it_false(
    answer: str, before: str, larger: bool | None
) -> None:
    assert false_direction(answer, before) is larger


def test_rows_under_a_heading_that_names_what_they_measure_are_not_asked_for() -> None:
    text = STATEMENT.replace("Total revenue", "Global services\n1,000\n900\nTotal revenue")
    assert not any("global services" in query for query in neutral(statement(text=text)))


def test_a_cell_of_a_table_is_asked_for_by_its_row_and_column() -> None:
    header = "Account | Monthly fee | Free withdrawals"
    lines = ("Classic | EUR 4.50 | 3", "Premium | EUR 12 | unlimited", "Basic | none | 4", "Student | EUR 1 | 6")
    text = "\n".join([header, *lines])
    table = CorpusPassage("fees", text, "fees.md", heading=("Fees",), end=len(text), header=header)
    asked = neutral(table)
    assert asked["How much is the monthly fee for Classic?"] == "The monthly fee for Classic is EUR 4.50."
    assert asked["How many free withdrawals are there for Basic?"] == "For Basic, there are 4 free withdrawals."
    assert not any("monthly fee for Basic" in query for query in asked)
    choices = [case for case in cases(table, types=("multiple choice",)) if "withdrawals" in case.query]
    assert all(set(case.options) == {"3", "unlimited", "4", "6"} for case in choices)
    twice = CorpusPassage("fees", f"{text}\n{lines[0]}", "fees.md", heading=("Fees",), end=len(text), header=header)
    assert cases(twice) == []


def test_two_things_of_one_document_are_compared_by_what_they_cost() -> None:
    cheques = passage("The fee is EUR 35.", "Payments", "Cheques", name="cheques")
    urgent = passage("The fee is EUR 12.", "Payments", "Urgent transfers", name="urgent")
    asked = {case.generator: case for case in cases(cheques, urgent, types=("multi-hop",))}
    by_how_much = asked["rule: difference of two passages"]
    assert by_how_much.metadata["answer"] == "EUR 23"  # 35 - 12
    assert set(by_how_much.passages) == {"cheques", "urgent"}
    assert "cheques" in by_how_much.query and "urgent transfers" in by_how_much.query


def test_what_two_things_cost_together_is_the_sum() -> None:
    paper = passage("A statement on paper costs EUR 1.80.", "Accounts", "Statements", name="paper")
    letter = passage("A letter by courier costs EUR 12.00.", "Accounts", "Letters", name="letter")
    asked = {case.generator: case for case in cases(paper, letter, types=("multi-hop",))}
    assert asked["rule: sum of two passages"].metadata["answer"] == "EUR 13.80"  # 1.80 + 12.00
