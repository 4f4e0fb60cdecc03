"""Stage 2 for ordered levels: prediction sets without gaps."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Floats
from hcat.core.errors import HcatError


def path_nonconformity(probabilities: ArrayLike) -> Floats:
    """The nonconformity of each level, (n, levels): 1 − the least probability between it and the most probable level.

    It never decreases away from the most probable level, so that the levels below any threshold are contiguous. For two
    levels, or if probabilities fall on both sides of their peak, it is 1 − p(y|x). HCAT 5.2, step 1."""
    p = np.asarray(probabilities, dtype=np.float64)
    if p.ndim != 2 or np.isnan(p).any():
        raise HcatError("probabilities must be a table of levels; leave out unscored samples")
    peak = p.argmax(axis=1)[:, None]
    level = np.arange(p.shape[1])
    upward = np.minimum.accumulate(np.where(level >= peak, p, np.inf), axis=1)
    downward = np.minimum.accumulate(np.where(level <= peak, p, np.inf)[:, ::-1], axis=1)[:, ::-1]
    return 1 - np.where(level >= peak, upward, downward)
