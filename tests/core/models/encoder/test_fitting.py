"""Batches are halved where memory is short; the memory is made short here, since a processor's can't be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
import torch

from core.errors import ModelError
from core.models.encoder.encoder import load_encoder
from core.models.encoder.fitting import fitting
from core.models.encoder.sentence_encoder import SentenceEncoder

TEXTS = tuple(f"Sentence {number} says {'much ' * (number % 5)}of it." for number in range(150))


def _short_of_memory(most: int, seen: list[int]) -> Any:
    def compute(members: list[int]) -> list[int]:
        seen.append(len(members))
        if len(members) > most:
            raise torch.OutOfMemoryError("out of memory")
        return [member * member for member in members]

    return compute


@pytest.mark.parametrize("most", [1, 3, 8, 100])
def test_parts_come_in_order_and_hold_every_member(most: int) -> None:
    seen: list[int] = []
    parts = list(fitting(list(range(13)), _short_of_memory(most, seen)))
    assert [member for members, _ in parts for member in members] == list(range(13))
    assert [square for _, squares in parts for square in squares] == [member * member for member in range(13)]
    assert max(len(members) for members, _ in parts) <= most


def test_halves_are_tried_and_no_more_than_needed() -> None:
    seen: list[int] = []
    list(fitting(list(range(8)), _short_of_memory(2, seen)))
    assert seen == [8, 4, 2, 2, 4, 2, 2]


def test_a_text_that_does_not_fit_alone_is_said() -> None:
    with pytest.raises(ModelError, match="no memory left for a single text"):
        list(fitting([0, 1], _short_of_memory(0, [])))


def test_another_error_is_not_taken_for_want_of_memory() -> None:
    def broken(_: list[int]) -> None:
        raise RuntimeError("shapes differ")

    with pytest.raises(RuntimeError, match="shapes differ"):
        list(fitting([0, 1], broken))


def test_the_encoder_gives_the_same_rows_in_smaller_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = load_encoder().encode(TEXTS)
    loaded = load_encoder()
    assert isinstance(loaded, SentenceEncoder)
    short = SentenceEncoder(lambda: loaded._model, name="short", revision="0" * 64, dimension=loaded.dimension)
    forward, seen, failed = SentenceEncoder._forward, list[int](), list[int]()

    def limited(self: SentenceEncoder, pieces: list[list[int]]) -> Mapping[str, torch.Tensor]:
        if len(pieces) > 10:
            failed.append(len(pieces))
            raise torch.OutOfMemoryError("out of memory")
        seen.append(len(pieces))
        return forward(self, pieces)

    monkeypatch.setattr(SentenceEncoder, "_forward", limited)
    assert np.array_equal(short.encode(TEXTS), expected)
    assert max(seen) <= 10
    before = len(failed)
    assert before > 0
    assert np.array_equal(short.encode(TEXTS), expected)
    assert len(failed) - before < before  # what did not fit is not tried as often again
