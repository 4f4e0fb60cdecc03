"""Folds of labels for cross-validation, in which trials of one test case stay together."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import ArrayLike, NDArray


def grouped_folds(groups: ArrayLike, passed: ArrayLike, *, folds: int, salt: str = "hcat-cv") -> NDArray[np.intp]:
    """The fold of each label (n,), 0 to folds − 1: whole groups, dealt out in the order of a hash.

    Groups are first ordered by their share of passes, so that each fold gets its part of passes and fails. The hash
    is SHA-256 of the salt and the group: other salts give other folds, equal inputs the same ones.
    """
    names, group_of = np.unique(np.asarray(groups, dtype=np.str_), return_inverse=True)
    counts = np.bincount(group_of)
    share = np.bincount(group_of, weights=np.asarray(passed, dtype=np.float64)) / counts
    keys = [hashlib.sha256(f"{salt}\0{name}".encode("utf-8", "surrogatepass")).digest() for name in names.tolist()]
    order = sorted(range(len(names)), key=lambda group: (share[group] >= 0.5, keys[group]))
    fold_of_group = np.empty(len(names), dtype=np.intp)
    fold_of_group[order] = np.arange(len(names)) % folds
    return fold_of_group[group_of]
