"""BERTScore by hand, what it shares with sentence embeddings, and where it has no score."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from hcat.core.metrics.token_matching import Idf
from hcat.core.models.cache import MemoryEmbeddings, text_key
from hcat.core.models.encoder.encoder import load_encoder
from hcat.core.models.encoder.token_states import TokenStates
from hcat.core.scoring.evaluate import explain_sample, score_samples
from hcat.core.scoring.steps import match_tokens as block_tokens
from hcat.core.types import Sample
from tests.core.scoring.model_sets import model_set

VOCABULARY = {"[CLS]": 0, "[SEP]": 1, "north": 2, "east": 3, "west": 4, "up": 5}
DIRECTIONS = np.array([[0, 0, 0, 1], [0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0], [0, -1, 0, 0], [0, 0, 1, 0]])
NAMES = ("bertscore_recall", "bertscore_precision", "bertscore_f1")


class CompassEncoder:
    """Each word has one fixed direction; the text's embedding is theirs on average."""

    name, revision, dimension = "compass", "c" * 64, 4

    def __init__(self) -> None:
        self.whole: list[str] = []
        self.sentences: list[str] = []

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.sentences += texts
        return np.stack([self._row(text) for text in texts])

    def token_ids(self, texts: Sequence[str]) -> list[list[int]]:
        return [[0, *(VOCABULARY[word.strip(".")] for word in text.split()), 1] for text in texts]

    def encode_tokens(self, texts: Sequence[str]) -> tuple[TokenStates, ...]:
        self.whole += texts
        return tuple(self._states(text) for text in texts)

    def _states(self, text: str) -> TokenStates:
        ids = np.array(self.token_ids([text])[0])
        words = tuple(list(VOCABULARY)[piece] for piece in ids)
        return TokenStates(ids, words, ids < 2, DIRECTIONS[ids].astype(np.float32), self._row(text))

    def _row(self, text: str) -> NDArray[np.float32]:
        row = DIRECTIONS[self.token_ids([text])[0]].sum(axis=0)
        return (row / np.linalg.norm(row)).astype(np.float32)


def _sample(answer: str | None, reference: str | None, name: str = "s") -> Sample:
    return Sample(name, "north", answer, (), reference)


def test_recall_precision_and_f1_by_hand() -> None:
    # reference: north 1, east 1, west: cosines 0, -1 and 0 with [CLS] → 0. Recall 2/3. Answer: both found. F1 = 4/5.
    table = score_samples(
        [_sample("north east.", "north east west.")], metrics=NAMES, models=model_set(CompassEncoder())
    )
    recall, precision, f1 = (table.score("s", name).value for name in NAMES)
    assert recall == pytest.approx(2 / 3)
    assert precision == pytest.approx(1.0)
    assert f1 == pytest.approx(0.8)


def test_idf_weights_by_hand() -> None:
    # two references: north is in both, ln(3/3) = 0; east and west in one each, ln(3/2). Recall of s: east 1, west 0.
    samples = [_sample("north east.", "north east west."), _sample("up.", "north.", "t")]
    names = [f"{name}_idf" for name in NAMES]
    table = score_samples(samples, metrics=names, models=model_set(CompassEncoder()))
    assert table.score("s", "bertscore_recall_idf").value == pytest.approx(0.5)
    assert table.score("s", "bertscore_precision_idf").value == pytest.approx(1.0)
    assert table.score("s", "bertscore_f1_idf").value == pytest.approx(2 / 3)
    assert table.score("t", "bertscore_recall_idf").reason == "every word piece of the reference is in all references"
    assert table.score("t", "bertscore_f1_idf").value is None
    # up is in no reference: ln(3/1)
    assert Idf.of([[2, 3, 4, 2], [2]]).weight(5) == pytest.approx(math.log(3))


