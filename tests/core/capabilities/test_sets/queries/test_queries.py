"""Queries by rule: what is asked of a sentence, in which words, and what is refused."""

from __future__ import annotations

import random

import pytest

from hcat.core.capabilities.test_sets.queries import CorpusIndex, generate_queries
from hcat.core.capabilities.test_sets.queries.drafts import difficulty
from hcat.core.errors import HcatError
from hcat.core.records.passages import CorpusPassage
from tests.core.capabilities.test_sets.queries.sentences import cases, neutral, passage

ACCOUNTS = (
    passage(
        "The account costs EUR 4.50 a month, taken on the last business day. We do not refund operators' fees.",
        *("Current accounts", "Classic: monthly fee"),
        name="classic",
    ),
    passage(
        "A monthly statement on paper costs EUR 1.80 including postage. Recordings of calls are deleted after 90 days.",
        *("Current accounts", "Statements"),
        name="statements",
    ),
)


@pytest.mark.parametrize(
    ("text", "heading", "query", "reference"),
    [
        (
            "The account costs EUR 4.50 a month, taken on the last business day.",
            ("Current accounts", "Classic: monthly fee"),
            "How much does the Classic account cost a month?",
            "The Classic account costs EUR 4.50 a month, taken on the last business day.",
        ),
        (
            "A monthly statement on paper costs EUR 1.80 including postage.",
            ("Current accounts", "Statements"),
            "How much does a monthly statement on paper cost including postage?",
            "A monthly statement on paper costs EUR 1.80 including postage.",
        ),
        (
            "The old bank must answer our request within 5 business days.",
            ("Accounts", "Switching from another bank"),
            "When it comes to switching from another bank, within how many business days must the old bank answer your "
            "request?",
            "When it comes to switching from another bank, "
            "the old bank must answer our request within 5 business days.",
        ),
        (
            "Holders of any credit card may create up to 3 virtual cards in the app.",
            ("Cards", "Virtual cards for online shopping"),
            "How many virtual cards may holders of any credit card create at most in the app?",
            "Holders of any credit card may create up to 3 virtual cards in the app.",
        ),
        (
            "Recordings of calls to the service line are deleted after 90 days unless a dispute is open.",
            (),
            "After how many days are recordings of calls to the service line deleted unless a dispute is open?",
            "Recordings of calls to the service line are deleted after 90 days unless a dispute is open.",
        ),
        (
            "If a payment goes astray because of our mistake, we refund any charge that results.",
            (),
            "What happens if a payment goes astray because of your mistake?",
            "If a payment goes astray because of our mistake, we refund any charge that results.",
        ),
    ],
)
def test_a_sentence_is_asked_for_with_the_word_that_fits(
    text: str, heading: tuple[str, ...], query: str, reference: str
) -> None:
    assert neutral(passage(text, *heading))[query] == reference


@pytest.mark.parametrize(
    "text",
    [
        "It costs EUR 4.50 a month.",
        "This fee is waived after 5 years.",
        "Otherwise the rate rises to 5%.",
        "Then the fee is EUR 12 a month.",
        "The former costs EUR 12 a month.",
        "The fee is EUR 12 a month.",
        "Cautious, with shares up to 30%.",
        "Monthly fees",
    ],
)
def test_nothing_is_asked_of_what_cannot_stand_alone(text: str) -> None:
    assert cases(passage(text)) == []


def test_every_case_keeps_where_it_comes_from() -> None:
    for case in cases(*ACCOUNTS):
        evidence = case.metadata["evidence"]
        assert isinstance(evidence, list)
        for place in evidence:
            assert isinstance(place, list)
            assert place[0] in ("classic", "statements")
        assert case.generator.startswith("rule: ")
        assert case.key_fact
        assert (case.reference is None) == (case.type == "unanswerable")


def test_a_negative_statement_is_asked_without_its_not_and_answered_by_no() -> None:
    asked = neutral(passage("A driving licence is not enough for opening an account."), of="yes/no")
    query = "Is a driving licence enough for opening an account?"
    assert asked[query] == "No, a driving licence is not enough for opening an account."


def test_the_twin_of_a_yes_query_has_another_number_and_is_answered_by_no() -> None:
    asked = neutral(ACCOUNTS[1], of="yes/no")
    yes = "Does a monthly statement on paper cost EUR 1.80 including postage?"
    assert asked[yes] == "Yes, a monthly statement on paper costs EUR 1.80 including postage."
    twins = [query for query in asked if query.startswith("Does a monthly statement") and query != yes]
    assert twins
    assert {asked[query] for query in twins} == {"No, a monthly statement on paper costs EUR 1.80 including postage."}


