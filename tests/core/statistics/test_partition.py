from __future__ import annotations

import hashlib

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.statistics.partition import (
    SHARES,
    SPLITS,
    assign_fold,
    assign_folds,
    assign_split,
    assign_splits,
    grouped_folds,
)


def test_known_value_by_the_definition() -> None:
    digest = hashlib.sha256(b"hcat\0q17").digest()
    position = int.from_bytes(digest[:8], "big") / 2**64
    expected = "fit" if position < 0.4 else "conformal" if position < 0.7 else "check"
    assert assign_split("q17") == expected


def test_shares_are_40_30_30() -> None:
    splits = [assign_split(f"sample-{i}") for i in range(20_000)]
    for split in SPLITS:
        # Standard deviation of a share of 0.4 in 20,000 is 0.0035; four of them are 0.014.
        assert abs(splits.count(split) / 20_000 - SHARES[split]) < 0.014


@given(st.lists(st.text(), unique=True), st.text())
def test_one_more_label_never_moves_another(ids: list[str], another: str) -> None:
    before = {i: assign_split(i) for i in ids}
    assign_split(another)
    after = {i: assign_split(i) for i in sorted([*ids, another])}
    assert all(after[i] == split for i, split in before.items())


def test_the_salt_makes_independent_splits() -> None:
    ids = [f"s{i}" for i in range(4000)]
    same = np.mean([assign_split(i) == assign_split(i, salt="other") for i in ids])
    # Independent splits agree with 0.4² + 0.3² + 0.3² = 0.34.
    assert abs(same - 0.34) < 0.03


def test_no_sample_ever_changes_its_split_or_fold() -> None:
    # What labels were fitted, checked and cross-fitted on before this test was written.
    ids = [f"s{i}" for i in range(12)]
    splits = ["check", "fit", "fit", "fit", "conformal", "check", "fit", "fit"]
    assert [assign_split(i) for i in ids[:8]] == splits
    assert [SPLITS[place] for place in assign_splits(np.array(ids[:8], dtype=object))] == splits
    assert assign_folds(tuple(ids)).tolist() == [4, 3, 2, 1, 4, 0, 4, 1, 2, 0, 2, 4]
    assert [assign_fold(i, folds=7, salt="z") for i in ids] == [6, 2, 1, 3, 6, 6, 3, 5, 3, 6, 3, 3]
    groups, passed = [f"g{i // 2}" for i in range(20)], [i % 3 == 0 for i in range(20)]
    dealt = [4, 4, 4, 4, 2, 2, 1, 1, 2, 2, 0, 0, 3, 3, 3, 3, 1, 1, 0, 0]
    assert grouped_folds(groups, passed, folds=5).tolist() == dealt
    assert grouped_folds(range(11), passed[:11], folds=3, salt="7:1").tolist() == [2, 0, 1, 1, 2, 2, 0, 0, 1, 1, 0]


@given(st.lists(st.text(), max_size=20), st.integers(2, 1000))
def test_folds_of_many_keys_are_those_of_each(keys: list[str], folds: int) -> None:
    assert assign_folds(tuple(keys), folds=folds).tolist() == [assign_fold(key, folds=folds) for key in keys]
