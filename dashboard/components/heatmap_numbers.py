"""The numbers in the cells of a heatmap follow the room that a page has for it: smaller, then without n, then none.

How wide a browser draws a chart is not known here: each step is a rule of style that holds below some width.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from hcat.core.records.hashing import sha256_of_text
from hcat.dashboard.charts.heatmap import TEXT_SIZE, CellRoom

SMALLER, SMALLEST = 10, 9
"""Pixels. Smaller digits are hard to read."""
WITHOUT_N = "The cells are too narrow for n here: point at one to see it, or turn on “As a table”."
WITHOUT_NUMBERS = "The cells are too narrow for numbers here: point at one to see them, or turn on “As a table”."


@contextmanager
def fitted_numbers(room: CellRoom, *, key: str) -> Iterator[None]:
    """A place for one heatmap; where numbers are left out, a line above it says so."""
    name = f"cells-{sha256_of_text(key)[:12]}"  # keys hold names of people's own
    with st.container(key=name, gap=None):
        st.html(f"<style>{_rules(f'.st-key-{name}', room)}</style>")
        st.html(f'<p class="without-n">{WITHOUT_N}</p><p class="without-numbers">{WITHOUT_NUMBERS}</p>')
        yield


def _rules(place: str, room: CellRoom) -> str:
    """Below each width numbers would touch by the rules before it."""
    texts, notes = f"{place} .textpoint text", [f"{place} .without-n", f"{place} .without-numbers"]
    of_n = f"{texts} .line + .line,{texts}:not(:has(.line))"
    shown, gone = "{display:block;margin:0;font-size:0.875rem}", "{display:none}"
    steps = [
        (room.for_values_and_n(TEXT_SIZE), texts + _size(SMALLER)),
        (room.for_values_and_n(SMALLER), texts + _size(SMALLEST)),
        (
            room.for_values_and_n(SMALLEST),
            f"{texts}{_size(TEXT_SIZE)}{of_n}{gone}{texts}:has(.line){{translate:0 0.65em}}{notes[0]}{shown}",
        ),
        (room.for_values(TEXT_SIZE), texts + _size(SMALLEST)),
        (room.for_values(SMALLEST), f"{texts},{notes[0]}{gone}{notes[1]}{shown}"),
    ]
    told = "".join(f"@container (max-width:{width:.0f}px){{{rules}}}" for width, rules in steps)
    return f"{place}{{container-type:inline-size}}{','.join(notes)}{gone}{told}"


def _size(pixels: int) -> str:
    return f"{{font-size:{pixels}px !important}}"
