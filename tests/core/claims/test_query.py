"""What an answer states together with its query. The cases were written before the rules."""

import pytest

from hcat.core.claims.query import BOTH, stated, without_scope

STATEMENTS = [
    # what, who, which
    ("What is the annual fee?", "25 euros.", "The annual fee is 25 euros."),
    ("What was the interest rate in 2019?", "4.2 %", "The interest rate in 2019 was 4.2 %."),
    ("What are the opening hours of the Leeds branch?", "9 to 5", "The opening hours of the Leeds branch are 9 to 5."),
    ("What's the minimum deposit?", "100 euros", "The minimum deposit is 100 euros."),
    ("Who is the chair of the bank?", "Anna Berg.", "The chair of the bank is Anna Berg."),
    ("Who approved the merger?", "The board.", "The board approved the merger."),
    ("Which body approved the merger?", "The board.", "The board approved the merger."),
    ("How much is the late fee?", "12 euros.", "The late fee is 12 euros."),
    ("How long is the notice period?", "Three months.", "The notice period is three months."),
    ("How high was the dividend?", "0.40 euros", "The dividend was 0.40 euros."),
    # when, where
    ("When was the bank founded?", "In 2019.", "The bank was founded in 2019."),
    ("When does the card expire?", "After four years.", "The card does expire after four years."),
    ("Where is the head office located?", "In Leeds.", "The head office is located in Leeds."),
    ("Where did the committee meet?", "In Berlin", "The committee did meet in Berlin."),
    # how many, how much
    ("How many days does a customer have to object?", "14", "A customer does have 14 days to object."),
    ("How many branches does the bank have?", "Eleven.", "The bank does have eleven branches."),
    ("How many people were hired?", "300", "300 people were hired."),
    # yes and no
    ("Is the fee refundable?", "Yes.", "The fee is refundable."),
    ("Is the fee refundable?", "No.", "The fee is not refundable."),
    ("Are the deposits insured?", "Yes", "The deposits are insured."),
    ("Can a landlord enter the flat without notice?", "No.", "A landlord can not enter the flat without notice."),
    ("Does the bank charge a late fee?", "Yes.", "The bank does charge a late fee."),
    ("Must I pay a deposit?", "Yes.", "I must pay a deposit."),
    ("Was the merger approved by the board?", "No.", "The merger was not approved by the board."),
    # a clause of its own after the word
    ("Is the fee refundable?", "Yes, the fee is refundable within 14 days.", "the fee is refundable within 14 days."),
    ("Can tenants keep pets?", "No: pets are not allowed.", "pets are not allowed."),
]

TOGETHER = [
    ("Do landlords and tenants both pay the fee?", "No, only landlords."),
    ("Is it a fee that banks charge?", "Yes."),
    ("How does one object?", "By letter."),
    ("Why is the fee charged?", "Because of the costs."),
    ("What did the board decide on in March?", "A merger."),
    ("Is the fee for late payments higher than the one for early ones?", "Yes."),
]

ALONE = [
    ("What is the annual fee?", "The annual fee is 25 euros."),
    ("What is the annual fee?", "Customers pay 25 euros a year."),
    ("What is the annual fee?", "The bank charges 25 euros."),
    ("Who is the chair?", "Smith resigned."),
    ("What of the fee?", "The bank opened in 1950."),
    ("When was the bank founded?", "It was founded in 2019."),
    ("Is the fee refundable?", "The fee is refundable."),
    ("What is the annual fee?", "I don't know."),
    ("What is the annual fee?", "Not in the documents."),
    ("Tell me about fees.", "25 euros."),
    ("", "25 euros."),
]


@pytest.mark.parametrize(("query", "answer", "statement"), STATEMENTS)
def test_a_short_answer_becomes_a_statement(query: str, answer: str, statement: str) -> None:
    hypothesis = stated(query, answer)
    assert hypothesis is not None
    assert hypothesis.text == statement
    assert hypothesis.note != BOTH


@pytest.mark.parametrize(("query", "answer"), TOGETHER)
def test_what_no_rule_states_is_read_together_with_the_query_and_says_so(query: str, answer: str) -> None:
    hypothesis = stated(query, answer)
    assert hypothesis is not None
    assert (hypothesis.text, hypothesis.note) == (f"{query} {answer}", BOTH)


@pytest.mark.parametrize(("query", "answer"), ALONE)
def test_an_answer_that_states_something_itself_stays_as_it_is(query: str, answer: str) -> None:
    assert stated(query, answer) is None


LANDLORDS = "What are the legal obligations of landlords in Scotland under the Housing (Scotland) Act 2006?"


def test_a_scope_that_the_query_sets_is_left_out_where_the_evidence_sets_none() -> None:
    claim = "Under the Housing (Scotland) Act 2006, landlords must meet the repairing standard."
    assert without_scope(LANDLORDS, claim, "Landlords are required to meet the repairing standard.") == (
        "landlords must meet the repairing standard."
    )


@pytest.mark.parametrize(
    ("query", "claim", "evidence"),
    [
        (LANDLORDS, "Under the Tenancies Act 2016, landlords must repair.", "Landlords must repair."),  # another act
        (LANDLORDS, "Landlords must repair.", "Landlords must repair."),  # no scope
        ("What was the profit in 2019?", "In 2019, the profit was 5 million.", "The profit was 5 million."),  # a year
        ("What is the fee in Wales?", "In Wales, the fee is 5.", "In England the fee is 5."),  # evidence on another
        ("What is the fee in Wales?", "In Wales, the fee is 5.", "The fee is 5 in Wales."),  # evidence on the same
    ],
)
def test_every_other_scope_is_part_of_what_is_claimed(query: str, claim: str, evidence: str) -> None:
    assert without_scope(query, claim, evidence) is None
