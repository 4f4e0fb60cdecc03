"""Sets that all labels make together: against refits one by one, and the same whatever samples are called."""

from __future__ import annotations

import json
import math
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hcat.core.calibration.calibrate import calibrate
from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.conformal.candidates import (
    Candidates,
    candidates_of,
    isotonic_candidates,
    logistic_candidates,
    multinomial_candidates,
    ordinal_candidates,
)
from hcat.core.calibration.conformal.full import FullConformal, full_sets
from hcat.core.calibration.conformal.mondrian import BY_CLASS
from hcat.core.calibration.conformal.ordinal_sets import path_nonconformity
from hcat.core.calibration.conformal.score_cells import score_cells
from hcat.core.calibration.maps.isotonic import fit_isotonic
from hcat.core.calibration.maps.logistic import fit_logistic
from hcat.core.calibration.maps.multinomial import fit_multinomial
from hcat.core.calibration.maps.ordinal import fit_ordinal
from hcat.core.capabilities.calibration.wording.calibration_document import calibration_document
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, Label

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
CRITERION, ORDINAL = Criterion("c"), Criterion("c", ("bad", "fair", "good"), passing=1)


def drawn(n: int, *, levels: int = 2, seed: int = 1, digits: int = 1) -> tuple[Floats, Ints]:
    rng = np.random.default_rng(seed)
    score = np.round(rng.normal(size=n), digits)
    cuts = np.linspace(-1, 1, levels - 1) if levels > 2 else [0.0]
    return score, np.digitize(2 * score + rng.logistic(size=n), cuts)


def probabilities(method: str, score: Floats, level: Ints, at: Floats, n_levels: int) -> Floats:
    """The probabilities (m, levels) at scores (m,) of a map that is fitted in the ordinary way."""
    X, Z = score[:, None], at[:, None]
    if method == "ordinal":
        return fit_ordinal(X, level, n_levels=n_levels).level_probabilities(Z)
    if method == "multinomial":
        return fit_multinomial(X, level, n_levels=n_levels).level_probabilities(Z)
    p = (fit_isotonic(X, level) if method == "isotonic" else fit_logistic(X, level)).probability(Z)
    return np.column_stack([1 - p, p])


CANDIDATES: dict[str, tuple[Candidates, int]] = {
    "logistic": (logistic_candidates, 2),
    "isotonic": (partial(isotonic_candidates, direction="none"), 2),
    "ordinal": (ordinal_candidates, 3),
    "multinomial": (multinomial_candidates, 3),
}


@pytest.mark.parametrize("method", CANDIDATES)
def test_maps_of_candidates_are_those_fitted_one_by_one(method: str) -> None:
    made, levels = CANDIDATES[method]
    score, level = drawn(40, levels=levels)
    cells = score_cells(score)
    counts = np.zeros((len(cells), levels))
    np.add.at(counts, (cells.of(score), level), 1)
    found = made(cells.scores, counts)
    for cell, value in enumerate(cells.scores.tolist()):
        for own in range(levels):
            alone = probabilities(method, np.append(score, value), np.append(level, own), cells.scores, levels)
            assert found[cell * levels + own] == pytest.approx(alone, abs=1e-7)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("by", [None, BY_CLASS, "topic"])
@pytest.mark.parametrize("method", CANDIDATES)
def test_sets_are_those_of_the_definition(method: str, by: str | None, weighted: bool) -> None:
    made, levels = CANDIDATES[method]
    score, level = drawn(30, levels=levels, seed=5)
    rng = np.random.default_rng(2)
    topic = rng.choice(["a", "b"], 30).tolist()
    weights = rng.choice([1.0, 2.0, 4.0], 30) if weighted else None
    cells, alpha, contiguous = score_cells(np.append(score, [-3.0, 3.0])), 0.2, method == "ordinal"
    sets = full_sets(
        FullConformal(cells, made),
        *(score, level),
        n_levels=levels,
        alpha=alpha,
        contiguous=contiguous,
        by=by,
        groups=topic if by == "topic" else None,
        weights=weights,
    )
    for value in cells.scores[::3].tolist():
        for group in ("a", "b") if by == "topic" else (None,):
            for new in (1.0, 3.0) if weighted else (1.0,):
                expected = [
                    _is_in(method, score, level, value, own, alpha, by, topic, group, weights, new, contiguous, levels)
                    for own in range(levels)
                ]
                if contiguous and any(expected):
                    first, last = expected.index(True), levels - expected[::-1].index(True)
                    expected = [first <= own < last for own in range(levels)]
                groups = None if group is None else [group]
                at = sets.sets_at(np.array([value]), groups=groups, weights=np.array([new]) if weighted else None)
                assert at[0].tolist() == expected


def _is_in(  # type: ignore[no-untyped-def]
    method, score, level, value, own, alpha, by, topic, group, weights, new, contiguous, levels
) -> bool:
    scores, given = np.append(score, value), np.append(level, own)
    p = probabilities(method, scores, given, scores, levels)
    table = np.round(path_nonconformity(p) if contiguous else 1 - p, 9)
    s = table[np.arange(31), given]
    inside = np.ones(30, dtype=bool)
    if by == BY_CLASS:
        inside = level == own
    elif by == "topic":
        inside = np.array(topic) == group
    less = (s[:30] < s[30]) & inside
    if weights is None:
        return bool(less.sum() < math.ceil(round((inside.sum() + 1) * (1 - alpha), 9)))
    return bool(weights[less].sum() < (1 - alpha) * (weights[inside].sum() + new) - 1e-9)


