"""The frame that test cases are drawn from: each passage of a corpus with its level of every dimension."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from core.errors import HcatError
from core.testgen.allocation import Levels
from core.testgen.passages import CorpusPassage

DIMENSIONS = ("topic", "document", "heading", "length")
"""What passages can be divided by. The heading is the outermost one, the length a third of the passages by words."""

NO_HEADING = "(no heading)"
_LENGTHS = ("short", "medium", "long")


def strata_of(
    passages: Iterable[CorpusPassage], *, by: Sequence[str], topics: Mapping[str, str] | None = None
) -> dict[str, Levels]:
    """The levels of each passage in the dimensions `by`, by its id; `topics` names the topic of each.

    Passages are read once, and their texts not kept. HcatError for an unknown dimension, twice the same, or a passage
    without a topic.
    """
    names = tuple(by)
    unknown = next((name for name in names if name not in DIMENSIONS), None)
    if unknown is not None or not names or len(set(names)) < len(names):
        what = "name each dimension once" if unknown is None else f"no dimension {unknown!r} of passages"
        raise HcatError(f"{what}: choose among {', '.join(DIMENSIONS)}")
    if "topic" in names and topics is None:
        raise HcatError("strata by topic take the topics of the passages: find them with `hcat topics` first")
    rows = {passage.id: _row(passage, names, topics or {}) for passage in passages}
    if not rows:
        raise HcatError("there is no passage to draw from")
    if "length" in names:
        _bin_lengths(rows, names.index("length"))
    return {name: tuple(levels) for name, levels in rows.items()}


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
    """Put in the place of each length its third: cut at the tertiles."""
    words = np.array([int(levels[place]) for levels in rows.values()])
    thirds = np.searchsorted(np.quantile(words, [1 / 3, 2 / 3]), words, side="left")
    for levels, third in zip(rows.values(), thirds.tolist(), strict=True):
        levels[place] = _LENGTHS[third]
