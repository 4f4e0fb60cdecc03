"""The rows of many texts as one matrix: those of `embed_texts`, bit by bit, whatever is stored already."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hcat.core.models import embedding_matrix
from hcat.core.models.cache import EmbeddingStore, MemoryEmbeddings, ParquetEmbeddings, embed_texts
from hcat.core.models.embedding_matrix import embed_distinct
from hcat.core.types import Progress
from tests.core.models.test_cache import REVISION, TEXTS, NeighbourlyEncoder


@pytest.mark.parametrize("mapped", [False, True])
@pytest.mark.parametrize("stored", [0, 300, 700])
@pytest.mark.parametrize("where", ["memory", "files"])
def test_rows_are_bitwise_those_of_the_dictionary(
    where: str, stored: int, mapped: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if mapped:
        monkeypatch.setattr(embedding_matrix, "IN_MEMORY", 10)

    def store(name: str) -> EmbeddingStore:
        made = MemoryEmbeddings() if where == "memory" else ParquetEmbeddings(str(tmp_path / name), revision=REVISION)
        if stored:
            embed_texts(sorted(TEXTS)[:stored], encoder=NeighbourlyEncoder(), store=made)
        return made

    texts = [*TEXTS, *TEXTS[:40]]
    encoder, steps = NeighbourlyEncoder(), list[Progress]()
    embedded = embed_distinct(texts, encoder=encoder, store=store("one"), on_progress=steps.append)
    expected = embed_texts(texts, encoder=NeighbourlyEncoder(), store=store("other"))
    assert len(encoder.encoded) == len(TEXTS) - stored
    assert embedded.in_order(texts).tobytes() == np.stack([expected[text] for text in texts]).tobytes()
    assert isinstance(embedded.rows, np.memmap) == mapped
    assert (steps[-1].done, steps[-1].total) == (len(TEXTS), len(TEXTS))


def test_what_is_stored_is_not_encoded_again(tmp_path: Path) -> None:
    store = ParquetEmbeddings(str(tmp_path), revision=REVISION)
    first = embed_distinct(TEXTS, encoder=NeighbourlyEncoder(), store=store)
    again = embed_distinct(TEXTS, encoder=NeighbourlyEncoder(fail_after=0), store=store)
    assert again.rows.tobytes() == first.rows.tobytes()


def test_a_group_lies_at_the_direction_of_its_mean() -> None:
    embedded = embed_distinct(TEXTS[:5], encoder=NeighbourlyEncoder(), store=MemoryEmbeddings())
    first, second = embedded.in_order(TEXTS[:2]).astype(np.float64)
    mean = (first + second) / 2
    found = embedded.mean_directions([TEXTS[:2], TEXTS[:1]])
    np.testing.assert_allclose(found, [mean / np.linalg.norm(mean), first], atol=1e-6)


def test_no_texts_give_no_rows() -> None:
    embedded = embed_distinct([], encoder=NeighbourlyEncoder(), store=MemoryEmbeddings())
    assert embedded.in_order([]).shape == (0, 4)
