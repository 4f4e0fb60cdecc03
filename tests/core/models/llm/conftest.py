"""The endpoints that tests of language models talk to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.core.models.llm.scripted import Endpoint, endpoint


@pytest.fixture
def scripted() -> Iterator[Endpoint]:
    """An endpoint whose answers the test sets."""
    with endpoint() as running:
        yield running
