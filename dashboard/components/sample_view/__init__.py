"""One sample side by side: query and reference, contexts, answer. Uploaded text only ever becomes text nodes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from core.types import JsonValue, Sample
from dashboard.components.sample_view.blocks import blocks

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

FOLDER = Path(__file__).parent


@st.cache_resource(show_spinner=False)
def _component() -> ComponentRenderer:
    return st.components.v2.component(
        "hcat_sample_view",
        js=(FOLDER / "view.js").read_text("utf-8"),
        css=(FOLDER / "view.css").read_text("utf-8"),
    )


def explained_view(sample: Sample, explanation: dict[str, JsonValue], *, legend: str, dark: bool, key: str) -> None:
    """The sample with the scored sentences coloured, each linked to its best match (hover, click, or Enter)."""
    _component()(data={"legend": legend, "blocks": blocks(sample, explanation, dark=dark)}, key=key)


def blind_view(sample: Sample, *, key: str) -> None:
    """The sample without any score, retrieval score, id or name."""
    _component()(data={"legend": "", "blocks": blocks(sample, None, dark=False)}, key=key)
