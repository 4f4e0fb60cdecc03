"""Declared looks: which plan, which labels, and what is left for all other looks."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pandas as pd
import pytest

from core.calibration.checks.looks import (
    DECLARED_SHARE,
    OF_ONE_KIND,
    DeclaredLook,
    declared_look,
    level_alone,
    level_of_any_look,
    level_of_declared_look,
)
from core.calibration.checks.tries import independent_metrics
from core.calibration.dataset import join_scores
from core.labelling.consensus import ConsensusLabels, resolve_labels
from core.records.preregistration import Plan, RegisteredPlan
from core.scoring.provenance import Provenance
from core.scoring.score_table import ScoreTable
from core.statistics.multiplicity import independent_tests
from core.types import Criterion, Label

START = datetime(2027, 1, 1, tzinfo=UTC)
PLAN = RegisteredPlan("c", 1, Plan("c", 2, 0.8, 0.1, metrics=("m",)), 1, "eva", 0, "", START, "hash")


def judged(*minutes: float) -> ConsensusLabels:
    labels = [Label(f"s{k}", "c", 1, at=START + timedelta(minutes=at)) for k, at in enumerate(minutes)]
    return resolve_labels(labels, Criterion("c"))


def test_the_first_labels_in_time_are_looked_at() -> None:
    assert declared_look([PLAN], judged(3, 1, 2)) == DeclaredLook(2, ("m",), frozenset({"s1", "s2"}))
    early = declared_look([PLAN], judged(3))
    assert early is not None and not early.is_due


def test_the_last_plan_before_all_labels_counts() -> None:
    later = replace(PLAN, version=2, plan=replace(PLAN.plan, n=3), at=START + timedelta(minutes=2))
    found = declared_look([PLAN, later], judged(3, 4, 5))
    assert found is not None and found.n == 3
    assert declared_look([replace(PLAN, labels_before=1)], judged(3)) is None
    assert declared_look([later], judged(1)) is None
    assert declared_look([], judged(1)) is None


def test_where_nobody_knows_which_labels_were_first_there_is_no_such_look() -> None:
    found = declared_look([PLAN], judged(1, 2, 2))
    assert found is not None and not found.is_due


def test_all_looks_together_have_the_whole_chance() -> None:
    declared = DeclaredLook(2, (), frozenset({"a", "b"}))
    assert level_of_declared_look() == pytest.approx(OF_ONE_KIND * DECLARED_SHARE)
    assert level_alone(["a", "b"], declared) == level_of_declared_look()
    assert level_alone(["a", "b", "x"], declared) == level_of_any_look(3, declared=declared) < level_of_any_look(3)


def test_independent_tests_of_known_cases() -> None:
    assert independent_tests(np.eye(1), 0.01) == 1
    assert independent_tests(np.ones((5, 5)), 0.01) == pytest.approx(1)
    # Of K independent ones any rejects with 1 − (1 − α)^K.
    assert independent_tests(np.eye(5), 0.01) == pytest.approx((1 - 0.99**5) / 0.01, rel=0.01)
    # Of two with correlation ρ, P(both) is known: 2α − P(Z₁ > z, Z₂ > z), by the bivariate normal.
    from scipy.stats import multivariate_normal, norm

    z = norm.isf(0.01)
    both = multivariate_normal.cdf([-z, -z], cov=[[1, 0.8], [0.8, 1]])
    assert independent_tests([[1, 0.8], [0.8, 1]], 0.01) == pytest.approx((0.02 - both) / 0.01, rel=0.01)


def test_metrics_that_are_alike_count_as_fewer_and_few_fails_as_all() -> None:
    rng, n = np.random.default_rng(1), 200
    common = rng.normal(size=n)
    names = ("groundedness", "completeness", "context_relevancy", "answer_length")
    columns = {name: common + 0.1 * rng.normal(size=n) for name in names}
    frame = pd.DataFrame(columns, index=pd.Index([f"s{k}" for k in range(n)], name="sample_id", dtype="str"))
    scores = ScoreTable(frame, Provenance("0", "r", names))

    def counted(fails: int) -> tuple[int, float]:
        labels = [Label(f"s{k}", "c", int(k >= fails)) for k in range(n)]
        data = join_scores(labels, scores, criterion=Criterion("c"), metrics=names[:1])
        return independent_metrics(scores, data, names, level=0.001)

    metrics, independent = counted(60)
    assert metrics == 4 and 2 <= independent < 3  # answer_length has no direction, and counts as a whole one
    assert counted(9) == (4, 4.0)
