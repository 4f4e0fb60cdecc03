"""What a server process does once, behind the first page: it loads what it will keep."""

from __future__ import annotations

import gc

from core.models.encoder.encoder import load_encoder
from core.settings import Settings

AFTER_FIRST_PAGE = 3.0
"""Seconds for which the encoder waits, so that the browser can draw what the first page sent."""


def preload_models(settings: Settings) -> None:
    """The encoder, and with it the libraries that bring most objects.

    Streamlit looks for garbage among all objects after every redraw. What stays anyway is taken out of that search,
    which would else hold each label up by some tenths of a second.
    """
    load_encoder(settings.embedder, device=settings.device)
    gc.collect()
    gc.freeze()
