"""The sampling frame of test cases: each testable passage of a corpus with its level of every dimension."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from hcat.core.capabilities.test_sets.allocation import Levels
from hcat.core.errors import HcatError
from hcat.core.records.passages import CorpusPassage

DIMENSIONS = ("topic", "document", "heading", "length")
"""Dimensions by which passages can be stratified. The heading is the outermost one, the length a tertile of the number
of words."""

NO_HEADING = "(no heading)"
_LENGTHS = ("short", "medium", "long")

LEAST_WORDS = 5
"""Passages with fewer words have no content to ask for, such as "Area: cards" under a heading."""
TOO_SHORT = f"it has fewer than {LEAST_WORDS} words"


def is_testable(text: str) -> bool:
    """Whether a test case could be answered from a passage with this text."""
    return len(text.split()) >= LEAST_WORDS


@dataclass(frozen=True, slots=True)
class Frame:
    """The strata of the testable passages, by passage id, and the reason for each passage that was `left_out`."""

    strata: Mapping[str, Levels]
    left_out: Mapping[str, str] = field(default_factory=dict)


def frame_of(passages: Iterable[CorpusPassage], *, by: Sequence[str], topics: Mapping[str, str] | None = None) -> Frame:
    """The levels of each passage in the dimensions `by`; `topics` gives the topic of each. Passages that can't be
    tested are left out.

    Passages are read once, and their texts are not stored. Raises HcatError for an unknown or repeated dimension, a
    passage without a topic, and if no passage can be tested."""
    names = tuple(by)
    unknown = next((name for name in names if name not in DIMENSIONS), None)
    if unknown is not None or not names or len(set(names)) < len(names):
        what = "name each dimension once" if unknown is None else f"no dimension {unknown!r} of passages"
        raise HcatError(f"{what}: choose among {', '.join(DIMENSIONS)}")
    if "topic" in names and topics is None:
        raise HcatError("strata by topic take the topics of the passages: find them with `hcat topics` first")
    rows: dict[str, list[str]] = {}
    left_out: dict[str, str] = {}
    for passage in passages:
        if is_testable(passage.text):
            rows[passage.id] = _row(passage, names, topics or {})
        else:
            left_out[passage.id] = TOO_SHORT
    if not rows:
        why = f": every one has fewer than {LEAST_WORDS} words" if left_out else ""
        raise HcatError(f"there is no passage to draw from{why}")
    if "length" in names:
        _bin_lengths(rows, names.index("length"))
    return Frame({name: tuple(levels) for name, levels in rows.items()}, left_out)


def _row(passage: CorpusPassage, names: Sequence[str], topics: Mapping[str, str]) -> list[str]:
    if "topic" in names and passage.id not in topics:
        raise HcatError(f"passage {passage.id!r} has no topic: find the topics of these passages again")
    level = {
        "topic": topics.get(passage.id, ""),
        "document": passage.document,
        "heading": passage.heading[0] if passage.heading else NO_HEADING,
    }
    return [level[name] if name in level else str(len(passage.text.split())) for name in names]


def _bin_lengths(rows: Mapping[str, list[str]], place: int) -> None:
    """Replace each length by its tertile."""
    words = np.array([int(levels[place]) for levels in rows.values()])
    thirds = np.searchsorted(np.quantile(words, [1 / 3, 2 / 3]), words, side="left")
    for levels, third in zip(rows.values(), thirds.tolist(), strict=True):
        levels[place] = _LENGTHS[third]
