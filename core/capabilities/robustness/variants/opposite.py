"""The question turned into its opposite: the answer must change."""

from __future__ import annotations

import numpy as np

from hcat.core.capabilities.robustness.variants.family import Change, Family, Origin
from hcat.core.capabilities.robustness.variants.sentence import Edit
from hcat.core.capabilities.robustness.variants.word_choices import cased_like, phrase_edits

_PAIRS = (
    ("largest", "smallest"), ("biggest", "smallest"), ("highest", "lowest"), ("maximum", "minimum"),
    ("longest", "shortest"), ("earliest", "latest"), ("oldest", "youngest"), ("at most", "at least"),
    ("the most", "the least"), ("cheapest", "most expensive"), ("fastest", "slowest"), ("furthest", "nearest"),
)  # fmt: skip
_OPPOSITES = {right: (left,) for left, right in reversed(_PAIRS)} | {left: (right,) for left, right in _PAIRS}


def opposite(origin: Origin, strength: float, rng: np.random.Generator) -> Change | None:  # noqa: ARG001  not graded
    """Replace the one superlative of the query by its opposite."""
    edits = phrase_edits(origin.query, _OPPOSITES, rng)
    if len(edits) != 1:
        return None  # two turned at once may ask the same again
    edit = edits[0]
    written = origin.query.text[edit.start : edit.end]
    return Change(origin.query.edited([Edit(edit.start, edit.end, cased_like(written, edit.text))]))


OPPOSITE = Family(
    name="opposite",
    title="Opposite question",
    kind="adversarial",
    expectation="change",
    strength="not graded",
    needs="exactly one word such as largest, minimum or at most",
    description="“Largest” becomes “smallest”, “at most” becomes “at least”: the old answer is wrong now.",
    make=opposite,
    is_graded=False,
)
