from __future__ import annotations

import pytest

from hcat.core.capabilities.evidence.pack import make_pack
from hcat.core.capabilities.evidence.source import ReportSource
from tests.core.capabilities.evidence.packed import KEY, build_source


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> ReportSource:
    return build_source(tmp_path_factory.mktemp("packed"))


@pytest.fixture(scope="session")
def pack(source: ReportSource) -> bytes:
    return make_pack(source, KEY, formats=["html"])


@pytest.fixture(scope="session")
def plain_pack(source: ReportSource) -> bytes:
    """A pack without renderings, so that one signature is on all."""
    return make_pack(source, KEY)
