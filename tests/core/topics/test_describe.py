from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.topics.describe import Term, class_tfidf, key_terms, terms_of, titles


def test_terms_are_words_then_neighbouring_pairs() -> None:
    assert terms_of("The card payment failed, card blocked!") == [
        "card",
        "payment",
        "failed",
        "card",
        "blocked",
        "card payment",
        "payment failed",
        "card blocked",  # the comma keeps "failed card" from being a pair
    ]


def test_a_stop_word_or_number_between_two_words_keeps_them_apart() -> None:
    assert terms_of("exchange of currency 2024 rates") == ["exchange", "currency", "rates"]


def test_terms_of_other_scripts_and_of_nothing() -> None:
    assert terms_of("Überweisung zurückgebucht") == ["überweisung", "zurückgebucht", "überweisung zurückgebucht"]
    assert terms_of("… 12 % — the") == []


def test_class_tfidf_equals_hand_computation() -> None:
    # Two classes of 4 and 2 terms: A = 3. f: card 3, fee 2, lost 1.
    # W(card, 1) = 3/4 · ln(1 + 3/3), W(fee, 1) = 1/4 · ln(1 + 3/2); W(fee, 2) = 1/2 · ln(1 + 3/2),
    # W(lost, 2) = 1/2 · ln(1 + 3/1).
    first, second = class_tfidf([["card", "card", "card", "fee"], ["fee", "lost"]])
    assert first == pytest.approx({"card": 0.75 * log(2), "fee": 0.25 * log(2.5)})
    assert second == pytest.approx({"fee": 0.5 * log(2.5), "lost": 0.5 * log(4)})


def test_class_tfidf_agrees_with_a_matrix_computation() -> None:
    rng = np.random.default_rng(3)
    counts = rng.integers(1, 9, size=(4, 30))
    documents = [[f"t{t}" for t in range(30) for _ in range(row[t])] for row in counts]
    weights = class_tfidf(documents)
    expected = counts / counts.sum(axis=1, keepdims=True) * np.log1p(counts.sum() / 4 / counts.sum(axis=0))
    found = np.array([[row[f"t{t}"] for t in range(30)] for row in weights])
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@given(st.lists(st.lists(st.sampled_from("abcdef"), max_size=12), max_size=5))
def test_class_tfidf_is_positive_and_covers_every_term(documents: list[list[str]]) -> None:
    weights = class_tfidf(documents)
    assert [set(row) for row in weights] == [set(terms) for terms in documents]
    assert all(weight > 0 for row in weights for weight in row.values())


def test_key_terms_leave_noise_out_and_put_pairs_first() -> None:
    found = key_terms(["zebra apple", "noise"], np.array([0, -1]), count=1)
    assert [term.text for term in found[0]] == ["zebra apple", "apple", "zebra"]


def test_titles_repeat_no_word_and_no_title() -> None:
    def topic(*words: str) -> list[Term]:
        return [Term(word, 1.0) for word in words]

    assert titles([topic("top-up", "top", "verify", "verification", "card transfer", "transfers", "fee", "late")]) == [
        "top-up, verify, card transfer"
    ]
    assert titles([topic("fee"), topic("fee"), topic()]) == ["fee", "fee (2)", "topic 3"]


def test_the_name_of_a_field_is_no_key_term() -> None:
    """ "Area" names a field in three texts; "fee" does in three too, but stands in more sentences as a word."""
    texts = [
        *("Area: Everyday banking", "Area: Everyday banking", "# Cards\nArea: Savings"),
        *(
            "Fee: EUR 4 a month",
            "Fee: EUR 5 a month",
            "- Fee: EUR 6 a month",
            "the fee is waived; a fee returns; no fee",
        ),
    ]
    [terms] = key_terms(texts, np.zeros(len(texts), dtype=np.int64), count=1, terms=50)
    shown = {term.text for term in terms}
    assert "everyday banking" in shown and "fee" in shown
    assert not [text for text in shown if "area" in text]
    two = key_terms(["Area: banking", "Area: savings"], np.zeros(2, dtype=np.int64), count=1)
    assert "area" in {term.text for term in two[0]}  # too few to be sure
