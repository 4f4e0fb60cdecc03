"""Components of our own, each registered once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


@st.cache_resource(show_spinner=False)
def component(name: str, *, js: Sequence[Path], css: Sequence[Path] = ()) -> ComponentRenderer:
    """A component of our own from these files, registered once."""
    code, style = ("".join(path.read_text("utf-8") for path in paths) for paths in (js, css))
    return st.components.v2.component(name, js=code, css=style or None)
