"""`hcat doctor`: everything about the installation that can be checked from here, one line each."""

from __future__ import annotations

from collections.abc import Iterator

from hcat.core.project.installation.check import Check
from hcat.core.project.installation.environment_checks import check_environment
from hcat.core.project.installation.model_checks import check_models
from hcat.core.project.installation.store_checks import check_store
from hcat.core.settings import Settings, settings

__all__ = ["Check", "examine"]


def examine(chosen: Settings | None = None, *, deep: bool = False) -> Iterator[Check]:
    """The checks, each made when it is asked for; nothing is changed. HcatError where a setting can't be read."""
    chosen = chosen or settings()
    yield from check_environment(chosen, deep=deep)
    yield from check_store(chosen, deep=deep)
    yield from check_models(chosen)
