"""Facts of a claim: each can be checked on its own, and a doubt leaves the claim whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.claims.facts import facts


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        # quantities side by side
        (
            "The fee is 2% for loans and 3% for mortgages.",
            ["The fee is 2% for loans.", "The fee is 3% for mortgages."],
        ),
        (
            "Leave consists of 26 weeks of ordinary leave and 26 weeks of additional leave.",
            ["Leave consists of 26 weeks of ordinary leave.", "Leave consists of 26 weeks of additional leave."],
        ),
        # verbs with one subject
        (
            "The annual fee is 25 euros and must be paid in January.",
            ["The annual fee is 25 euros.", "The annual fee must be paid in January."],
        ),
        (
            "In Wales, the account has a minimum balance, and can be opened online.",
            ["In Wales, the account has a minimum balance.", "In Wales, the account can be opened online."],
        ),
        # a relative clause: of the subject of "is", or of a name
        (
            "Maternity leave is 52 weeks, which consists of 26 weeks of ordinary leave and 26 weeks of extra leave.",
            [
                "Maternity leave is 52 weeks.",
                "Maternity leave consists of 26 weeks of ordinary leave.",
                "Maternity leave consists of 26 weeks of extra leave.",
            ],
        ),
        (
            "The loan was granted by Anna Berg, who has been the chair since 2019.",
            ["The loan was granted by Anna Berg.", "Anna Berg has been the chair since 2019."],
        ),
        # an apposition
        (
            "Anna Berg, the chair of Pellmarsh Bank, was appointed in 2019.",
            ["Anna Berg was appointed in 2019.", "Anna Berg is the chair of Pellmarsh Bank."],
        ),
        # an enumeration
        (
            "The policy covers fire, theft and water damage.",
            ["The policy covers fire.", "The policy covers theft.", "The policy covers water damage."],
        ),
        (
            "The account includes a debit card, two transfers a month, and travel insurance.",
            [
                "The account includes a debit card.",
                "The account includes two transfers a month.",
                "The account includes travel insurance.",
            ],
        ),
    ],
)
def test_a_claim_is_split_into_its_facts(claim: str, expected: list[str]) -> None:
    assert list(facts(claim)) == expected


@pytest.mark.parametrize(
    "claim",
    [
        "The fee is between 2% and 3% of the loan.",
        "The fee is either 2% for loans or 3% for mortgages.",
        "The fee rose from 2% to 3%.",
        "The bank is not open on Sunday and is closed on Monday.",  # what "not" reaches is in doubt
        "If the balance is low, the fee is 2% and must be paid in January.",
        "The bank pays for research and development.",
        "The policy covers neither fire, theft nor water damage.",
        "The fee is 25 euros.",
        "Smith and Jones are the chairs.",
        "He said the fee is 2% and must be paid.",  # who said what
        "No customer, tenant or landlord is charged.",
        "The committee met in Berlin, which was cold.",  # what "which" stands for is in doubt
        "",
    ],
)
def test_every_doubt_leaves_the_claim_whole(claim: str) -> None:
    assert facts(claim) == ()


WORDS = [
    "The fee",
    " is 2%",
    ", and",
    " and",
    ", which",
    ", who",
    " has",
    " 3 of it",
    " Anna",
    ",",
    " the chair",
    " not",
    ".",
]


@given(st.lists(st.sampled_from(WORDS), max_size=14).map("".join))
def test_facts_are_several_or_none_and_made_of_the_claims_words(claim: str) -> None:
    split = facts(claim)
    assert len(split) != 1
    said = claim.replace(",", " ").replace(".", " ").split()
    assert all(word in [*said, "is"] for fact in split for word in fact.replace(",", " ").replace(".", " ").split())
