"""The page Samples opens no model by itself: it says what an explanation takes, and asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pytest
from numpy.typing import NDArray
from streamlit.testing.v1 import AppTest

from hcat.core.models.encoder.sentence_encoder import SentenceEncoder
from hcat.dashboard.capabilities.samples.explanation import NOT_OPENED
from hcat.dashboard.capabilities.samples.sample import ANY
from tests.pages.conftest import ENCODER, OpenPage
from tests.pages.test_pages import assert_sound, shown

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


def never() -> SentenceTransformer:
    raise AssertionError("no model is opened here")


class ReadLater(SentenceEncoder):
    """An encoder that is not open, and which counts the texts that it has read."""

    def __init__(self, revision: str) -> None:
        super().__init__(never, name="later", revision=revision, dimension=ENCODER.dimension)
        self.read = 0

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.read += len(texts)
        return ENCODER.encode(texts)


def with_encoder(revision: str, patch: pytest.MonkeyPatch) -> ReadLater:
    encoder = ReadLater(revision)
    patch.setattr("hcat.core.models.encoder.encoder.load_encoder", lambda name="default", *, device="cpu": encoder)
    return encoder


def captions(app: AppTest) -> list[str]:
    return [caption.value for caption in app.caption]


def test_whoever_asks_for_an_explanation_opens_the_model(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = with_encoder("8" * 64, monkeypatch)
    app = open_page("samples", "calibrated", metric="groundedness", sample="s01")
    assert_sound(app)
    assert "Groundedness: " in shown(app)
    assert NOT_OPENED in captions(app)
    for view in ("Transport plan", ANY):
        app.button_group(key="explain").set_value(view).run()
        assert_sound(app)
        assert NOT_OPENED in captions(app)
    assert encoder.read == 0
    app.button(key="explain-score").click().run()
    assert_sound(app)
    assert encoder.read > 0
    assert NOT_OPENED not in captions(app)


def test_stored_vectors_take_no_model(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = with_encoder(ENCODER.revision, monkeypatch)
    app = open_page("samples", "calibrated", metric="groundedness", sample="s01")
    assert_sound(app)
    assert (encoder.read, NOT_OPENED in captions(app)) == (0, False)
