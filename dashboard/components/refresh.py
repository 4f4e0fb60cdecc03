"""Refreshing, from one part of a page, the other parts that depend on it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hcat.dashboard.loaders.component import component

SCRIPT = Path(__file__).with_suffix(".js")
IDLE = Path(__file__).with_name("idle.js")
"""Script that reports whether the server is idle, for scripts that press buttons."""


def trigger_refresh(changes: int, buttons: Sequence[str], *, pause: float, key: str) -> None:
    """Press the buttons with these keys, as a person would, `pause` seconds after the number of changes grew and when
    the part of the page that contains it is drawn.

    A key that comes while the buttons' parts are drawn waits for them.
    """
    component("hcat_follow", js=(IDLE, SCRIPT))(
        data={
            "settle": str(changes) if changes else "",
            "buttons": ", ".join(f".st-key-{button} button" for button in buttons),
            "pause": 1000 * pause,
        },
        key=key,
    )
