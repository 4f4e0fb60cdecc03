"""How often a decision on the pass rate is wrong where labels are watched as they come in, by simulation."""

from __future__ import annotations

import os

import numpy as np
from scipy import stats

from hcat.core.arrays import Floats
from hcat.core.estimates.labelled_run import LabelledRun
from hcat.core.estimates.stopping import decide

DRAWS = int(os.environ.get("HCAT_DRAWS", "60"))
"""1000 in `make simulate`."""
SAMPLES, RATE, LOOKS = 2000, 0.8, range(30, 401, 10)


def test_watching_decides_wrongly_in_at_most_one_of_twenty_runs() -> None:
    """The rate is at the threshold, so that any decision is wrong; labels are looked at every ten from 30 to 400."""
    rng = np.random.default_rng(71)
    watched, once = 0, 0
    for _ in range(DRAWS):
        labels = (rng.random(LOOKS[-1]) < RATE).astype(float)
        watched += any(_decided(labels[:n], None) for n in LOOKS)
        once += any(_decided(labels[:n], 1) for n in LOOKS)
    assert watched <= stats.binom.ppf(0.9995, DRAWS, 0.05)
    assert once > stats.binom.ppf(0.9995, DRAWS, 0.05)


def _decided(labels: Floats, looks: int | None) -> bool:
    passed = np.full(SAMPLES, np.nan)
    passed[: len(labels)] = labels
    run = LabelledRun(passed, np.full(SAMPLES, np.nan), np.ones(SAMPLES), None, None)
    return decide(run, RATE, looks=looks).verdict in ("reached", "missed")
