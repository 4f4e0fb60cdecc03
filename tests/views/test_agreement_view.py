"""What people see of how far annotators agree, who is strict, and who drifts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from hcat.core.capabilities.agreement.drift import drifts
from hcat.core.capabilities.agreement.leniency import leniencies
from hcat.core.capabilities.agreement.ratings import ratings
from hcat.core.capabilities.agreement.summary import agreement, agreement_by_level, pair_agreements
from hcat.core.capabilities.agreement.view import agreement_view, drift_view, leniency_view, levels_view, pairs_view
from hcat.core.types import Criterion, Label
from hcat.core.view.view import View
from tests.views import snapshots

CRITERION = Criterion("correctness")
START = datetime(2025, 3, 1, tzinfo=UTC)


def label(k: int, name: str, *, passes: bool, criterion: str = "correctness") -> Label:
    return Label(f"s{k}", criterion, int(passes), name, at=START + timedelta(minutes=k))


@pytest.fixture(scope="module")
def labels() -> list[Label]:
    """Bob is strict on the first 20 samples and lenient after; cy shares too few samples with the others."""
    made = [label(k, "ann", passes=k % 4 > 0) for k in range(40)]
    made += [label(k, "bob", passes=k % 4 > 1 and k > 19) for k in range(40)]
    return made + [label(k, "cy", passes=k % 5 > 0) for k in range(35, 60)]


def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def test_all_levels_and_pairs(labels: list[Label], capsys: pytest.CaptureFixture[str]) -> None:
    table = ratings(labels, criterion=CRITERION)
    kinds = {f"s{k}": "few" if k < 5 else "many" for k in range(60)}
    whole = agreement(table, criterion=CRITERION, rng=rng(), replicates=200)
    levels = agreement_by_level(table, kinds, criterion=CRITERION, rng=rng(), replicates=200)
    pairs = pair_agreements(table, criterion=CRITERION, rng=rng(), replicates=200)

    def view() -> View:
        return View(
            (
                *agreement_view(whole, "correctness", "r1").blocks,
                *levels_view(levels, "kind").blocks,
                *pairs_view(pairs).blocks,
            )
        )

    snapshots.check("agreement", view, capsys)


def test_labels_nearly_all_alike(capsys: pytest.CaptureFixture[str]) -> None:
    alike = [label(k, name, passes=k > 0) for k in range(40) for name in ("ann", "bob")]
    whole = agreement(ratings(alike, criterion=CRITERION), criterion=CRITERION, rng=rng(), replicates=200)
    snapshots.check("agreement-alike", lambda: agreement_view(whole, "correctness"), capsys)


def test_who_is_strict_and_who_drifts(labels: list[Label], capsys: pytest.CaptureFixture[str]) -> None:
    apart = leniencies(ratings(labels, criterion=CRITERION), criterion=CRITERION)
    over_time = drifts(labels, criterion=CRITERION, rng=rng(), permutations=200)
    snapshots.check("annotators", lambda: View((*leniency_view(apart).blocks, *drift_view(over_time).blocks)), capsys)