def test_too_few_labels_exclude_nothing() -> None:
    score, level = drawn(8)
    sets = full_sets(FullConformal(score_cells(score), logistic_candidates), score, level, n_levels=2, alpha=0.1)
    assert sets.sets_at(np.array([-9.0, 0.0, 9.0])).all()
    assert not sets.sets_at(np.array([np.nan])).any()
    assert [region.set_name for region in sets.regions()] == ["both"]


def test_a_score_that_is_the_same_for_all_tells_nothing() -> None:
    """10 of 40 fail: a fail is less believable than all 30 passes, and so is more than the α of 10% of them."""
    level = np.repeat([0, 1], [10, 30])
    how = FullConformal(score_cells(np.ones(50)), logistic_candidates)
    for alpha, expected in ((0.1, [True, True]), (0.3, [False, True])):
        sets = full_sets(how, np.ones(40), level, n_levels=2, alpha=alpha)
        assert sets.sets_at(np.array([1.0])).tolist() == [expected]


def test_cells_are_the_scores_of_a_run_or_so_many_of_its_ranks() -> None:
    few = score_cells([3.0, 1.0, np.nan, 1.0, 2.0])
    assert few.scores.tolist() == [1.0, 2.0, 3.0] and few.of([0.0, 1.4, 1.6, 9.0]).tolist() == [0, 0, 1, 2]
    many = score_cells(np.arange(1000.0), most=4)
    assert many.scores.tolist() == [125.0, 375.0, 625.0, 875.0]
    close = score_cells([1.0, np.nextafter(1.0, 2.0)])
    assert close.of(close.scores).tolist() == [0, 1]
    assert len(score_cells([])) == 0


def project(names: list[str], order: list[int], score: Floats, level: Ints, n: int) -> tuple[list[Label], ScoreTable]:
    """A run whose samples have these names, in this order; the first n have a label."""
    frame = pd.DataFrame({"m": score, "answer_length": np.arange(len(score)) % 7.0})
    frame.index = pd.Index(names, name="sample_id", dtype="str")
    table = ScoreTable(frame.iloc[order], Provenance("0", "r", ("m", "answer_length")))
    return [Label(names[i], "c", int(level[i])) for i in order if i < n], table


def document(made: Calibration) -> str:
    whole = calibration_document(made)
    del whole["inputs"]  # hashes of labels by name
    return json.dumps(whole, allow_nan=False)


@settings(max_examples=8, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(["logistic", "isotonic", "platt", "ordinal"]),
    st.sampled_from(["none", BY_CLASS]),
    st.integers(0, 2),
)
def test_names_and_order_of_samples_have_no_part_in_a_calibration(
    seed: int, method: str, conditional: str, digits: int
) -> None:
    rng = np.random.default_rng(seed)
    on, levels = (ORDINAL, 3) if method == "ordinal" else (CRITERION, 2)
    score, level = drawn(90, levels=levels, seed=seed % 1000, digits=digits)
    documents = set()
    for _ in range(3):
        names = [f"s{name}" for name in rng.choice(10**6, 90, replace=False).tolist()]
        labels, table = project(names, rng.permutation(90).tolist(), score, level, 63)
        made = calibrate(
            *(labels, table), criterion=on, metrics=["m"], method=method, conditional=conditional, repeats=12
        )
        assert made.sets_by_score is not None
        documents.add(document(made))
    assert len(documents) == 1


def test_all_labels_serve_and_each_is_checked_by_others() -> None:
    score, level = drawn(150, digits=3)
    labels, table = project([f"s{i}" for i in range(150)], list(range(150)), score, level, 120)
    made = calibrate(labels, table, criterion=CRITERION, metrics=["m"])
    assert made.split_sizes == {"fit": 120, "conformal": 0, "check": 0}
    assert made.diagnostics is not None and (made.diagnostics.n, made.diagnostics.folds) == (120, 5)
    assert made.threshold.n == 120
    again = Calibration.from_document(json.loads(json.dumps(calibration_document(made))))
    assert again.sets_by_score == made.sets_by_score and (again.sets(table) == made.sets(table)).all()


def test_sets_are_not_made_of_all_labels_where_that_promises_nothing() -> None:
    """Labels of one cluster depend on one another; several metrics, and maps with folds of their own, take a split."""
    score, level = drawn(150, digits=3)
    names = [f"s{i}" for i in range(150)]
    labels, table = project(names, list(range(150)), score, level, 150)
    clusters = {name: f"c{i // 2}" for i, name in enumerate(names)}
    make = partial(calibrate, labels, table, criterion=CRITERION, repeats=0, replicates=0)
    divided = (
        make(metrics=["m"], test_cases=clusters),
        make(metrics=["m", "answer_length"]),
        make(metrics=["m"], method="combined"),
        make(metrics=["m"], divided=True),
    )
    assert all(made.sets_by_score is None and made.split_sizes["conformal"] > 0 for made in divided)
    assert candidates_of("xgboost", "higher", by_level=False) is None
