"""Batches hold each text once, are filled up where they must be, and are halved where memory is short. The memory is
made short here, since a processor's can't be; on a graphics card tests/core/models/test_on_a_card.py tries the rest."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from hcat.core.errors import ModelError
from hcat.core.models.batches import MOST_PIECES_ON_A_CARD, Batches, batches_on, padded, padded_length, pieces_in
from hcat.core.models.devices import has_weights, name_on, revision_on
from hcat.core.models.encoder.encoder import load_encoder
from hcat.core.models.encoder.sentence_encoder import SentenceEncoder
from hcat.core.models.nli.loading import load_entailment
from hcat.core.models.nli.packaged import PackagedEntailment
from hcat.core.models.toxicity.packaged import PackagedToxicity

TEXTS = tuple(f"Sentence {number} says {'much ' * (number % 5)}of it." for number in range(150))
MOST_ROWS = 6
LENGTHS = [5, 17, 8, 3, 40, 9, 16, 2, 1, 33, 7, 6]


def _squares(some: list[int]) -> Callable[[], list[int]]:
    return lambda: [each * each for each in some]


@pytest.mark.parametrize("pieces", [1, 16, 24, 4096])
@pytest.mark.parametrize("filled", [False, True])
def test_each_text_is_computed_once_with_those_of_its_length(pieces: int, filled: bool) -> None:
    seen: list[int] = []
    asked: list[list[int]] = []

    def begin(some: list[int]) -> Callable[[], list[int]]:
        asked.append(some)
        return _squares(some)

    for members, squares in Batches(pieces, filled=filled).computed(LENGTHS, begin):
        seen += members
        assert squares[: len(members)] == [member * member for member in members]
        assert len({padded_length(LENGTHS[member]) for member in members}) == 1
    assert sorted(seen) == list(range(len(LENGTHS)))
    rows = {(padded_length(LENGTHS[some[0]]), len(some)) for some in asked}
    assert all(length * count <= max(pieces, length) for length, count in rows)
    assert not filled or len({length for length, _ in rows}) == len(rows)  # as many rows in all batches of a length
    assert filled or sum(map(len, asked)) == len(LENGTHS)


def test_a_short_text_alone_is_computed_with_copies_of_itself() -> None:
    asked: list[list[int]] = []

    def begin(some: list[int]) -> Callable[[], list[int]]:
        asked.append(some)
        return _squares(some)

    assert [members for members, _ in batches_on("cpu").computed([16, 8], begin)] == [[1], [0]]
    assert asked == [[1] * 32, [0] * 16]  # 256 word pieces


def test_the_next_batch_is_begun_before_a_result_is_waited_for() -> None:
    told: list[str] = []

    def begin(some: list[int]) -> Callable[[], None]:
        told.append(f"begin {some}")
        return lambda: told.append(f"wait {some}")

    list(Batches(8).computed([8, 8, 8], begin))
    assert told == ["begin [0]", "begin [1]", "wait [0]", "begin [2]", "wait [1]", "wait [2]"]


@pytest.mark.parametrize("most", [1, 3, 8, 100])
@pytest.mark.parametrize("filled", [False, True])
def test_batches_are_halved_where_memory_is_short_and_stay_so(most: int, filled: bool) -> None:
    tried: list[int] = []

    def begin(some: list[int]) -> Callable[[], list[int]]:
        tried.append(len(some))
        if len(some) > most:
            raise torch.OutOfMemoryError("out of memory")
        return _squares(some)

    batches = Batches(13 * 8, filled=filled)
    parts = list(batches.computed([8] * 20, begin))
    assert [member for members, _ in parts for member in members] == list(range(20))
    assert [square for members, squares in parts for square in squares[: len(members)]] == [i * i for i in range(20)]
    failed = sum(count > most for count in tried)
    assert failed == {1: 3, 3: 2, 8: 1, 100: 0}[most]
    list(batches.computed([8] * 20, begin))
    assert sum(count > most for count in tried) == failed


def test_a_text_that_does_not_fit_alone_is_said() -> None:
    def begin(_: list[int]) -> Callable[[], None]:
        raise torch.OutOfMemoryError("out of memory")

    with pytest.raises(ModelError, match="no memory left for a single text"):
        list(Batches(64).computed([8, 8], begin))


def test_another_error_is_not_taken_for_want_of_memory() -> None:
    def broken(_: list[int]) -> Callable[[], None]:
        raise RuntimeError("shapes differ")

    with pytest.raises(RuntimeError, match="shapes differ"):
        list(Batches(64).computed([8, 8], broken))


def test_batches_are_by_all_the_memory_of_a_card() -> None:
    gigabyte = 1 << 30
    assert [pieces_in(size * gigabyte) for size in (0, 1, 2, 24, 80)] == [1, 4096, MOST_PIECES_ON_A_CARD, 8192, 8192]
    on_cpu, on_mps = batches_on("cpu"), batches_on("mps")
    assert (on_cpu.pieces, on_cpu.filled, on_mps.filled) == (4096, False, True)


def test_rows_are_padded_at_the_side_that_is_asked_for() -> None:
    assert padded([[1, 2], [3]], value=9).tolist() == [[1, 2, *[9] * 6], [3, *[9] * 7]]
    assert padded([[1, 2], [3]], left=True).tolist() == [[*[0] * 6, 1, 2], [*[0] * 7, 3]]
    assert padded([[1] * 9]).shape == (1, 16)


def test_what_is_computed_on_another_kind_of_device_has_another_revision() -> None:
    assert (name_on("cpu", "model"), revision_on("cpu", "ab")) == ("model", "ab")
    assert name_on("cuda:1", "model") == "model, single precision on cuda"
    assert revision_on("cuda:1", "ab") == revision_on("cuda", "ab") not in ("ab", revision_on("mps", "ab"))
    assert [has_weights(revision_on(device, "ab"), "ab") for device in ("cpu", "cuda:1", "mps")] == [True] * 3
    assert not has_weights(revision_on("cuda", "ab"), "ac")


def _filled(model: SentenceEncoder | PackagedEntailment | PackagedToxicity, pieces: int = 512) -> None:
    model._batches = Batches(pieces, filled=True)


def _short_of_memory(monkeypatch: pytest.MonkeyPatch, model: type, method: str, place: int) -> list[int]:
    """Have a method fail where its argument at `place` has more than `MOST_ROWS`: the list of how many it had then."""
    whole, failed = getattr(model, method), list[int]()

    def limited(self: object, *arguments: list[object]) -> object:
        if len(arguments[place]) > MOST_ROWS:
            failed.append(len(arguments[place]))
            raise torch.OutOfMemoryError("out of memory")
        return whole(self, *arguments)

    monkeypatch.setattr(model, method, limited)
    return failed


def test_the_encoder_gives_the_same_rows_in_filled_and_in_smaller_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = load_encoder()
    assert isinstance(loaded, SentenceEncoder)
    expected, states = loaded.encode(TEXTS), loaded.encode_tokens(TEXTS[:30])
    other = SentenceEncoder(lambda: loaded._model, name="other", revision="0" * 64, dimension=loaded.dimension)
    _filled(other)
    assert np.array_equal(other.encode(TEXTS), expected)
    for mine, theirs in zip(other.encode_tokens(TEXTS[:30]), states, strict=True):
        assert np.array_equal(mine.states, theirs.states)
    failed = _short_of_memory(monkeypatch, SentenceEncoder, "_forward", 0)
    assert np.array_equal(other.encode(TEXTS), expected)
    assert failed
    before = len(failed)
    assert np.array_equal(other.encode(TEXTS), expected)
    assert len(failed) == before  # what did not fit is not tried again


def test_entailment_and_toxicity_give_the_same_rows_in_filled_and_in_smaller_batches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entailment, toxicity = load_entailment(), PackagedToxicity()
    assert isinstance(entailment, PackagedEntailment)
    pairs = [(TEXTS[number], TEXTS[-number]) for number in range(60)]

    def computed() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return entailment.entail(pairs).D, toxicity.probabilities(TEXTS[:60])

    expected = computed()
    monkeypatch.setattr(entailment, "_batches", Batches(512, filled=True))
    _filled(toxicity)
    for filled, plain in zip(computed(), expected, strict=True):
        assert np.array_equal(filled, plain)
    failed = _short_of_memory(monkeypatch, PackagedEntailment, "_read", 0)
    failed_too = _short_of_memory(monkeypatch, PackagedToxicity, "_forward", 2)
    for smaller, plain in zip(computed(), expected, strict=True):
        assert np.array_equal(smaller, plain)
    assert failed
    assert failed_too
