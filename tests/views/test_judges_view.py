"""What people see of judges: beside people, swayed by what should not matter, and as a panel."""

from __future__ import annotations

import math

import pytest

from hcat.core.capabilities.judges.asked_pairs import AskedPair, PairJudgement
from hcat.core.capabilities.judges.funnel import FUNNEL
from hcat.core.capabilities.judges.manipulations import RefusalConsistency, ScoreBias, ScoreShift
from hcat.core.capabilities.judges.pairs import PairVerdict, pair_biases
from hcat.core.capabilities.judges.panel import Panel
from hcat.core.capabilities.judges.self_preference import SelfPreference
from hcat.core.capabilities.judges.view import (
    asked_pairs_view,
    beside_people_view,
    biases_view,
    both_levels_view,
    pair_biases_view,
    panel_view,
    self_preference_view,
)
from hcat.core.models.llm.language import Usage
from hcat.core.statistics.rank_correlation import RankCorrelations
from hcat.core.types import Estimate
from hcat.core.view.view import View
from tests.core.capabilities.report.test_judges_section import NAME, PASSES, PEOPLE, SHIFT, judged
from tests.views import snapshots

NOTHING = Estimate(math.nan, math.nan, math.nan, 0, 0.95, "t")


def test_beside_people(capsys: pytest.CaptureFixture[str]) -> None:
    many, few = (judged(n).beside[PEOPLE.name] for n in (40, 9))

    def view() -> View:
        beside = beside_people_view([(NAME, PEOPLE.name, many), ("second", PEOPLE.name, few)])
        return View((*beside.blocks, *both_levels_view(many, FUNNEL.criterion(NAME), PEOPLE).blocks))

    snapshots.check("judge-beside-people", view, capsys)


def test_biases(capsys: pytest.CaptureFixture[str]) -> None:
    biases = ScoreBias(
        (
            ScoreShift("verbosity", NAME, 40, SHIFT, PASSES, 0.001, 0.002),
            ScoreShift("authority", NAME, 40, SHIFT, PASSES, 0.4, 0.4),
            ScoreShift("position", NAME, 0, NOTHING, NOTHING, math.nan, math.nan),
        ),
        (RefusalConsistency(NAME, 0, NOTHING, NOTHING),),
        Usage(),
    )
    snapshots.check("judge-biases", lambda: biases_view(biases, 40), capsys)


def test_pairs_of_answers(capsys: pytest.CaptureFixture[str]) -> None:
    """j chooses whatever stands first; k, on few pairs, always the same answer."""
    verdicts = [
        *(PairVerdict(f"{n}", "j", "A", "B", "A" if n % 2 else "B", 2, 1 + n % 3) for n in range(30)),
        *(PairVerdict(f"{n}", "k", "A", "A", "A" if n % 2 else "B", 2, 1) for n in range(8)),
    ]
    biases = pair_biases(verdicts)
    snapshots.check("judge-pairs-recorded", lambda: pair_biases_view(biases), capsys)
    lacking = AskedPair(PairVerdict("30", "j", "A", None, None), unscored="no choice")
    judgement = PairJudgement(NAME, (*map(AskedPair, verdicts[:30]), lacking), Usage(), 0)
    snapshots.check("judge-pairs", lambda: asked_pairs_view(judgement, biases[0], ("first", "second")), capsys)
    nothing = PairJudgement(NAME, (lacking,), Usage(), 0)
    snapshots.check("judge-pairs-none", lambda: asked_pairs_view(nothing, None, ("first", "second")), capsys)


def test_self_preference(capsys: pytest.CaptureFixture[str]) -> None:
    found = (
        SelfPreference(NAME, 40, 3, SHIFT, PASSES, 0.001, 0.002),
        SelfPreference("helpful", 40, 3, SHIFT, PASSES, 0.4, 0.4),
        SelfPreference("polite", 0, 8, NOTHING, NOTHING, math.nan, math.nan),
    )
    snapshots.check("self-preference", lambda: self_preference_view(found), capsys)
    snapshots.check("self-preference-none", lambda: self_preference_view(found[1:]), capsys)


def test_panel(capsys: pytest.CaptureFixture[str]) -> None:
    rho = Estimate(0.5, 0.3, 0.7, 40, 0.95, "fisher")
    correlations = RankCorrelations(("a", "b", "c"), {("a", "b"): rho, ("a", "c"): None, ("b", "c"): rho})
    snapshots.check("panel", lambda: panel_view(Panel(("a", "b", "c"), correlations, 0.5, 1.5)), capsys)
