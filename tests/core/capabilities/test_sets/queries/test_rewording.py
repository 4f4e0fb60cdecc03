"""Queries in other words: fewer words shared with the passage, no number, name, unit or heading touched."""

from __future__ import annotations

import random
import re

import pytest

from hcat.core.capabilities.test_sets.facts.context import topic_of
from hcat.core.capabilities.test_sets.queries import CorpusIndex, generate_queries, why_nothing
from hcat.core.capabilities.test_sets.queries.corpus_index import overlap
from hcat.core.capabilities.test_sets.queries.rewording import reworded
from tests.core.capabilities.test_sets.queries.sentences import neutral, passage
from tests.core.capabilities.test_sets.queries.test_queries import ACCOUNTS, STATEMENT, statement


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        (
            "A letter takes 5 business days.",
            "How long does a letter take?",
            "How much time does a letter need?",
        ),
        (
            "Payments are checked within 5 business days.",
            "Within how many business days are payments checked?",
            "How soon, in business days, are payments examined?",
        ),
        ("Customers pay EUR 5. Clients of shops pay more.", "Do customers pay EUR 5?", "Do customers pay EUR 5?"),
        ("The EU limits payments.", "Does the EU limit payments?", "Does the EU limit payments?"),  # no verb "ceiling"
        ("The limit is EUR 5.", "Is the limit EUR 5?", "Is the ceiling EUR 5?"),
        ("Results meet your needs.", "What if results meet your needs?", "What if results meet your needs?"),
        ("It ends after the start.", "Does it end after the start of May?", "Does it end after the start of May?"),
        ("You need to sign.", "Do I need to sign?", "Do I need to sign?"),  # nobody requires to sign
        ("You need a passport.", "Do I need a passport?", "Do I require a passport?"),
        ("It happens.", "What happens if it lapses?", "What are the consequences if it lapses?"),
        (
            "It lapses.",
            "Do you happen to know what happens if it lapses?",
            "Do you happen to know what happens if it lapses?",
        ),
        ("A checked bag costs EUR 5.", "Is a checked bag EUR 5?", "Is a checked bag EUR 5?"),  # "a examined" is wrong
        (
            "Acme's total revenue was 3.",
            "What was Acme's total revenue in fiscal 2021?",
            "What figure did Acme report as total revenue for fiscal 2021?",
        ),
    ],
)
def test_words_are_exchanged_where_the_passage_lacks_the_new_ones(text: str, query: str, expected: str) -> None:
    source = passage(text)
    assert reworded(query, keep=(), overlap=lambda asked: overlap(asked, [source])) == expected


def test_what_is_to_be_kept_is_kept() -> None:
    source = passage("The whole sum is paid by customers.")
    asked = reworded(
        "Do customers pay the whole sum?", keep=["whole sum"], overlap=lambda text: overlap(text, [source])
    )
    assert asked == "Do clients pay the whole sum?"


def test_queries_in_own_words_share_less_and_keep_every_number_and_name() -> None:
    sources = (*ACCOUNTS, statement())
    plain, own = (
        list(generate_queries(sources, rng=random.Random(5), own_words=own_words)) for own_words in (False, True)
    )
    pairs = {case.key_fact + case.generator + case.style: case for case in plain}
    compared = [(pairs[key], case) for case in own if (key := case.key_fact + case.generator + case.style) in pairs]
    assert sum((case.overlap or 0) for _, case in compared) < sum((case.overlap or 0) for case, _ in compared)
    changed = [(one, other) for one, other in zip(plain, own, strict=True) if one.query != other.query]
    assert changed
    for one, other in changed:
        for pattern in (r"\d[\d.,]*", r"(?<=. )[A-Z][a-z]+"):
            assert sorted(re.findall(pattern, one.query)) == sorted(re.findall(pattern, other.query))
        assert (one.reference, one.passages) == (other.reference, other.passages)


def test_a_heading_that_is_a_clause_leads_its_queries() -> None:
    topic = topic_of(("Loans", "When the fixed rate ends"))
    assert topic is not None and topic.clause and topic.lead == "When the fixed rate ends"
    other = topic_of(("Loans", "How variable rates change"))
    assert other is not None and other.lead == "When it comes to how variable rates change"
    cut = passage("A cut is announced 2 months ahead by letter.", "Savings", "How variable rates change")
    assert all(query.startswith("When it comes to how variable rates change, ") for query in neutral(cut))
    assert neutral(cut)


@pytest.mark.parametrize("text", ["The change takes 5 business days.", "Gold card holders pay none."])
def test_what_the_sentence_before_must_explain_is_not_asked(text: str) -> None:
    assert neutral(passage(text, "Accounts", "Joint accounts")) == {}


def test_why_nothing_is_asked_of_a_passage_is_said() -> None:
    prose = passage("This is what they said about it.")
    quarter = statement(text=STATEMENT.replace("Years Ended", "Three Months Ended"))
    glued = statement(text="In thousands\n2022\n2021\nAmortizationofacquiredtechnology\n11\n6\n")
    index = CorpusIndex([prose, quarter, glued])
    assert why_nothing(prose, index) == "no sentence of it can be asked for without the passage"
    assert why_nothing(quarter, index) == "a table of a part of a year"
    assert why_nothing(glued, index) == "a table whose words run together"
