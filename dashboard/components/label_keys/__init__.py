"""Keys of the labelling card in the order in which they were pressed, none lost, and the effect of the last one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import streamlit as st

from hcat.dashboard.components.refresh import IDLE
from hcat.dashboard.loaders.component import component

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

FOLDER = Path(__file__).parent
TURN = "label-keys-turn"
"""In the session: how often the card was drawn."""
ANSWERED = "label-keys-answered"
"""In the session: the last question of the keys whether their press arrived. What is drawn after it is the answer."""
KEY = "label-keys"


@dataclass(frozen=True, slots=True)
class KeyTarget:
    """The effect of a key: "press" the button with the Streamlit key `element` and wait until the card is redrawn,
    "open" a popover, or "enter" a field."""

    element: str
    does: Literal["press", "open", "enter"] = "press"


def label_keys(targets: Mapping[str, KeyTarget], *, item: str, pressed: int, said: str, failed: bool) -> None:
    """Bind the keys to what is on the card, and say what the last one did, aloud to screen readers too.

    To be drawn after the card. A key that is pressed while the server is at work waits until the card is drawn, and
    then acts on it. It is shown meanwhile, and Escape drops it. `item` names what is on the card, `pressed` counts the
    buttons of the card that were pressed so far; after a failure (`failed`) keys that wait are dropped.

    If a press is not answered, the keys request the card again, and then know from `pressed` whether to press again. A
    press is neither lost nor handled twice, however busy the machine is.
    """
    st.session_state[TURN] = st.session_state.get(TURN, 0) + 1
    _renderer()(
        data={
            "keys": {key: {"css": _css_class(target.element), "does": target.does} for key, target in targets.items()},
            "item": item,
            "pressed": pressed,
            "said": said,
            "failed": failed,
            "answered": st.session_state.get(ANSWERED, ""),
            "turn": st.session_state[TURN],
        },
        key=KEY,
        on_question_change=_answer,
    )


def _answer() -> None:
    st.session_state[ANSWERED] = st.session_state[KEY].question


def _renderer() -> ComponentRenderer:
    return component("hcat_label_keys", js=(IDLE, FOLDER / "keys.js"), css=(FOLDER / "keys.css",))


def _css_class(key: str) -> str:
    """The class that Streamlit gives to the element with this key."""
    return "st-key-" + re.sub(r"[^a-zA-Z0-9_-]", "-", key.strip())
