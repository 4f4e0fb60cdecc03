"""Bringing up to date, from one part of a page, what follows from it in others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


@st.cache_resource(show_spinner=False)
def _component() -> ComponentRenderer:
    return st.components.v2.component("hcat_follow", js=Path(__file__).with_suffix(".js").read_text("utf-8"))


def follow(changes: int, buttons: Sequence[str], *, pause: float, key: str) -> None:
    """Press the buttons with these keys, as a person would, `pause` seconds after the number of changes grew.

    What comes first on its part of the page presses first: the buttons' parts are drawn right after its own. A key that
    comes while they are at work waits for them.
    """
    _component()(
        data={
            "settle": str(changes) if changes else "",
            "buttons": ", ".join(f".st-key-{button} button" for button in buttons),
            "pause": 1000 * pause,
        },
        key=key,
    )
