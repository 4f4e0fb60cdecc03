"""What a server process does once, behind the first page: it loads what it will keep."""

from __future__ import annotations

from core.models.encoder.encoder import load_encoder
from core.settings import Settings
from dashboard.garbage import frozen_objects

AFTER_FIRST_PAGE = 3.0
"""Seconds for which the encoder waits, so that the browser can draw what the first page sent."""


def preload_models(settings: Settings) -> None:
    """The encoder, and with it the libraries that bring most objects."""
    with frozen_objects():
        load_encoder(settings.embedder, device=settings.device)
