"""States of word pieces: windows of long texts, and the embedding that falls out of the same pass."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.models.encoder import sentence_encoder
from hcat.core.models.encoder.encoder import load_encoder
from hcat.core.models.encoder.token_states import TokenEncoder, windows

SENTENCE = "The margin narrowed by 12 basis points because deposits became dearer."


@given(st.integers(0, 5_000), st.integers(2, 600))
def test_windows_keep_each_piece_once_from_where_it_is_read(length: int, most: int) -> None:
    kept = [position for window in windows(length, most) for position in range(window.first, window.last)]
    assert kept == list(range(length))
    for window in windows(length, most):
        assert window.start <= window.first <= window.last <= window.end <= max(length, 0)
        assert window.end - window.start <= most


def test_windows_by_hand() -> None:
    # 10 pieces, 4 at a time: each next window begins 2 later; what two of them read is shared out in the middle.
    found = [(one.start, one.end, one.first, one.last) for one in windows(10, 4)]
    assert found == [(0, 4, 0, 3), (2, 6, 3, 5), (4, 8, 5, 7), (6, 10, 7, 10)]


def test_the_embedding_of_a_short_text_is_bitwise_the_encoders_own() -> None:
    encoder = load_encoder()
    assert isinstance(encoder, TokenEncoder)
    texts = [SENTENCE, "It fell.", SENTENCE + " Loans grew.", "?"]
    rows = encoder.encode(texts)
    for text, row, states in zip(texts, rows, encoder.encode_tokens(texts), strict=True):
        np.testing.assert_array_equal(states.row, row, err_msg=text)
        assert (states.words[0], states.words[-1]) == ("[CLS]", "[SEP]")
        assert states.special.tolist() == [True] + [False] * (len(states.ids) - 2) + [True]
        np.testing.assert_allclose(np.linalg.norm(states.states, axis=1), 1.0, atol=1e-6)


def test_a_text_longer_than_a_sentences_input_has_no_embedding_of_its_own() -> None:
    (states,) = load_encoder().encode_tokens([f"{SENTENCE} " * 25])
    assert 256 < len(states.ids) < 512
    assert states.row is None


def test_a_long_text_is_read_in_windows_and_cut_where_it_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = load_encoder()
    text = " ".join(f"{SENTENCE} Item {number}." for number in range(60))
    (whole,) = encoder.encode_tokens([text])
    assert len(whole.ids) > 900
    assert whole.left_out == 0
    assert whole.ids.tolist() == encoder.token_ids([text])[0]
    np.testing.assert_allclose(np.linalg.norm(whole.states, axis=1), 1.0, atol=1e-6)
    (start,) = encoder.encode_tokens([text[: len(text) // 4]])
    # far from the window's edge, context differs a little or not at all
    assert (np.sum(whole.states[1:100] * start.states[1:100], axis=1) > 0.9).all()
    monkeypatch.setattr(sentence_encoder, "MOST_PIECES", 700)
    (cut,) = encoder.encode_tokens([text])
    assert len(cut.ids) == 702
    assert cut.left_out == len(whole.ids) - 702


def test_no_texts_and_blank_texts() -> None:
    encoder = load_encoder()
    assert encoder.encode_tokens([]) == ()
    (blank,) = encoder.encode_tokens(["  "])
    assert blank.words == ("[CLS]", "[SEP]")
