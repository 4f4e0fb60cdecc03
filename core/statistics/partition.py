"""Which third of the labels a test case serves: fitting, conformal threshold, or checking. Never two of them."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

Split = Literal["fit", "conformal", "check"]
SPLITS: tuple[Split, ...] = get_args(Split)
SHARES: dict[Split, float] = {"fit": 0.4, "conformal": 0.3, "check": 0.3}


# A live calibration asks for the same thousands of samples after every label.
@lru_cache(maxsize=100_000)
def assign_split(key: str, *, salt: str = "hcat") -> Split:
    """The split of a test case, or of a sample that is its own, from a hash of its id: one more label never moves
    another one, and trials of one test case serve the same purpose.

    SHA-256 of the salt and the key gives a number that is uniform in [0, 1): below 0.4 fits the map, below 0.7 sets
    the conformal threshold, the rest measures coverage.
    """
    digest = hashlib.sha256(f"{salt}\0{key}".encode("utf-8", "surrogatepass")).digest()
    position = int.from_bytes(digest[:8], "big") / 2**64
    if position < SHARES["fit"]:
        return "fit"
    return "conformal" if position < SHARES["fit"] + SHARES["conformal"] else "check"


def assign_splits(keys: NDArray[np.object_]) -> NDArray[np.intp]:
    """The splits of keys (n,), each by its place in `SPLITS`."""
    return np.fromiter(map(_PLACES.__getitem__, map(assign_split, keys.tolist())), dtype=np.intp, count=len(keys))


_PLACES: dict[Split, int] = {split: place for place, split in enumerate(SPLITS)}
