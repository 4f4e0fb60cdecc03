"""Full conformal sets of one metric: how often they hold the label, and how many samples they decide, beside the split.

`HCAT_DRAWS=1000 pytest -s tests/simulation/test_full_conformal.py` prints the table of decision 0091.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from core.calibration.calibrate import calibrate
from core.calibration.calibration import Calibration
from core.errors import NotEnoughLabelsError
from core.scoring.provenance import Provenance
from core.scoring.score_table import ScoreTable
from core.types import Criterion, Label

DRAWS = int(os.environ.get("HCAT_DRAWS", "40"))
RUN = 600
ALPHA = 0.1

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def _logistic(score: Floats, slope: float, at: float) -> Floats:
    return np.asarray(1 / (1 + np.exp(-slope * (score - at))))


@dataclass(frozen=True)
class Kind:
    """Scores of a run and what people say of them; `design` gives the probability to be drawn, relative to others."""

    draw: Callable[[np.random.Generator], tuple[Floats, Bools]]
    method: str = "logistic"
    conditional: str = "none"
    design: Callable[[Floats], Floats] | None = None


def _of(
    slope: float, at: float = 0.0, digits: int | None = None
) -> Callable[[np.random.Generator], tuple[Floats, Bools]]:
    def draw(rng: np.random.Generator) -> tuple[Floats, Bools]:
        score = rng.normal(size=RUN) if digits is None else np.round(rng.normal(size=RUN), digits)
        return score, rng.random(RUN) < _logistic(score, slope, at)

    return draw


def _hump(rng: np.random.Generator) -> tuple[Floats, Bools]:
    score = rng.normal(size=RUN)
    return score, rng.random(RUN) < 0.1 + 0.8 * (np.abs(score) < 0.8)


def _skewed(rng: np.random.Generator) -> tuple[Floats, Bools]:
    score = rng.lognormal(sigma=1.5, size=RUN)
    return score, rng.random(RUN) < _logistic(np.log(score), 2.0, 0.0)


KINDS = {
    "useful": Kind(_of(2.5)),
    "useless": Kind(_of(0.0)),
    "rare failures": Kind(_of(2.0, at=-2.5)),
    "five scores": Kind(_of(2.5, digits=0)),
    "no curve": Kind(_hump),
    "skewed": Kind(_skewed),
    "isotonic": Kind(_of(2.5), method="isotonic"),
    "platt": Kind(_of(2.5), method="platt"),
    "by class": Kind(_of(2.5), conditional="class"),
    "weights": Kind(_of(2.5), design=lambda score: np.where(np.abs(score) < 0.7, 1.0, 0.15)),
}


def _calibrated(
    rng: np.random.Generator, kind: Kind, score: Floats, passed: Bools, n: int, *, divided: bool
) -> tuple[Calibration, ScoreTable, NDArray[np.intp]]:
    ids = np.array([f"x{i}" for i in rng.choice(10**9, RUN, replace=False).tolist()])
    table = ScoreTable(
        pd.DataFrame({"m": score}, index=pd.Index(ids, name="sample_id", dtype="str")), Provenance("0", "r", ("m",))
    )
    inclusion = None
    if kind.design is None:
        drawn = rng.choice(RUN, n, replace=False)
    else:
        # Each sample is drawn by itself, so that its probability is the one that is stated.
        rate = kind.design(score)
        rate = np.minimum(rate * n / rate.sum(), 1.0)
        drawn = np.flatnonzero(rng.random(RUN) < rate)
        inclusion = dict(zip(ids.tolist(), rate.tolist(), strict=True))
    labels = [
        Label(ids[i], "c", int(passed[i]), probability=1.0 if inclusion is None else inclusion[ids[i]])
        for i in drawn.tolist()
    ]
    made = calibrate(
        *(labels, table),
        criterion=Criterion("c"),
        metrics=["m"],
        method=kind.method,
        alpha=ALPHA,
        conditional=kind.conditional,
        inclusion=inclusion,
        directions={"m": "higher"},
        replicates=0,
        repeats=0,
        divided=divided,
    )
    return made, table, drawn


def _measured(name: str, n: int, *, divided: bool) -> tuple[Floats, Floats, Floats]:
    """Of each draw: the coverage of samples without a label, of fails among them, and the share decided."""
    kind, rng = KINDS[name], np.random.default_rng(n)
    found: list[tuple[float, float, float]] = []
    tries = 0
    while len(found) < DRAWS and tries < 4 * DRAWS:
        tries += 1
        score, passed = kind.draw(rng)
        try:
            made, table, drawn = _calibrated(rng, kind, score, passed, n, divided=divided)
        except NotEnoughLabelsError:
            continue
        other = np.ones(RUN, dtype=bool) if kind.design is not None else ~np.isin(np.arange(RUN), drawn)
        sets, given = made.sets(table)[other], passed[other].astype(int)
        held = sets[np.arange(len(given)), given]
        found.append((held.mean(), held[given == 0].mean(), (sets.sum(axis=1) == 1).mean()))
    coverage, of_fails, decided = np.array(found).T
    return coverage, of_fails, decided


@pytest.mark.parametrize("n", [20, 40, 63, 100, 300])
@pytest.mark.parametrize("name", KINDS)
def test_sets_hold_the_label_as_often_as_promised(name: str, n: int) -> None:
    full, of_fails, decided = _measured(name, n, divided=False)
    error = full.std() / np.sqrt(len(full))
    ends = np.quantile(decided, [0.05, 0.95])
    print(
        f"{name:14s} n={n:3d}: coverage {full.mean():.3f} ± {error:.3f} (5–95% {np.quantile(full, 0.05):.2f}–"
        f"{np.quantile(full, 0.95):.2f}), decided {decided.mean():.2f} ({ends[0]:.2f}–{ends[1]:.2f}), {len(full)} draws"
    )
    least = of_fails[np.isfinite(of_fails)] if name == "by class" else full
    assert least.mean() >= 1 - ALPHA - 4 * least.std() / np.sqrt(len(least))
