"""Clauses as claims: cut only where both sides stand on their own, with offsets that point into the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.claims.split import clauses, statement
from hcat.core.text import Sentence, sentences


def texts(text: str) -> list[str]:
    return [clause.text for sentence in sentences(text) for clause in clauses(sentence)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Net income rose 8%, while operating expenses fell.", ["Net income rose 8%", "operating expenses fell."]),
        ("The fee is 2%; the rate is 5%.", ["The fee is 2%", "the rate is 5%."]),
        ("The fee is 2%; and the rate is 5%.", ["The fee is 2%", "the rate is 5%."]),
        ("Revenue increased 5%, and margins were flat.", ["Revenue increased 5%", "margins were flat."]),
        (
            "The fees are as follows: (a) the fee is 10 euros; (b) the card is 5 euros; (c) 3 euros.",
            ["The fees are as follows: (a) the fee is 10 euros", "the card is 5 euros; (c) 3 euros."],
        ),
        (
            "This includes ensuring the roof is tight, and that the heating works in winter and is safe.",
            ["This includes ensuring the roof is tight", "the heating works in winter and is safe."],
        ),
        ("The account has no fee, but the card is 12 euros, and it expires.", None),
    ],
)
def test_statements_that_stand_alone_are_cut_apart(text: str, expected: list[str] | None) -> None:
    # the last piece of the last one points back with "it", so it stays with the card
    assert texts(text) == (expected or ["The account has no fee", "the card is 12 euros, and it expires."])


@pytest.mark.parametrize(
    "text",
    [
        "Anna met Bob, and he left.",  # a pronoun
        "The fee is 2% for loans, and 3% for mortgages.",  # no verb
        "The bank raised its rate, and increased fees.",  # no subject
        "The board said that costs rose, and that sales were flat.",  # a report of two things
        "The rules ensure that staff know it, and that it is safe.",  # a pronoun
        "If income is low, the fee is zero, and the rate is 5%.",  # a condition
        "The board said that costs rose, and sales were flat.",  # a report
        "The bank pays interest, dividends, and transaction costs.",  # a noun that looks like a verb
        "The bank has loans, and assets held for sale.",  # a participle
        "The bank has loans, and the right to receive interest.",  # an infinitive
        "Sales were 5, and May sales.",  # a month
        "The firm grew, and the increased costs of labour.",  # a participle before its noun
        'The notice reads "the fee is 2%; the rate is 5%".',  # a quotation
        "Plain.",
    ],
)
def test_every_doubt_leaves_the_sentence_whole(text: str) -> None:
    assert texts(text) == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. Einstein was born in 1879.", "Einstein was born in 1879."),
        ("- The fee is 2%.", "The fee is 2%."),
        ("(b) The fee is 2%.", "The fee is 2%."),
        ("A. Smith is chair.", "A. Smith is chair."),
        ("1.5 million was paid.", "1.5 million was paid."),
        ("2021 was good.", "2021 was good."),
    ],
)
def test_a_list_marker_states_nothing(text: str, expected: str) -> None:
    found = statement(Sentence(text, 10, 10 + len(text)))
    assert found.text == expected
    assert (found.start, found.end) == (10 + len(text) - len(expected), 10 + len(text))


WORDS = [
    "The fee",
    " is 2%",
    ";",
    ", and",
    ", but",
    " it",
    " rose",
    " (a)",
    " (",
    ")",
    '"',
    " while",
    " if",
    ".",
    "\n",
    " x",
]


@given(st.lists(st.sampled_from(WORDS), max_size=16).map("".join))
def test_clauses_are_disjoint_pieces_of_the_text_in_order(text: str) -> None:
    end = 0
    for sentence in sentences(text):
        found = clauses(sentence)
        assert found
        for clause in found:
            assert text[clause.start : clause.end] == clause.text
            assert clause.text.strip()
            assert end <= clause.start
            end = clause.end
        assert found[-1].end == sentence.end
