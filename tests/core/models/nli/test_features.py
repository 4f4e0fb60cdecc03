"""What is read off a pair without a network."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.models.nli.features import FEATURES, lexical_features, unsupported_numbers


def features(premise, hypothesis):
    return dict(zip(FEATURES, lexical_features([(premise, hypothesis)])[0].tolist(), strict=True))


@pytest.mark.parametrize(
    ("premise", "hypothesis", "missing"),
    [
        ("Sales were $8.738 billion.", "Sales were 8,738 million.", []),
        ("Sales (in millions) | 8,738", "Sales were $8.738 billion.", []),
        ("Sales were 8,738.", "Sales were 8,783.", ["8,783"]),
        ("Three members voted.", "3 members voted.", []),
        ("It costs EUR 4.50.", "It costs EUR 4.5.", []),
        ("It costs EUR 45.", "It costs EUR 4.5.", ["4.5"]),
        ("No number here.", "12% in 2019", ["12", "2019"]),
    ],
)
def test_numbers_are_found_at_any_scale(premise, hypothesis, missing):
    assert unsupported_numbers(premise, hypothesis) == missing


def test_a_pair_by_hand():
    found = features(
        "Revenue rose 12% in 2023. Mr Smith approved it.", "Revenue fell 13% in 2023 and Jones did not agree."
    )
    # words: revenue fell 13 in 2023 and jones did not agree: revenue, in, 2023 of ten are there
    assert found["share of words found"] == pytest.approx(0.3)
    assert found["numbers not found"] == 1
    assert found["names not found"] == 1
    assert found["negated without the premise"] == 1
    assert found["opposites"] == 1  # rose / fell
    assert found["log of hypothesis words"] == pytest.approx(np.log(11))


def test_a_sentence_of_the_premise_has_all_its_words():
    found = features("The board met. It did not approve the plan.", "It did not approve the plan.")
    assert found["share of words found"] == found["all content words found"] == found["share of word pairs found"] == 1
    assert found["negated without the premise"] == found["premise negated alone"] == found["opposites"] == 0


def test_nothing_to_read():
    assert lexical_features([]).shape == (0, len(FEATURES))
    assert np.isfinite(lexical_features([("", ""), ("...", "!"), ("a", "")])).all()


@given(st.lists(st.tuples(st.text(max_size=40), st.text(max_size=40)), max_size=4))
def test_rows_are_finite_and_depend_on_their_own_pair_alone(pairs):
    rows = lexical_features(pairs)
    assert np.isfinite(rows).all()
    for pair, row in zip(pairs, rows, strict=True):
        assert (lexical_features([pair])[0] == row).all()
