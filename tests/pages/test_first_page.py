"""The first page after a start: it loads nothing heavy, and finds its numbers computed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hcat.dashboard.capabilities.overview.prepare import prepare_overview
from hcat.dashboard.capabilities.weaknesses import loader as slices
from hcat.dashboard.loaders import labels
from hcat.dashboard.server import FIRST_PAGE, PREPARED
from tests.pages.conftest import OpenPage, settings_of

MODELS = ("torch", "transformers", "sentence_transformers", "sklearn", "umap", "hdbscan", "xgboost")
HEAVY = (*MODELS, "altair", "openpyxl")
NOT_TO_IMPORT = (*HEAVY, "alembic", "jinja2", "scipy")
NOT_TO_COMPUTE_WITH = (*HEAVY, "alembic", "scipy.stats")


def modules_after(code: str, **environment: str) -> set[str]:
    """The modules that a fresh interpreter has after this code."""
    program = f"import sys; {code}; print('MODULES', *sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **environment},
    )
    return set(result.stdout.rpartition("MODULES")[2].split())


def test_it_imports_nothing_heavy() -> None:
    modules = modules_after(f"import {', '.join((*FIRST_PAGE, PREPARED))}")
    assert PREPARED in modules
    assert modules.isdisjoint(NOT_TO_IMPORT)


def test_its_numbers_need_nothing_heavy(stores: dict[str, Path]) -> None:
    settings = settings_of(stores["calibrated"])
    store = {"HCAT_DATABASE_URL": settings.database_url, "HCAT_ARTIFACTS": settings.artifacts}
    modules = modules_after(f"import {PREPARED} as it; it.prepare_overview()", **store)
    assert "scipy.special" in modules  # numbers were computed
    assert modules.isdisjoint(NOT_TO_COMPUTE_WITH)


def test_what_is_prepared_is_what_the_page_asks_for(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not open_page("overview", "calibrated").exception

    def computed_again(*_: object, **__: object) -> None:
        raise AssertionError("the page did not ask for this")

    monkeypatch.setattr(labels, "labels_by_kind", computed_again)
    monkeypatch.setattr(slices, "compare_slices", computed_again)
    prepare_overview()


def test_an_empty_store_has_nothing_to_prepare(open_page: OpenPage) -> None:
    assert not open_page("overview", "empty").exception
    prepare_overview()
