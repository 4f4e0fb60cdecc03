"""Names of levels on axes: short enough to fit, never two alike."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable


def short_labels(levels: Iterable[str], *, most: int) -> dict[str, str]:
    """Each level on one line of at most `most` characters.

    Levels that would then read alike are shortened in the middle, and numbered if they still do."""
    whole = list(dict.fromkeys(levels))
    single = {level: " ".join(level.split()) for level in whole}
    labels = {level: _cut_end(text, most) for level, text in single.items()}
    labels |= {level: _cut_middle(single[level], most) for level in _alike(labels)}
    for number, level in enumerate(_alike(labels), start=1):
        labels[level] = f"{_cut_end(labels[level], most - 4)} #{number}"
    return labels


def lines_of(label: str, *, width: int) -> list[str]:
    """A label on several lines, broken between words."""
    return textwrap.wrap(label, width, break_long_words=False, break_on_hyphens=False) or [" "]


def _alike(labels: dict[str, str]) -> list[str]:
    counts = Counter(labels.values())
    return [level for level, text in labels.items() if counts[text] > 1]


def _cut_end(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _cut_middle(text: str, most: int) -> str:
    end = (most - 1) // 2
    return text if len(text) <= most else text[: most - 1 - end] + "…" + text[-end:]
