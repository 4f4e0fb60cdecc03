"""Premises out of a long context, and the one that wins."""

import numpy as np

from core.models.nli.entailment import EntailmentResult
from core.models.nli.premises import Premise, supports, top_premises
from core.text import estimated_pieces

CONTEXT = [f"Sentence number {index} says something of its own here." for index in range(12)]


class Fake:
    """D is the number of words that premise and hypothesis share, less two."""

    name, revision, pieces = "fake", "0", 64

    def __init__(self):
        self.seen = []

    def entail(self, pairs):
        self.seen.append(list(pairs))
        D = [len(set(premise.split()) & set(hypothesis.split())) - 2.0 for premise, hypothesis in pairs]
        return EntailmentResult.of(np.array(D, dtype=np.float64))


def test_a_short_context_is_one_premise():
    assert top_premises(["One.", "Two."], np.array([0.1, 0.9])) == (Premise("One. Two.", (0, 1)),)


def test_no_context_gives_no_premise():
    assert top_premises([], np.array([])) == ()


def test_passages_lie_around_the_most_similar_sentences_and_they_stand_together():
    similarity = np.zeros(12)
    similarity[[2, 9]] = [0.9, 0.8]
    size = estimated_pieces(CONTEXT[0])
    found = [premise.sentences for premise in top_premises(CONTEXT, similarity, top=2, pieces=3 * size)]
    # room for three: the sentence, the next, the one before; then the two best sentences in their own order
    assert found == [(1, 2, 3), (8, 9, 10), (2, 9)]


def test_a_sentence_larger_than_the_room_is_a_premise_of_its_own():
    long = "word " * 300
    assert top_premises([long, "Short."], np.array([0.9, 0.1]), top=1, pieces=50) == (Premise(long, (0,)),)


def test_the_winning_premise_is_returned_for_each_hypothesis():
    model = Fake()
    premises = [[Premise("a b", (0,)), Premise("a b c d", (1,))], [], [Premise("x y z", (2,))]]
    first, second, third = supports(model, ["a b c d", "nothing", "x y z"], premises)
    # four shared words, less two; three shared words, less two
    assert (first.premise.sentences, first.D, first.tried, first.entailed) == ((1,), 2.0, 2, True)
    assert second is None
    assert third.D == 1.0
    assert len(model.seen) == 1


def test_the_first_of_equal_premises_wins():
    (found,) = supports(Fake(), ["a b"], [[Premise("a b", (0,)), Premise("b a", (5,))]])
    assert found.premise.sentences == (0,)
