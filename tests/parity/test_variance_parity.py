"""Variance components against statsmodels' REML, classical two-way ANOVA and the one-way split."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

from hcat.core.arrays import Floats
from hcat.core.capabilities.trials.variance_components import split_variance
from hcat.core.statistics.one_way import one_way_split


def balanced(cases: int, trials: int, raters: int, *, seed: int = 3) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    grid = np.array([(i, j, k) for i in range(cases) for j in range(trials) for k in range(raters)])
    case, trial, rater = grid.T
    sample = case * trials + trial
    y = (
        rng.normal(size=cases)[case] * 1.2
        + rng.normal(size=cases * trials)[sample] * 0.8
        + rng.normal(size=raters)[rater] * 0.6
        + rng.normal(size=len(grid)) * 0.5
    )
    return pd.DataFrame({"y": y, "case": case, "sample": sample, "rater": rater}).astype(
        {"case": str, "sample": str, "rater": str}
    )


def components(frame: pd.DataFrame, *names: str) -> dict[str, float]:
    split = split_variance(
        frame["y"].to_numpy(),
        {name: frame[name].tolist() for name in names},
        clusters=frame["case"].tolist(),
        generator=np.random.default_rng(0),
        replicates=2,
    )
    return {component.name: component.variance for component in split.components}


def test_balanced_data_give_reml() -> None:
    from statsmodels.regression.mixed_linear_model import MixedLM

    frame = balanced(12, 4, 3)
    ours = components(frame, "case", "sample", "rater")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = MixedLM.from_formula(
            "y ~ 1",
            frame,
            groups=np.ones(len(frame)),
            vc_formula={name: f"0 + C({name})" for name in ("case", "sample", "rater")},
        ).fit(reml=True)
    theirs = dict(zip(fitted.model.exog_vc.names, fitted.vcomp, strict=True)) | {"rest": fitted.scale}
    for name, value in theirs.items():
        assert ours[name] == pytest.approx(value, rel=2e-3), name


def test_two_way_crossed_balanced_data_give_the_anova_estimators() -> None:
    frame = balanced(15, 1, 4, seed=5)
    table = frame.pivot(index="case", columns="rater", values="y").to_numpy()
    a, b = table.shape
    rows = b * table.mean(axis=1).var(ddof=1)
    columns = a * table.mean(axis=0).var(ddof=1)
    rest = ((table - table.mean(1, keepdims=True) - table.mean(0) + table.mean()) ** 2).sum() / ((a - 1) * (b - 1))
    ours = components(frame, "case", "rater")
    assert ours["rest"] == pytest.approx(rest)
    assert ours["case"] == pytest.approx((rows - rest) / b)
    assert ours["rater"] == pytest.approx((columns - rest) / a)


def test_one_source_balanced_is_the_one_way_split() -> None:
    frame = balanced(20, 5, 1, seed=7)
    one_way = one_way_split(frame["y"].to_numpy(), frame["case"].tolist())
    ours = components(frame, "case")
    assert ours["case"] == pytest.approx(one_way.between)
    assert ours["rest"] == pytest.approx(one_way.within)


def test_unbalanced_equations_are_those_of_full_matrices() -> None:
    """MINQUE(0) written out with n × n matrices."""
    frame = balanced(9, 3, 3, seed=11).sample(frac=0.7, random_state=1)
    y = frame["y"].to_numpy()
    n = len(y)
    centring = np.eye(n) - 1 / n
    blocks: list[Floats] = []
    for name in ("case", "sample", "rater"):
        column = frame[name].to_numpy()
        blocks.append((column[:, None] == column[None, :]).astype(float))
    blocks.append(np.eye(n))
    left = [[np.trace(centring @ a @ centring @ b) for b in blocks] for a in blocks]
    right = [y @ centring @ a @ centring @ y for a in blocks]
    expected = np.linalg.solve(left, right)
    ours = components(frame, "case", "sample", "rater")
    assert list(ours.values()) == pytest.approx([max(0.0, float(value)) for value in expected])