def test_a_false_premise_has_a_number_that_its_passage_does_not_state() -> None:
    asked = [case for case in cases(*ACCOUNTS, types=("unanswerable",)) if "premise" in case.generator]
    assert asked
    for case in asked:
        premise = str(case.metadata["premise"])
        assert premise in case.query
        assert not any(premise in one.text for one in ACCOUNTS)
        assert case.reference is None
        assert case.nearest


def test_the_same_passages_and_seed_give_the_same_cases_and_no_query_twice() -> None:
    first, second = cases(*ACCOUNTS, seed=3), cases(*ACCOUNTS, seed=3)
    assert first == second
    assert len({case.query.casefold() for case in first}) == len(first)


def test_other_languages_are_refused_with_one_line() -> None:
    german = passage("Das Konto kostet 4,50 Euro im Monat und wird von der Bank am letzten Tag eingezogen.")
    with pytest.raises(HcatError, match="English passages only"):
        cases(german)
    assert cases(german, ACCOUNTS[1])


def test_difficulty_counts_hops_overlap_and_distance() -> None:
    assert difficulty(hops=1, overlap=0.9, distance=0) == "easy"
    assert difficulty(hops=1, overlap=0.5, distance=0) == "medium"
    assert difficulty(hops=2, overlap=0.9, distance=0) == "medium"
    assert difficulty(hops=2, overlap=0.5, distance=3) == "hard"


STATEMENT = """ACME INC.
CONSOLIDATED STATEMENTS OF INCOME
(In millions, except per share data)
Years Ended
December 2,
2022
December 3,
2021
Revenue:
Total revenue
$
17,606
$
15,785
Gross profit
15,441
13,920
Other income
(41)
20
"""


def statement(name: str = "ACME_2022_10K#p1", text: str = STATEMENT) -> CorpusPassage:
    return CorpusPassage(name, text, name.partition("#")[0], end=len(text))


def test_a_table_row_is_asked_for_by_organisation_item_and_year() -> None:
    asked = neutral(statement())
    assert asked["What was Acme's total revenue in 2021?"] == "Acme's total revenue was $15,785 million in 2021."
    assert not any("other income" in query for query in asked)


def test_only_a_header_of_parts_of_a_year_refuses_a_table() -> None:
    row = STATEMENT.replace("Other income", "Investments of more than three months\n5\n6\nOther income")
    assert "What was Acme's total revenue in 2021?" in neutral(statement(text=row))
    quarters = STATEMENT.replace("Years Ended", "Three Months Ended")
    assert not neutral(statement(text=quarters))


def test_values_that_two_documents_state_differently_are_not_asked_for() -> None:
    restated = statement("ACME_2023_10K#p1", STATEMENT.replace("15,785", "15,700"))
    asked = neutral(statement(), restated)
    assert "What was Acme's total revenue in 2021?" not in asked
    assert "What was Acme's total revenue in 2022?" in asked


def test_the_index_finds_passages_by_their_rare_words() -> None:
    index = CorpusIndex(ACCOUNTS)
    assert index.nearest("paper statement", n=1) == ("statements",)
    assert [one.id for one in index.holding(["paper", "postage"])] == ["statements"]


def test_passages_may_be_a_part_of_the_corpus() -> None:
    index = CorpusIndex(ACCOUNTS)
    asked = list(generate_queries(ACCOUNTS[:1], rng=random.Random(0), index=index))
    assert {place for case in asked for place in case.passages} == {"classic"}


def test_a_name_keeps_its_capital_though_the_corpus_has_its_first_word_in_small_letters() -> None:
    text = "A vulnerability may be reported by phone. Vulnerability Advisor costs EUR 5 a month."
    asked = neutral(passage(text))
    assert any("Vulnerability Advisor" in query for query in asked)
    assert not any("vulnerability Advisor" in query for query in asked)


def test_nothing_is_asked_of_a_title_that_ran_into_its_sentence() -> None:
    assert neutral(passage("Rob Schneider Schneider was hired by the bank in 1988."), of="yes/no") == {}
    assert neutral(passage("Rob Schneider was hired by the bank in 1988."), of="yes/no")
