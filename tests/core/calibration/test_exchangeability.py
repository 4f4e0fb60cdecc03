from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

from core.calibration.discrimination import auc
from core.calibration.exchangeability import (
    Features,
    check_exchangeability,
    check_labels,
    run_features,
)
from core.errors import HcatError
from core.scores import Provenance, ScoreTable
from core.types import Criterion, Label


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
    assert found.verdict == "violated" and found.p == 1 / 200
    assert found.differences[0].name == "b" and found.differences[0].difference > 0.5
    assert "b (+" in found.sentence and "not guaranteed" in found.sentence
    # Nobody but the 60 with the largest b is labelled: the mean place of those is 1 − 0.3/2 = 0.85.
    assert found.auc == pytest.approx(0.85, abs=0.02)


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
    assert "weighted by how they were drawn" in weighted.sentence


def test_equal_weights_say_nothing() -> None:
    features, chosen = table(), np.arange(200) % 3 == 0
    plain = check_exchangeability(features, chosen, generator=generator())
    assert check_exchangeability(features, chosen, weights=np.full(200, 4.0), generator=generator()) == plain


@pytest.mark.parametrize("chosen", [np.zeros(200, dtype=bool), np.arange(200) < 19, np.ones(200, dtype=bool)])
def test_too_few_to_tell(chosen: np.ndarray) -> None:
    found = check_exchangeability(table(), chosen, generator=generator())
    assert found.verdict == "too few labels" and math.isnan(found.p)
    assert ("All 200" if chosen.all() else "takes 20") in found.sentence


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
