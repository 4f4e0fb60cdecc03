"""The handbook, encoded once for all tests of what is planted in the demo."""

from __future__ import annotations

import pytest

from hcat.core.capabilities.demo.planted.table import planted_run
from hcat.core.models.cache import MemoryEmbeddings
from hcat.core.models.encoder.encoder import load_encoder
from hcat.core.records.run_file import Run


@pytest.fixture(scope="session")
def embeddings() -> MemoryEmbeddings:
    return MemoryEmbeddings()


@pytest.fixture(scope="session")
def planted(embeddings: MemoryEmbeddings) -> Run:
    """The demo's third run, with its faults."""
    return planted_run(load_encoder(), embeddings)
