"""Assigns clusters to splits and folds by hashes: a new label moves no other, and a cluster stays in one part."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Ints, Names

Split = Literal["fit", "conformal", "check"]
SPLITS: tuple[Split, ...] = get_args(Split)
SHARES: dict[Split, float] = {"fit": 0.4, "conformal": 0.3, "check": 0.3}
"""The shares of labels that fit the map, set the conformal threshold, and check: each label is in one of them only."""

FOLDS = 5
_OF_FOLDS = "hcat-fold"


def assign_split(key: str, *, salt: str = "hcat") -> Split:
    """The split of a cluster, such as a sample that is independent of the others, from a hash of its id.

    SHA-256 of the salt and the key gives a number that is uniform in [0, 1): below 0.4 fits the map, below 0.7 sets the
    conformal threshold, the rest measures coverage."""
    position = _first_64_bits(_digest(key, salt)) / 2**64
    if position < SHARES["fit"]:
        return "fit"
    return "conformal" if position < SHARES["fit"] + SHARES["conformal"] else "check"


def assign_splits(keys: Names) -> Ints:
    """The splits of keys (n,), each by its index in `SPLITS`. Results for keys seen in the last call are reused."""
    if len(_SPLIT_OF) > _MOST_KEPT:
        _SPLIT_OF.clear()
    names, (before, splits) = keys.tolist(), _last["asked"]
    if names[: len(before)] != before:
        before, splits = [], np.zeros(0, dtype=np.intp)
    added = names[len(before) :]
    places = np.fromiter(map(_SPLIT_OF.__getitem__, added), dtype=np.intp, count=len(added))
    assigned = np.concatenate([splits, places])
    _last["asked"] = (names, assigned)
    return assigned.copy()


def assign_fold(key: str, *, folds: int = FOLDS, salt: str = _OF_FOLDS) -> int:
    """The fold of a cluster, 0 to folds − 1, from the SHA-256 of the salt and its key."""
    return _first_64_bits(_digest(key, salt)) * folds >> 64


@lru_cache(maxsize=16)
def assign_folds(keys: tuple[str, ...], *, folds: int = FOLDS) -> Ints:
    """The folds (N,) of keys, cached for the next label on the same run. Callers must not modify the array."""
    salt, sha256 = f"{_OF_FOLDS}\0".encode(), hashlib.sha256
    # `_digest` of each, without a function call for each of a million keys.
    first = b"".join([sha256(salt + key.encode("utf-8", "surrogatepass")).digest()[:8] for key in keys])
    high, low = np.divmod(np.frombuffer(first, dtype=">u8").astype(np.uint64), 1 << 32)
    # `assign_fold` for all at once, in halves of 32 bits, since the product has more than 64.
    assigned: Ints = ((high * folds + (low * folds >> 32)) >> 32).astype(np.intp)
    assigned.flags.writeable = False
    return assigned


def grouped_folds(groups: ArrayLike, passed: ArrayLike, *, folds: int, salt: str = "hcat-cv") -> Ints:
    """The fold of each label (n,), 0 to folds − 1: whole groups, assigned in the order of a hash.

    Groups are first ordered by their share of passes, so that passes and fails are balanced over folds. The hash is
    SHA-256 of the salt and the group: other salts give other folds, equal inputs the same ones."""
    names, group_of = np.unique(np.asarray(groups, dtype=np.str_), return_inverse=True)
    counts = np.bincount(group_of)
    share = np.bincount(group_of, weights=np.asarray(passed, dtype=np.float64)) / counts
    digests = [_digest(name, salt) for name in names.tolist()]
    order = sorted(range(len(names)), key=lambda group: (share[group] >= 0.5, digests[group]))
    fold_of_group = np.empty(len(names), dtype=np.intp)
    fold_of_group[order] = np.arange(len(names)) % folds
    return fold_of_group[group_of]


def _digest(key: str, salt: str) -> bytes:
    return hashlib.sha256(f"{salt}\0{key}".encode("utf-8", "surrogatepass")).digest()


def _first_64_bits(digest: bytes) -> int:
    return int.from_bytes(digest[:8], "big")


class _SplitOf(dict[str, int]):
    """A cache of each key's index in `SPLITS`: a live calibration needs the same thousands of samples after every
    label."""

    def __missing__(self, key: str) -> int:
        place = self[key] = SPLITS.index(assign_split(key))
        return place


_MOST_KEPT = 100_000
_SPLIT_OF = _SplitOf()
_last: dict[str, tuple[list[str], Ints]] = {"asked": ([], np.zeros(0, dtype=np.intp))}
