from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csc_array
from scipy.stats import chisquare, ks_2samp, rankdata
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

from hcat.core.arrays import Codes, Floats
from hcat.core.calibration.checks import two_samples
from hcat.core.calibration.checks.exchangeability import (
    MOST_COMPARED,
    Features,
    check_exchangeability,
    check_labels,
    run_features,
)
from hcat.core.calibration.checks.two_samples import (
    FOLDS,
    PENALTY,
    _of_like_size,
    _permuted,
    cross_fitted,
    drawn_labels,
    folds_of,
)
from hcat.core.capabilities.calibration.wording.calibration import exchangeability_sentence
from hcat.core.errors import HcatError
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.statistics.discrimination import auc
from hcat.core.types import Criterion, Label


def generator(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def table(n: int = 200) -> Features:
    return Features(("a", "b", "c"), generator().normal(size=(n, 3)))


def test_a_shift_is_found_and_named() -> None:
    features = table()
    labelled = np.argsort(features.table[:, 1])[-60:]
    chosen = np.zeros(200, dtype=bool)
    chosen[labelled] = True
    found = check_exchangeability(features, chosen, generator=generator())
    assert found.verdict == "violated" and found.p == 1 / 2000
    assert found.differences[0].name == "b" and found.differences[0].difference > 0.5
    assert "b (+" in exchangeability_sentence(found) and "not guaranteed" in exchangeability_sentence(found)
    # Nobody but the 60 with the largest b is labelled: the mean place of those is 1 − 0.3/2 = 0.85.
    assert found.auc == pytest.approx(0.85, abs=0.03)


def test_the_classifier_does_as_well_as_a_full_logistic_regression() -> None:
    features = table(400)
    rng = generator(5)
    chosen = rng.random(400) < 1 / (1 + np.exp(1 - 0.8 * features.table[:, 0]))
    found = check_exchangeability(features, chosen, generator=rng)
    oracle = cross_val_predict(LogisticRegression(), features.table, chosen, cv=5, method="predict_proba")[:, 1]
    # Against the run, of which the labelled are a part: ½ + (AUC against the unlabelled − ½) · share unlabelled.
    expected = 0.5 + (auc(oracle, chosen) - 0.5) * float(np.mean(~chosen))
    assert found.auc == pytest.approx(expected, abs=0.02)


def test_known_unequal_draws_are_no_violation() -> None:
    features = table(600)
    rng = generator(4)
    chance = np.clip(0.3 * np.exp(features.table[:, 0]), 0.05, 0.9)
    chosen = rng.random(600) < chance
    plain = check_exchangeability(features, chosen, generator=generator())
    weighted = check_exchangeability(features, chosen, weights=1 / chance, generator=generator())
    assert (plain.verdict, plain.weighted) == ("violated", False)
    assert (weighted.verdict, weighted.weighted) == ("no violation found", True)
    assert "weighted by how they were drawn" in exchangeability_sentence(weighted)


def test_equal_weights_say_nothing() -> None:
    features, chosen = table(), np.arange(200) % 3 == 0
    plain = check_exchangeability(features, chosen, generator=generator())
    assert check_exchangeability(features, chosen, weights=np.full(200, 4.0), generator=generator()) == plain


@pytest.mark.parametrize("chosen", [np.zeros(200, dtype=bool), np.arange(200) < 19, np.ones(200, dtype=bool)])
def test_too_few_to_tell(chosen: np.ndarray) -> None:
    found = check_exchangeability(table(), chosen, generator=generator())
    assert found.verdict == "too few labels" and math.isnan(found.p)
    assert ("All 200" if chosen.all() else "takes 20") in exchangeability_sentence(found)


def test_mistakes_are_named() -> None:
    with pytest.raises(HcatError, match="one value each"):
        check_exchangeability(table(), [True], generator=generator())
    with pytest.raises(HcatError, match="positive"):
        check_exchangeability(table(), np.ones(200, dtype=bool), weights=np.zeros(200), generator=generator())


def test_features_of_a_run() -> None:
    n = 40
    frame = pd.DataFrame(
        {
            "even": np.arange(n, dtype=float),
            "holes": np.where(np.arange(n) < 10, np.nan, np.arange(n) ** 5.0),
            "constant": np.ones(n),
        },
        index=pd.Index([f"s{i}" for i in range(n)], name="sample_id", dtype="str"),
    )
    scores = ScoreTable(frame, Provenance("0", "r", tuple(frame.columns)))
    topic: dict[str, str | None] = {f"s{i}": "ab"[i % 2] if i < 38 else "rare" for i in range(n)}
    found = run_features(scores, groups={"topic": topic, "id": {f"s{i}": str(i) for i in range(n)}})
    assert found.names == ("even", "holes", "holes unscored", "topic = a", "topic = b")
    # Ranks: the first of 40 stands at ½/40; where there is no score, in the middle.
    assert found.table[0, :3].tolist() == [0.0125, 0.5, 1.0]


def test_labels_are_matched_with_the_run_by_sample() -> None:
    n = 120
    ids = [f"s{i}" for i in range(n)]
    frame = pd.DataFrame({"m": np.arange(n, dtype=float)}, index=pd.Index(ids, name="sample_id", dtype="str"))
    scores = ScoreTable(frame, Provenance("0", "r", ("m",)))
    labels = [Label(i, "c", 1) for i in ids[:40]] + [Label(i, "other", 1) for i in ids] + [Label("gone", "c", 1)]
    found = check_labels(labels, scores, criterion=Criterion("c"))
    assert (found.verdict, found.labelled, found.n) == ("violated", 40, n)
    assert found.document()["differences"] == [
        {"feature": "m", "standard_deviations": pytest.approx(found.differences[0].difference)}
    ]
    # The lower third of evenly spaced values: mean −(80/2)/√((120² − 1)/12) = −1.155 standard deviations.
    assert found.differences[0].difference == pytest.approx(-40 / ((120**2 - 1) / 12) ** 0.5)


def trials(cases: int = 60, of_each: int = 4) -> tuple[Features, np.ndarray]:
    """Scores of trials that scatter a little around those of test cases."""
    rng = generator(8)
    of_case = np.repeat(np.arange(cases), of_each)
    return Features(
        ("a", "b"), rng.normal(size=(cases, 2))[of_case] + 0.1 * rng.normal(size=(len(of_case), 2))
    ), of_case


def test_samples_of_their_own_test_case_are_compared_as_without() -> None:
    chosen = generator(3).random(200) < 0.4
    plain = check_exchangeability(table(), chosen, generator=generator())
    assert plain.test_cases is None
    assert check_exchangeability(table(), chosen, clusters=np.arange(200), generator=generator()) == plain


def test_a_draw_keeps_what_is_labelled_of_each_test_case() -> None:
    sizes = [1] * 10 + [2] * 10 + [5] * 10
    case_of = generator(2).permutation(np.repeat(np.arange(30), sizes))
    w = generator(3).integers(0, 2, size=len(case_of)).astype(float)
    whole = (np.arange(30) % 3 == 0)[case_of].astype(float)
    for kept in (w, whole):
        drawn = np.zeros(len(kept))
        rows, weights = _permuted(_of_like_size(case_of, kept), generator())
        drawn[rows] = weights
        for size in (1, 2, 5):
            before, after = (
                sorted(np.bincount(case_of, weights=x)[np.bincount(case_of) == size]) for x in (kept, drawn)
            )
            assert before == after
        assert not np.array_equal(kept, drawn)


def with_all_columns(
    z: Floats, w: Floats, case_of: Codes, *, weighted: bool, draws: int, rng: np.random.Generator
) -> Floats:
    """The excess of the labels and of each draw, with all weights of all draws and all ranks at once."""
    fold = rng.permutation(np.arange(case_of.max() + 1) % FOLDS)[case_of]
    columns = drawn_labels(w, w > 0, case_of, weighted=weighted, draws=draws, generator=rng).toarray()
    excess = np.zeros(1 + draws)
    for number in range(FOLDS):
        train, inside = z[fold != number] - z[fold != number].mean(axis=0), fold == number
        gram = train.T @ train / len(train) + PENALTY * np.eye(z.shape[1])
        scores = z[inside] @ np.linalg.solve(gram, train.T @ columns[fold != number])
        places = (rankdata(np.round(scores, 12), axis=0) - 0.5) / inside.sum()
        excess += (columns[inside] * (places - 0.5)).sum(axis=0)
    return excess / w.sum()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("trials", [1, 2])
def test_few_labelled_of_many_are_compared_as_all_rows_would_be(trials: int, weighted: bool) -> None:
    """The same draws, to rounding."""
    n, rng = 600, generator(8)
    features = np.column_stack([rng.integers(0, 5, n), rng.normal(size=n)])
    chosen, case_of = rng.random(n) < 0.2, np.arange(n) // trials
    weights = rng.choice([1.0, 3.0], n) if weighted else np.ones(n)
    found = check_exchangeability(
        Features(("a", "b"), features), chosen, weights=weights, clusters=case_of, generator=generator(), draws=60
    )
    w = np.where(chosen, weights, 0.0)
    order = np.lexsort((w, chosen, *features.T, case_of if trials > 1 else np.zeros(n)))
    z = (features - features.mean(axis=0)) / features.std(axis=0)
    cases = case_of[order] if trials > 1 else np.arange(n)
    excess = with_all_columns(z[order], w[order], cases, weighted=weighted, draws=60, rng=generator())
    assert found.auc - 0.5 == pytest.approx(excess[0], abs=1e-12)
    assert found.draws == 60 and found.p == pytest.approx((1 + np.sum(excess[1:] >= excess[0])) / 61)


def permuted_whole(w: Floats, case_of: Codes, rng: np.random.Generator) -> Floats:
    """The weights once all test cases of one size, and all trials within each, are permuted."""
    drawn = np.empty_like(w)
    for rows, _ in _of_like_size(case_of, w):
        drawn[rows] = rng.permuted(rng.permutation(w[rows], axis=0), axis=1)
    return drawn


def test_where_the_labelled_come_to_lie_is_as_likely_as_under_permutations_of_all() -> None:
    # Three test cases of two trials, with 2, 1 and no label. Permuting test cases gives 3! = 6 orders, and trials
    # within the one with a single label 2: 12 arrangements, all as likely.
    case_of, w = np.repeat([0, 1, 2], 2), np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0])
    alike, rng, draws = _of_like_size(case_of, w), generator(4), 6000
    seen: dict[tuple[float, ...], int] = {}
    for _ in range(draws):
        drawn = np.zeros(6)
        rows, weights = _permuted(alike, rng)
        drawn[rows] = weights
        seen[tuple(drawn)] = seen.get(tuple(drawn), 0) + 1
    assert seen.keys() == {tuple(permuted_whole(w, case_of, rng)) for _ in range(1000)}
    assert len(seen) == 12 and chisquare(list(seen.values())).pvalue > 0.001


