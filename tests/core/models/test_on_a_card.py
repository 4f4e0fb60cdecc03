"""Models on a graphics card: rows that depend on nothing beside them, and differ little from those of a CPU.

Skipped, saying so, where there is no card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from hcat.core.capabilities.demo.bank import read_handbook
from hcat.core.models.batches import BYTES_A_PIECE, Batches, batches_on
from hcat.core.models.encoder.encoder import load_encoder
from hcat.core.models.encoder.precision import MOST_DIFFERENCE
from hcat.core.models.encoder.sentence_encoder import SentenceEncoder
from hcat.core.models.encoder.token_states import TokenEncoder
from hcat.core.models.nli.loading import load_entailment
from hcat.core.models.toxicity.loading import load_toxicity
from hcat.core.text import sentences

CARD = "cuda"
pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="no graphics card here")

Rows = NDArray[np.float64]


def _texts() -> list[str]:
    passages = [passage.text for passage in read_handbook()]
    return list(dict.fromkeys([*(each.text for passage in passages for each in sentences(passage)), *passages]))


def _pairs() -> list[tuple[str, str]]:
    texts = _texts()
    return [(texts[-1 - number % 40], text) for number, text in enumerate(texts)]


def _encoded(device: str) -> Callable[[Sequence[str]], Rows]:
    return lambda texts: load_encoder(device=device).encode(texts).astype(np.float64)


def _entailed(device: str) -> Callable[[Sequence[tuple[str, str]]], Rows]:
    return lambda pairs: load_entailment(device=device).entail(pairs).score


def _toxic(device: str) -> Callable[[Sequence[str]], Rows]:
    return lambda texts: load_toxicity(device=device).probabilities(texts)


def _states(device: str) -> Callable[[Sequence[str]], Rows]:
    def first_pieces(texts: Sequence[str]) -> Rows:
        encoder = load_encoder(device=device)
        assert isinstance(encoder, TokenEncoder)
        return np.stack([text.states[:3].ravel() for text in encoder.encode_tokens(texts)]).astype(np.float64)

    return first_pieces


KINDS = {"encoder": (_encoded, _texts), "token states": (_states, _texts), "entailment": (_entailed, _pairs)} | {
    "toxicity": (_toxic, _texts)
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_has_the_same_bits_in_any_place_beside_anything(kind: str) -> None:
    on, items_of = KINDS[kind]
    compute, items = on(CARD), items_of()
    rows = compute(items)
    assert np.array_equal(compute(items), rows)
    order = np.random.default_rng(0).permutation(len(items))
    assert np.array_equal(compute([items[i] for i in order]), rows[order])
    assert np.array_equal(compute([items[i] for i in order[:37]]), rows[order[:37]])
    for i in order[:10]:
        assert np.array_equal(compute([items[i]])[0], rows[i])


@pytest.mark.parametrize("kind", ["entailment", "toxicity"])
def test_scores_in_single_precision_are_those_of_a_cpu(kind: str) -> None:
    on, items_of = KINDS[kind]
    items = items_of()[::4]
    np.testing.assert_allclose(on(CARD)(items), on("cpu")(items), atol=1e-5)


def test_cosines_in_half_precision_are_those_of_a_cpu_within_a_thousandth() -> None:
    on_card, on_cpu = (_encoded(device)(_texts()) for device in (CARD, "cpu"))
    assert np.abs(on_card @ on_card.T - on_cpu @ on_cpu.T).max() < MOST_DIFFERENCE


def test_names_and_revisions_say_where_it_was_computed() -> None:
    loaded = [load(device=CARD) for load in (load_encoder, load_entailment, load_toxicity)]
    others = [load() for load in (load_encoder, load_entailment, load_toxicity)]
    assert [model.name.partition(", ")[2] for model in loaded] == ["half precision", *["single precision on cuda"] * 2]
    assert all(model.revision != other.revision for model, other in zip(loaded, others, strict=True))


@pytest.fixture
def little_memory() -> Iterator[None]:
    """Leave torch a share of the card's memory that the model fits in, and 40 MB more."""
    torch.cuda.empty_cache()
    torch.cuda.set_per_process_memory_fraction(
        (torch.cuda.memory_reserved() + 40e6) / torch.cuda.get_device_properties(0).total_memory
    )
    yield
    torch.cuda.set_per_process_memory_fraction(1.0)


def test_batches_are_halved_where_the_card_has_no_memory_left(little_memory: None) -> None:
    loaded = load_encoder(device=CARD)
    assert isinstance(loaded, SentenceEncoder)
    large = Batches(1 << 16, filled=True)
    other = SentenceEncoder(lambda: loaded._model, name="other", revision="0" * 64, dimension=384, batches=large)
    rows = other.encode(_texts())
    assert large.pieces < 1 << 16
    np.testing.assert_allclose(rows, loaded.encode(_texts()), atol=2e-3)


def test_a_batch_takes_no_more_memory_than_is_planned_with() -> None:
    compute, items = _entailed(CARD), _pairs()
    compute(items[:5])
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    compute(items)
    assert torch.cuda.max_memory_allocated() - before < batches_on(CARD).pieces * BYTES_A_PIECE
