"""The fit of the combination: equal to scikit-learn's where no bound binds, optimal where one does, and honest data."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from training.combined import Answer, fit, joined, stratum_weights
from training.pair_sets import LabelledClaim, draw_groups
from training.sources import for_measuring, held_out


def data(slopes: list[float], n: int = 400) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    X = rng.uniform(size=(n, len(slopes)))
    y = rng.uniform(size=n) < 1 / (1 + np.exp(-(X @ np.array(slopes) - sum(slopes) / 2)))
    return X, y, rng.uniform(0.5, 2.0, size=n)


def scikit(X: np.ndarray, y: np.ndarray, weights: np.ndarray, penalty: float) -> tuple[float, np.ndarray]:
    model = LogisticRegression(C=1 / penalty, tol=1e-10, max_iter=10_000)
    model.fit(X, y, sample_weight=weights / weights.mean())
    return float(model.intercept_[0]), model.coef_[0]


def scaled(X: np.ndarray) -> np.ndarray:
    low, high = np.quantile(X, [0.02, 0.98], axis=0)
    return np.clip((X - low) / (high - low), 0, 1)


def test_without_a_binding_bound_it_is_scikit_learns_fit() -> None:
    X, y, weights = data([4.0, 2.0, 1.0])
    fitted = fit(X, y, weights, penalty=2.0)
    intercept, coefficients = scikit(scaled(X), y, weights, 2.0)
    assert coefficients.min() > 0
    assert fitted.coefficients == pytest.approx(coefficients, abs=1e-4)
    assert fitted.intercept == pytest.approx(intercept, abs=1e-4)


def test_an_input_of_the_wrong_sign_gets_zero_and_the_others_their_fit_without_it() -> None:
    X, y, weights = data([4.0, -3.0, 1.0])
    fitted = fit(X, y, weights, penalty=2.0)
    intercept, coefficients = scikit(scaled(X)[:, [0, 2]], y, weights, 2.0)
    assert fitted.coefficients[1] == 0.0
    assert fitted.coefficients[[0, 2]] == pytest.approx(coefficients, abs=1e-4)
    assert fitted.intercept == pytest.approx(intercept, abs=1e-4)


def test_a_constant_input_gets_no_coefficient() -> None:
    X, y, weights = data([4.0])
    fitted = fit(np.column_stack([X, np.zeros(len(X))]), y, weights)
    assert fitted.coefficients[1] == pytest.approx(0.0, abs=1e-6)
    assert np.isfinite(fitted.log_odds(np.column_stack([X, np.zeros(len(X))]))).all()


def test_each_stratum_counts_alike() -> None:
    strata = [("a", False, True)] * 3 + [("a", False, False)] + [("b", True, True)] * 2
    weights = stratum_weights(strata)
    assert weights[:3].sum() == pytest.approx(weights[3])
    assert weights[4:].sum() == pytest.approx(0.5 * weights[3])


def claims(n: int) -> list[LabelledClaim]:
    return [LabelledClaim(f"document {i // 2}", f"claim {i}", i % 2 == 0, f"group {i // 2}", "") for i in range(n)]


def test_joined_answers_are_supported_where_every_claim_is() -> None:
    answers = joined(claims(20), "a", count=10, rng=np.random.default_rng(1))
    assert [answer.supported for answer in answers] == [True, False] * 5
    assert {len(answer.claims) for answer in answers} <= {2, 3, 4}
    assert all(sum(not claim.supported for claim in answer.claims) <= 1 for answer in answers)
    single = Answer((claims(1)[0],), "a").sample("s")
    assert (single.answer, len(single.contexts)) == ("claim 0", 1)


def test_whole_groups_are_drawn_and_the_same_again() -> None:
    drawn = draw_groups(claims(20), most=7, rng=np.random.default_rng(2))
    assert len(drawn) == 8
    assert all(a.group == b.group for a, b in zip(drawn[::2], drawn[1::2], strict=True))
    assert drawn == draw_groups(claims(20), most=7, rng=np.random.default_rng(2))


def test_a_tenth_is_held_out_and_half_of_it_measures() -> None:
    groups = [f"group {index}" for index in range(4000)]
    kept_back = [group for group in groups if held_out("a", group)]
    assert 320 < len(kept_back) < 480  # 400 ± 4 standard deviations of 19
    assert 0.4 < np.mean([for_measuring("a", group) for group in kept_back]) < 0.6
    assert kept_back != [group for group in groups if held_out("b", group)]