def test_each_piece_of_the_reference_is_shown_with_its_match() -> None:
    sample = _sample("north east.", "west north.")
    explained = explain_sample(sample, metrics="bertscore_recall,bertscore_f1", models=model_set(CompassEncoder()))
    assert explained["bertscore_recall"] == {
        "part": "reference",
        "against": "answer",
        "aggregate": "mean",
        "tokens": [
            {"text": "west", "match": "[CLS]", "match_position": 0, "score": 0.0, "weight": 0.5},
            {"text": "north", "match": "north", "match_position": 1, "score": 1.0, "weight": 0.5},
        ],
        "pieces_left_out": {"reference": 0, "answer": 0},
    }
    assert explained["bertscore_f1"] == {"precision": pytest.approx(0.5), "recall": pytest.approx(0.5)}


def test_the_explanation_by_idf_is_that_of_the_score() -> None:
    samples = [_sample("north east.", "north east west."), _sample("up.", "north.", "t")]
    name = "bertscore_recall_idf"
    value = score_samples(samples, metrics=name, models=model_set(CompassEncoder())).score("s", name).value
    explained = explain_sample(samples[0], metrics=name, models=model_set(CompassEncoder()), among=samples)[name]
    assert sum(row["weight"] * row["score"] for row in explained["tokens"]) == pytest.approx(value)


def test_a_text_that_is_one_sentence_is_encoded_once() -> None:
    encoder, store = CompassEncoder(), MemoryEmbeddings()
    sample = _sample("north east.", " north west. ")
    both = score_samples([sample], metrics=(*NAMES, "answer_f1"), models=model_set(encoder), store=store)
    assert sorted(encoder.whole) == ["north east.", "north west."]
    assert encoder.sentences == []
    alone = score_samples([sample], metrics="answer_f1", models=model_set(CompassEncoder()))
    assert both.score("s", "answer_f1") == alone.score("s", "answer_f1")
    assert store.get([text_key("north west.")]) != {}


def test_real_embeddings_are_the_same_by_either_pass() -> None:
    samples = [
        _sample("Revenue rose by 3%.", "Revenue grew 3 percent."),
        _sample("The bank lost money. Loans grew.", "The bank made a loss.", "t"),
    ]
    names = ("answer_f1", "answer_recall")
    with_tokens = score_samples(samples, metrics=("bertscore_f1", *names), models=model_set(load_encoder()))
    without = score_samples(samples, metrics=names, models=model_set(load_encoder()))
    for sample in samples:
        for name in names:
            assert with_tokens.score(sample.id, name) == without.score(sample.id, name)


def test_scores_do_not_depend_on_how_many_texts_are_held_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["Loans grew.", "Deposits fell. Margins too.", "The bank lost money.", "A loss was made by the bank."]
    samples = [_sample(a, b, f"{i}{j}") for i, a in enumerate(texts) for j, b in enumerate(texts)]
    together = score_samples(samples, metrics=NAMES, models=model_set(load_encoder()))
    monkeypatch.setattr(block_tokens, "CHARACTERS_AT_ONCE", 50)
    apart = score_samples(samples, metrics=NAMES, models=model_set(load_encoder()))
    for sample in samples:
        for name in NAMES:
            assert apart.score(sample.id, name) == together.score(sample.id, name)


@pytest.mark.parametrize(
    ("answer", "reference", "reason"),
    [
        (None, "north.", "no answer"),
        ("north.", None, "no reference"),
        ("  ", "north.", "empty answer"),
        ("north.", "", "empty reference"),
    ],
)
def test_unscored_with_a_reason(answer: str | None, reference: str | None, reason: str) -> None:
    encoder = CompassEncoder()
    table = score_samples([_sample(answer, reference)], metrics=NAMES, models=model_set(encoder))
    assert {table.score("s", name).reason for name in NAMES} == {reason}
    assert encoder.whole == []


def test_an_encoder_without_token_states_leaves_them_out() -> None:
    class Rows:
        name, revision, dimension = "rows", "d" * 64, 2

        def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
            return np.tile(np.array([1, 0], dtype=np.float32), (len(texts), 1))

    sample = _sample("north.", "north.")
    table = score_samples([sample], metrics="all", models=model_set(Rows()))
    assert table.provenance.left_out["bertscore_f1"] == "the encoder gives no token states"
    named = score_samples([sample], metrics="bertscore_f1", models=model_set(Rows()))
    assert named.score("s", "bertscore_f1").reason == "the encoder gave no token states"
