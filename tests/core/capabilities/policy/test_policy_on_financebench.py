"""A policy on answers that people judged: MAPIE's thresholds, and a promise that draws of labels do not break."""

from __future__ import annotations

import os
from functools import cache

import numpy as np
import pytest

from benchmarks.policy import DESIGNS, JudgedAnswers, judged_answers, keep, single_answers
from hcat.core.capabilities.policy.promise import Promise
from hcat.core.settings import ROOT
from tests.core.capabilities.policy.mapie_oracle import assert_same_thresholds_as_mapie

DATA = ROOT.parent / "shared" / "data"
DRAWS = int(os.environ.get("HCAT_DRAWS", "60"))
pytestmark = [
    pytest.mark.realdata,
    pytest.mark.skipif(
        not (DATA / "financebench").is_dir(), reason="the public data sets are not beside the repository"
    ),
]


@cache
def answers() -> JudgedAnswers:
    return judged_answers(DATA)


@pytest.mark.filterwarnings("ignore::UserWarning:mapie")
def test_the_same_thresholds_as_mapie() -> None:
    shown = [
        assert_same_thresholds_as_mapie(*single_answers(answers(), np.random.default_rng(seed)), Promise(error, 0.9))
        for seed in range(4)
        for error in (0.1, 0.2, 0.3)
    ]
    assert any(shown) and not all(shown)


@pytest.mark.parametrize("design", DESIGNS)
def test_the_promise_is_broken_in_at_most_delta_of_draws(design: str) -> None:
    kept = keep(answers(), Promise(0.2, 0.9), DESIGNS[design], draws=DRAWS)
    assert kept.broken.value <= 0.1 + 3 * np.sqrt(0.1 * 0.9 / DRAWS)
