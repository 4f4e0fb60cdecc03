"""One sample side by side: query and reference, contexts, answer. Uploaded text only ever becomes text nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from hcat.core.labelling.label_details import EvidenceSpan
from hcat.core.types import JsonValue, Sample
from hcat.dashboard.components.sample_view.blocks import blocks
from hcat.dashboard.components.sample_view.evidence import from_marks, to_marks
from hcat.dashboard.loaders.component import component

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

FOLDER = Path(__file__).parent


def _sample_view() -> ComponentRenderer:
    return component(
        "hcat_sample_view",
        js=(FOLDER / "texts.js", FOLDER / "view.js", FOLDER / "evidence.js"),
        css=(FOLDER / "view.css",),
    )


def explained_view(sample: Sample, explanation: dict[str, JsonValue], *, legend: str, dark: bool, key: str) -> None:
    """The sample with the scored sentences coloured, each linked to its best match (hover, click, or Enter)."""
    _sample_view()(data={"legend": legend, "blocks": blocks(sample, explanation, dark=dark)}, key=key)


def blind_view(
    sample: Sample,
    *,
    key: str,
    marked: Sequence[EvidenceSpan] = (),
    reference: bool = True,
) -> None:
    """The sample without scores and without ids, its own and its passages', in which words can be marked as evidence.

    `marked` are the marks to begin with; `marked_in` gives those that there are.
    """
    _sample_view()(
        data={
            "legend": "",
            "blocks": blocks(sample, None, dark=False, reference=reference),
            "evidence": {"item": key, "marks": to_marks(sample, marked)},
        },
        key=key,
        on_marks_change=lambda: None,
    )


def marked_in(sample: Sample, *, key: str, marked: Sequence[EvidenceSpan] = ()) -> tuple[EvidenceSpan, ...]:
    """The spans marked in the blind view with this key; `marked` if nobody changed them."""
    state = st.session_state.get(key)
    changed = state.get("marks") if isinstance(state, Mapping) else None
    return tuple(marked) if changed is None else from_marks(sample, changed)
