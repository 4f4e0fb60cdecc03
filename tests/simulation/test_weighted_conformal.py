"""Prediction sets from a queue that draws unequally: the threshold of each sample's own weight decides more."""

from __future__ import annotations

import json
import os
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from hcat.core.arrays import Floats
from hcat.core.calibration.calibrate import calibrate
from hcat.core.calibration.calibration import Calibration
from hcat.core.capabilities.calibration.wording.calibration_document import calibration_document
from hcat.core.capabilities.calibration.wording.guarantee import guarantee_of
from hcat.core.errors import NotEnoughLabelsError
from hcat.core.labelling.unequal import boundary_sizes, by_sample, inclusion_probabilities, residual_sizes
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, Label

DRAWS = int(os.environ.get("HCAT_DRAWS", "40"))
"""1000 in `make simulate`."""

N = 600


@pytest.mark.parametrize("sizes", [boundary_sizes, residual_sizes])
@pytest.mark.parametrize("planned", [60, 120])
def test_own_weights_decide_more_and_cover(sizes: Callable[[Floats], Floats], planned: int) -> None:
    """With the heaviest weight for all, 70% to 100% of the samples were left undecided."""
    rng = np.random.default_rng(planned)
    own: list[float] = []
    heaviest: list[float] = []
    covered: list[float] = []
    while len(own) < DRAWS:
        score = rng.normal(size=N)
        p = 1 / (1 + np.exp(-1 - 3 * score))
        passed = rng.random(N) < p
        ids = [f"s{i}" for i in rng.permutation(10**6)[:N].tolist()]
        inclusion = by_sample(ids, inclusion_probabilities(sizes(p), planned=planned))
        labels = [
            Label(name, "c", int(passed[row]), probability=inclusion[name])
            for row, name in enumerate(ids)
            if rng.random() < inclusion[name]
        ]
        frame = pd.DataFrame({"m": score}, index=pd.Index(ids, name="sample_id", dtype="str"))
        table = ScoreTable(frame, Provenance("0", "r", ("m",)))
        asked = {"criterion": Criterion("c"), "metrics": ["m"], "replicates": 0, "repeats": 0}
        try:
            by_weight = calibrate(labels, table, inclusion=inclusion, **asked)  # type: ignore[arg-type]
            for_all = calibrate(labels, table, **asked)  # type: ignore[arg-type]
        except NotEnoughLabelsError:
            continue
        sets = by_weight.sets(table)
        own.append(float((sets.sum(axis=1) != 1).mean()))
        heaviest.append(float((for_all.sets(table).sum(axis=1) != 1).mean()))
        covered.append(float(sets[np.arange(N), passed.astype(int)].mean()))
    print(
        f"{sizes.__name__}, {planned} labels: undecided {np.mean(own):.2f}, with the heaviest weight "
        f"{np.mean(heaviest):.2f}; coverage {np.mean(covered):.3f}"
    )
    assert np.mean(covered) >= 0.9 - 4 * np.std(covered) / DRAWS**0.5
    assert np.mean(own) <= np.mean(heaviest) - 0.05
    again = Calibration.from_document(json.loads(json.dumps(calibration_document(by_weight))))
    assert (again.sets(table) == sets).all()
    assert "own weight" in guarantee_of(by_weight)


def test_probabilities_that_the_labels_contradict_are_not_used() -> None:
    rng = np.random.default_rng(0)
    score = rng.normal(size=200)
    ids = [f"s{i}" for i in range(200)]
    frame = pd.DataFrame({"m": score}, index=pd.Index(ids, name="sample_id", dtype="str"))
    labels = [
        Label(name, "c", int(value > rng.normal()), probability=0.3 + 0.4 * (row % 2))
        for row, (name, value) in enumerate(zip(ids, score.tolist(), strict=True))
    ]
    made = calibrate(
        labels,
        ScoreTable(frame, Provenance("0", "r", ("m",))),
        criterion=Criterion("c"),
        metrics=["m"],
        inclusion=dict.fromkeys(ids, 0.5),
        repeats=0,
    )
    assert (dict(made.weights), made.threshold.by_weight) == ({}, ())
