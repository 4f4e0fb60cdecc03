"""A store of its own in a folder, which commands find by the settings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hcat.core.settings import settings


@contextmanager
def store_in(folder: Path) -> Iterator[Path]:
    """The folder, which is where commands run and what they store lies while this lasts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HCAT_DATABASE_URL", f"sqlite:///{folder / 'h.db'}")
        patch.setenv("HCAT_ARTIFACTS", str(folder / "artifacts"))
        patch.chdir(folder)
        settings.cache_clear()
        yield folder
    settings.cache_clear()
