"""Stores in the states that a validator meets, made once and copied for each test, and the app on one of them."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import streamlit as st
from numpy.typing import NDArray
from streamlit.components.v2 import manifest_scanner
from streamlit.source_util import PageInfo
from streamlit.testing.v1 import AppTest

from hcat.core.models.nli.entailment import EntailmentResult, Pair
from hcat.core.settings import ROOT, Settings, settings
from hcat.core.workspace import Workspace
from tests.pages.small_project import add_project, add_results, add_run

OpenPage = Callable[..., AppTest]
Step = Callable[[Workspace], object]


class WordEncoder:
    """Unit vectors that depend on the words of a text: quick, and the same everywhere."""

    name, revision, dimension = "words", "0" * 64, 24

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self._row(text) for text in texts])

    def _row(self, text: str) -> NDArray[np.float32]:
        words = [hashlib.sha256(word.encode()).digest() for word in text.lower().split()]
        row = np.mean([np.frombuffer(word[:24], dtype=np.uint8) - 127.5 for word in words], axis=0)
        return np.asarray(row / np.linalg.norm(row), dtype=np.float32)


class WordEntailment:
    """A premise entails a hypothesis of which it holds most words."""

    name, revision, pieces = "words", "1" * 64, 256

    def entail(self, pairs: Sequence[Pair]) -> EntailmentResult:
        return EntailmentResult.of(np.array([self._distance(*pair) for pair in pairs], dtype=np.float64))

    def _distance(self, premise: str, hypothesis: str) -> float:
        held, said = set(premise.lower().split()), hypothesis.lower().split()
        return 6.0 * sum(word in held for word in said) / max(len(said), 1) - 4.0


ENCODER, ENTAILMENT = WordEncoder(), WordEntailment()


@contextmanager
def word_models() -> Iterator[None]:
    """The quick models in place of the real ones, and nowhere but here: tests elsewhere load the real ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hcat.core.models.encoder.encoder.load_encoder", lambda name="default", *, device="cpu": ENCODER)
        patch.setattr(
            "hcat.core.models.nli.loading.load_entailment", lambda name="default", *, device="cpu": ENTAILMENT
        )
        yield


@pytest.fixture(autouse=True)
def quick_models() -> Iterator[None]:
    with word_models():
        yield


@pytest.fixture(scope="session", autouse=True)
def components_looked_for_once() -> Iterator[None]:
    """Else each app reads the metadata of every installed package, which takes longer than most pages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture(scope="session")
def stores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One folder a state, each the one before and a step more."""
    folder = tmp_path_factory.mktemp("stores")
    found: dict[str, Path] = {}
    before: str | None = None
    for state, step in STEPS.items():
        add_store(found, folder / state, state, step, before=before)
        before = state
    return found


def add_store(stores: dict[str, Path], folder: Path, state: str, step: Step, *, before: str | None) -> None:
    """One more store: what `step` makes of a copy of the one in the state `before`."""
    if before is not None:
        shutil.copytree(stores[before], folder)
    folder.mkdir(exist_ok=True)
    with word_models():
        workspace = Workspace.open(settings_of(folder))
        step(workspace)
        workspace.close()
    stores[state] = folder


def settings_of(folder: Path) -> Settings:
    return Settings(database_url=f"sqlite:///{folder / 'hcat.db'}", artifacts=str(folder / "artifacts"))


STEPS: dict[str, Step] = {
    "empty": lambda workspace: None,
    "no run": add_project,
    "unscored": add_run,
    "calibrated": lambda workspace: add_results(workspace, workspace.runs.all("Harbour Bank assistant")[0]),
}


@pytest.fixture(scope="session")
def addresses(tmp_path_factory: pytest.TempPathFactory) -> dict[str, PageInfo]:
    """The app's pages by their address, as its first run registers them; that run draws the empty overview."""
    with pytest.MonkeyPatch.context() as patch:
        _work_on(tmp_path_factory.mktemp("addresses"), patch)
        app = _app().run()
        _forget()
        return app._registered_pages


@pytest.fixture
def open_page(
    stores: dict[str, Path], addresses: dict[str, PageInfo], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[OpenPage]:
    """Opens a page of the app by its address on a copy of the store in a state, as the browser would."""
    folder = tmp_path / "store"

    def opened(name: str, state: str, **query: str) -> AppTest:
        shutil.copytree(stores[state], folder)
        _work_on(folder, monkeypatch)
        app = _app()
        app._registered_pages = addresses  # else the overview has to be drawn first
        app.query_params.update(query)
        return app.switch_page(f"../pages/{name}.py").run()

    yield opened
    _forget()


def _app() -> AppTest:
    return AppTest.from_file(str(ROOT / "dashboard" / "app.py"), default_timeout=120)


def _work_on(folder: Path, patch: pytest.MonkeyPatch) -> None:
    store = settings_of(folder)
    patch.setenv("HCAT_DATABASE_URL", store.database_url)
    patch.setenv("HCAT_ARTIFACTS", store.artifacts)
    _forget()


def _forget() -> None:
    """Settings, workspace and caches belong to one store; a component to one app."""
    settings.cache_clear()
    st.cache_resource.clear()
    st.cache_data.clear()
