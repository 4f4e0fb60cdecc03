"""Prediction sets over any number of levels: each level's nonconformity, and the decision of a set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hcat.core.arrays import Bools, Floats
from hcat.core.calibration.conformal.ordinal_sets import path_nonconformity
from hcat.core.calibration.maps.methods import LevelMap, ProbabilityMap
from hcat.core.refusals.state import REFUSALS, TITLES, AnswerState

if TYPE_CHECKING:
    import pandas as pd


EMPTY, BOTH = "undecided (empty)", "undecided (both)"
UNSCORED = "unscored"


def level_table(fitted: ProbabilityMap, X: ArrayLike) -> Floats:
    """The probability of each level, (n, levels); of fail and pass for a map that has only these two."""
    if isinstance(fitted, LevelMap):
        return fitted.level_probabilities(X)
    p = fitted.probability(X)
    return np.column_stack([1 - p, p])


def nonconformity_table(fitted: ProbabilityMap, X: ArrayLike, *, contiguous: bool = False) -> Floats:
    """The nonconformity of each level, (n, levels): a level is in the set if it is at most q̂.

    1 − p(level|x), and for sets without gaps 1 − the least p between it and the most probable level (HCAT 5.2). NaN if
    the map gives no probability."""
    if not isinstance(fitted, LevelMap):
        p = fitted.probability(X)
        # As `nonconformity` computes it: a sample that itself set the threshold stays covered.
        return np.column_stack([p, 1 - p])
    probabilities = fitted.level_probabilities(X)
    if not contiguous:
        return 1 - probabilities
    table = np.full_like(probabilities, np.nan)
    scored = ~np.isnan(probabilities).any(axis=1)
    if scored.any():
        table[scored] = path_nonconformity(probabilities[scored])
    return table


def decisions(sets: Bools, *, passing: int) -> NDArray[np.object_]:
    """The decision of each set (n, levels): pass or fail if all its levels are on one side of `passing`, else
    undecided.

    An undecided set contains levels of both sides or none."""
    fails, passes = sets[:, :passing].any(axis=1), sets[:, passing:].any(axis=1)
    words = np.array([EMPTY, "pass", "fail", BOTH], dtype=object)
    return words[2 * fails.astype(np.intp) + passes]


def decision_title(decision: str) -> str:
    """The title of a decision for display."""
    titles: dict[str, str] = {state: TITLES[state] for state in REFUSALS}
    return titles.get(decision, decision)


def prediction_table(
    sample_ids: Sequence[str],
    probability: Floats,
    sets: Bools,
    *,
    passing: int,
    levels: tuple[Sequence[str], Floats] | None,
    reasons: Sequence[str | None] | None,
    refusals: Sequence[AnswerState | None],
) -> pd.DataFrame:
    """The rows of `Calibration.predict`, from probabilities of a pass (n,) and sets (n, levels).

    `levels` are names and probabilities (n, levels) if they are other than fail and pass; `reasons` (n,) say why a
    sample gets the full set. A sample without a probability is unscored, unless `refusals` (n,) say that its answer
    declines: that is then the decision."""
    import pandas as pd

    unscored = np.isnan(probability)
    decision = decisions(sets, passing=passing)
    decision[unscored] = [state or UNSCORED for state, without in zip(refusals, unscored, strict=True) if without]
    names, chances = (("0", "1"), ()) if levels is None else (levels[0], levels[1].T)
    return pd.DataFrame(
        {
            "sample_id": pd.Series(list(sample_ids), dtype="str"),
            "probability": probability,
            **{f"p_{name}": chance for name, chance in zip(names, chances, strict=False)},
            **{
                f"in_{name}": pd.Series(held, dtype="boolean").mask(unscored)
                for name, held in zip(names, sets.T, strict=True)
            },
            "decision": pd.Series(decision, dtype="str"),
            **({} if reasons is None else {"reason": pd.Series(list(reasons), dtype="str").mask(unscored)}),
        }
    )
