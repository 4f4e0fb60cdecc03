"""Premises out of a long context, and the one that wins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.models.nli.entailment import EntailmentResult
from hcat.core.models.nli.premises import Comparison, Evidence, Premise, best_window, premises_for, supports
from hcat.core.text import estimated_pieces

FEE = "The annual fee of the card is 25 euros."
PENALTY = "Late payments cost another 12 euros."
CHAIR = "Anna Berg chairs the board."
RAIN = "It rained in the hills for most of the week."
SNOW = "Snow lay on the northern roads until spring."
WIND = "A mild wind came up from the lake."


def evidence(*passages, similarity=None):
    texts = [text for passage in passages for text in passage]
    numbers = [number for number, passage in enumerate(passages) for _ in passage]
    return Evidence(texts, numbers, np.zeros(len(texts)) if similarity is None else np.array(similarity))


def read(source, hypothesis, **options):
    return [premise.text for premise in premises_for(source, hypothesis, **options)]


class Fake:
    """D is the number of words that premise and hypothesis share, less two."""

    name, revision, pieces = "fake", "0", 64

    def __init__(self):
        self.seen = []

    def entail(self, pairs):
        self.seen.append(list(pairs))
        D = [len(set(premise.split()) & set(hypothesis.split())) - 2.0 for premise, hypothesis in pairs]
        return EntailmentResult.of(np.array(D, dtype=np.float64))


def test_no_context_gives_no_premise():
    assert premises_for(evidence(), "The fee is 25 euros.") == ()
    assert best_window([], "The fee is 25 euros.") == Premise("", ())


def test_the_sentence_with_the_claims_words_comes_with_its_neighbours():
    source = evidence([RAIN, SNOW, FEE, WIND, RAIN])
    assert read(source, "The annual fee is 25 euros.") == [f"{SNOW} {FEE} {WIND}"]


def test_evidence_for_several_facts_is_joined_over_passages():
    source = evidence([RAIN, CHAIR, SNOW], [WIND, FEE, RAIN], [SNOW, PENALTY])
    joined, first = read(source, "Anna Berg says the annual fee is 25 euros and late payments cost 12 euros.")
    assert all(text in joined for text in (CHAIR, FEE, PENALTY))
    assert first == f"{SNOW} {PENALTY}"  # the sentence that holds most, with its neighbour


def test_a_similar_sentence_that_shares_no_word_is_read_too():
    source = evidence([FEE, RAIN], [SNOW, WIND], similarity=[0.1, 0.0, 0.0, 0.9])
    assert read(source, "The card's annual fee is 25 euros.") == [f"{FEE} {RAIN}", f"{SNOW} {WIND}"]


def test_the_heading_above_a_sentence_comes_with_it():
    source = evidence(["Cards", RAIN, SNOW, FEE])
    assert read(source, "The annual fee is 25 euros.") == [f"Cards {SNOW} {FEE}"]


def test_a_premise_keeps_to_its_room():
    room = estimated_pieces(FEE) + estimated_pieces(WIND)
    source = evidence([RAIN, FEE, WIND, SNOW, PENALTY])
    premises = premises_for(source, "The annual fee is 25 euros, late payments cost 12 euros.", pieces=room)
    assert all(estimated_pieces(premise.text) <= room for premise in premises)


def test_a_sentence_larger_than_the_room_is_a_premise_of_its_own():
    long = "fee " * 300
    assert read(evidence([long, RAIN]), "The fee", pieces=50) == [long]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_passages_about_something_else_change_nothing_wherever_they_stand(place):
    passages = [[RAIN, FEE, WIND], [CHAIR, PENALTY]]
    claim = "The annual fee is 25 euros and late payments cost 12 euros."
    more = [*passages[:place], [SNOW, WIND, RAIN], *passages[place:]]
    assert read(evidence(*more), claim) == read(evidence(*passages), claim)


@given(st.permutations([(RAIN, FEE, WIND), (CHAIR, PENALTY), (SNOW,)]))
def test_the_order_of_passages_does_not_count(passages):
    claim = "Anna Berg says the annual fee is 25 euros and late payments cost 12 euros."
    assert read(evidence(*passages), claim) == read(evidence((RAIN, FEE, WIND), (CHAIR, PENALTY), (SNOW,)), claim)


def test_the_window_of_training_is_the_joined_premise_of_scoring():
    texts, passages, claim = [RAIN, FEE, WIND, PENALTY], [0, 0, 0, 1], "The fee is 25 euros, late payments 12 euros."
    first, *_ = premises_for(Evidence(texts, passages, np.zeros(4)), claim)
    assert best_window(texts, claim, passages=passages) == first


def test_the_winning_premise_is_returned_for_each_claim():
    model = Fake()
    compared = [
        [Comparison(Premise("a b", (0,)), "a b c d"), Comparison(Premise("a b c d", (1,)), "a b c d")],
        [],
        [Comparison(Premise("x y z", (2,)), "x y z")],
    ]
    first, second, third = supports(model, compared)
    # four shared words, less two; three shared words, less two
    assert (first.comparison.premise.sentences, first.D, first.tried, first.entailed) == ((1,), 2.0, 2, True)
    assert second is None
    assert third.D == 1.0
    assert len(model.seen) == 1


def test_the_first_of_equal_premises_wins():
    (support,) = supports(Fake(), [[Comparison(Premise("a b", (0,)), "a b"), Comparison(Premise("b a", (5,)), "a b")]])
    assert support.comparison.premise.sentences == (0,)
