"""Every metric says its formula, in LaTeX that closes what it opens."""

from __future__ import annotations

import re

import pytest

from hcat.core.metrics.registry import METRICS, Metric


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_a_metric_has_a_formula(metric: Metric) -> None:
    bare = re.sub(r"\\[{}]", "", metric.formula)
    assert bare
    depth = 0
    for sign in bare:
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0, metric.formula
    assert depth == 0, metric.formula
    assert "$" not in metric.formula


def test_a_cut_off_stands_in_its_own_formula() -> None:
    known = {metric.name: metric.formula for metric in METRICS}
    for name in ("precision@8", "recall@16", "ndcg@8", "precision@100"):
        assert "{" + name.split("@")[1] + "}" in known[name]
