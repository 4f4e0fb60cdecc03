"""Estimates on screen: the value large, its interval and n right below, never without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from hcat.dashboard.components.glossary import with_terms_of

CARD = 184
"""The width of a card, in pixels."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with what is said below it and what it means."""

    title: str
    value: str
    below: str
    meaning: str


def estimate_figure(title: str, text: str, meaning: str) -> Figure:
    """A figure from `format_estimate`'s text: the value, then interval and n."""
    separator = " [" if " [" in text else ", "
    value, _, rest = text.partition(separator)
    return Figure(title, value, f"[{rest}" if separator == " [" else rest, meaning)


def figures(cells: Sequence[Figure], *, columns: int = 4) -> None:
    """Figures side by side, `columns` in a row."""
    for start in range(0, len(cells), columns):
        for place, cell in zip(st.columns(columns), cells[start : start + columns], strict=False):
            with place:
                _figure(cell)


def figure_cards(cells: Sequence[Figure]) -> None:
    """Figures as cards, as many in a row as there is room for."""
    with st.container(horizontal=True):
        for cell in cells:
            _figure(cell, border=True, width=CARD)


def _figure(cell: Figure, *, border: bool = False, width: int | Literal["stretch"] = "stretch") -> None:
    st.metric(
        cell.title,
        cell.value,
        delta=cell.below or None,
        delta_color="off",
        delta_arrow="off",
        help=with_terms_of(cell.title, cell.meaning) or None,
        border=border,
        width=width,
    )