@pytest.mark.parametrize("trials", [1, 3])
def test_draws_without_a_difference_spread_as_those_that_permute_all(trials: int) -> None:
    n, rng, draws = 300, generator(8), 1500
    z, case_of = rng.normal(size=(n, 2)), np.arange(n) // trials
    w = (rng.random(n) < 0.2).astype(float)
    by_places = drawn_labels(w, w > 0, case_of, weighted=False, draws=draws, generator=rng)
    by_all = csc_array(np.column_stack([w, *(permuted_whole(w, case_of, rng) for _ in range(draws))]))
    fold = folds_of(case_of, generator(9))
    one, other = (cross_fitted(z, columns, fold, w.sum())[1:] for columns in (by_places, by_all))
    assert ks_2samp(one, other).pvalue > 0.001


@pytest.mark.parametrize("values", [np.arange(500.0), -np.arange(500.0) // 7, np.sin(np.arange(500.0)), np.zeros(0)])
def test_values_are_sorted_whichever_way_they_run(values: Floats) -> None:
    assert (two_samples._sorted(values) == np.sort(values)).all()


def test_whole_test_cases_are_told_apart_where_they_differ() -> None:
    features, of_case = trials()
    shifted = np.argsort(features.table[::4, 0])[-25:]
    found = check_exchangeability(features, np.isin(of_case, shifted), clusters=of_case, generator=generator())
    assert found.verdict == "violated" and found.differences[0].name == "a"
    assert found.test_cases == 25 and "by cluster (25 have a label)" in exchangeability_sentence(found)
    assert found.document()["test_cases"] == 25


def test_few_test_cases_are_few_however_many_trials() -> None:
    features, of_case = trials()
    found = check_exchangeability(features, of_case < 19, clusters=of_case, generator=generator())
    assert found.verdict == "too few labels"
    assert "76 labelled samples of 19 clusters are too few" in exchangeability_sentence(
        found
    ) and "20 clusters" in exchangeability_sentence(found)


def test_one_trial_of_each_test_case_is_compared_within_them() -> None:
    # The labelled trial is that with the largest score of its test case: permuting test cases alone never shows it.
    features, of_case = trials()
    first = np.zeros(240, dtype=bool)
    first[[k * 4 + int(np.argmax(features.table[k * 4 : k * 4 + 4, 0])) for k in range(60)]] = True
    found = check_exchangeability(features, first, clusters=of_case, generator=generator())
    assert found.p <= 0.05 and found.differences[0].name == "a"


def test_the_order_of_rows_moves_no_p() -> None:
    rng = np.random.default_rng(13)
    table, labelled = rng.normal(size=(150, 3)), rng.random(150) < 0.4
    order = rng.permutation(150)
    one, other = (
        check_exchangeability(
            Features(("a", "b", "c"), table[rows]), labelled[rows], generator=np.random.default_rng(7)
        )
        for rows in (np.arange(150), order)
    )
    assert (one.p, one.auc) == (other.p, pytest.approx(other.auc))


def test_of_a_large_run_a_part_is_compared_and_a_shift_is_found() -> None:
    rng, n = generator(6), 5 * MOST_COMPARED
    features, of_case = Features(("a", "b"), rng.normal(size=(n, 2))), np.arange(n) // 2
    chosen = np.zeros(n, dtype=bool)
    chosen[rng.choice(n, 400, replace=False, p=np.exp(features.table[:, 0]) / np.exp(features.table[:, 0]).sum())] = (
        True
    )
    found = check_exchangeability(features, chosen, clusters=of_case, generator=generator())
    assert (found.n, found.labelled, found.verdict) == (n, 400, "violated")
    assert found.differences[0].name == "a"


def test_what_was_not_found_is_said_with_what_would_have_been() -> None:
    chosen = generator(3).permutation(200) < 60
    found = check_exchangeability(table(), chosen, generator=generator())
    assert found.verdict == "no violation found" and 0.55 < found.detectable < 0.8
    said = exchangeability_sentence(found)
    assert said.startswith("No difference was found") and f"AUC of {found.detectable:.2f} on" in said
