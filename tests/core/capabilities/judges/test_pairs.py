"""Biases of judges on pairs in both orders: by hand, and on the verdicts recorded for JudgeBench."""

from __future__ import annotations

import gzip
import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from hcat.core.capabilities.judges.pair_file import read_pair_verdicts
from hcat.core.capabilities.judges.pairs import (
    POSITION,
    SELF,
    VERBOSITY,
    Choice,
    PairVerdict,
    pair_biases,
)
from hcat.core.errors import FileFormatError
from hcat.core.settings import ROOT
from hcat.core.statistics.multiplicity import holm, holm_levels

RECORDED = ROOT.parent / "shared" / "data" / "safety" / "judgebench_verdicts.jsonl.gz"


def test_four_pairs_by_hand() -> None:
    rows = [
        PairVerdict("1", "j", "A", "A", "A"),  # right both times
        PairVerdict("2", "j", "A", "B", "A"),  # whatever stands first
        PairVerdict("3", "j", "A", "B", "B"),  # whatever stands first
        PairVerdict("4", "j", "tie", "B", "B"),
    ]
    [bias] = pair_biases(rows)
    assert bias.accuracy.value == 2 / 4  # pairs 1 and 4
    assert bias.consistent.value == 1 / 4
    assert bias.first_slot.value == pytest.approx(6 / 7)  # of seven decided verdicts, all but pair 1's second
    assert bias.accuracy_if_first.value == 4 / 4
    assert bias.accuracy_if_second.value == 1 / 4
    # A's share when first less when second: 0, 1, 1, ½
    assert bias.effect(POSITION).effect.value == pytest.approx(2.5 / 4)
    assert math.isnan(bias.effect(POSITION).p)  # four pairs are too few to test


def judged(longer_is_right: bool, errors: int, n: int = 20) -> list[PairVerdict]:
    """Pairs with the longer answer A, of which the judge gets the first so many wrong, in both orders."""
    right: Choice = "A" if longer_is_right else "B"
    wrong: Choice = "B" if longer_is_right else "A"
    name = "long" if longer_is_right else "short"
    return [
        PairVerdict(f"{name} {k}", "j", *((wrong, wrong) if k < errors else (right, right)), right, 200, 100)
        for k in range(n)
    ]


def test_a_bias_of_length_is_half_the_difference_of_two_error_rates_by_hand() -> None:
    effect = pair_biases([*judged(True, 2), *judged(False, 12)])[0].effect(VERBOSITY)
    assert effect.error_against is not None and effect.error_for is not None
    assert (effect.error_against.value, effect.error_for.value) == (2 / 20, 12 / 20)
    assert effect.effect.value == pytest.approx((12 / 20 - 2 / 20) / 2)
    assert effect.is_flagged and effect.effect.low > 0
    level = 1 - 0.05 / 2  # two effects are tested, and Holm's procedure begins with this one
    assert effect.effect.level == pytest.approx(level)
    # Newcombe's hybrid of Wilson's bounds of 2 and of 12 of 20 pairs, each of two equal verdicts: an effective n of 19
    # in the share of the variance that 40 verdicts show, else of 20, and less by (z/t)² with 19 degrees of freedom.
    few = (stats.norm.isf(0.0125) / stats.t.isf(0.0125, 19)) ** 2
    at_half = [(40 * share + 0.5) / 41 for share in (0.1, 0.6)]
    seen = [40 * share * (1 - share) / (41 * at * (1 - at)) for share, at in zip((0.1, 0.6), at_half, strict=True)]
    n, of_toward = (few / (shown / 19 + (1 - shown) / 20) for shown in seen)
    against = proportion_confint(0.1 * n, n, 1 - level, "wilson")
    toward = proportion_confint(0.6 * of_toward, of_toward, 1 - level, "wilson")
    assert effect.effect.low == pytest.approx((0.5 - math.hypot(0.6 - toward[0], against[1] - 0.1)) / 2)
    # Of two errors the lower bound is Poisson's, not Wilson's.
    least = stats.gamma.ppf(1 - level, 0.1 * n) / n
    assert effect.effect.high == pytest.approx((0.5 + math.hypot(toward[1] - 0.6, 0.1 - least)) / 2)


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_errors_that_are_as_frequent_either_way_are_no_bias(share: float) -> None:
    """However often the longer answer is the right one; it used to be one wherever that was not one half."""
    rows = [
        *judged(True, int(30 * share), int(100 * share)),
        *judged(False, 30 - int(30 * share), 100 - int(100 * share)),
    ]
    effect = pair_biases(rows)[0].effect(VERBOSITY)
    assert effect.effect.value == pytest.approx(0, abs=0.01)
    assert not effect.is_flagged


def test_where_the_right_answer_is_always_longer_nothing_can_be_said() -> None:
    effect = pair_biases(judged(True, 3))[0].effect(VERBOSITY)
    assert math.isnan(effect.effect.value) and math.isnan(effect.p)
    assert effect.why_not == "the right answer is never the shorter one"


def test_self_preference_needs_pairs_across_families() -> None:
    rows = [replace(row, model_a="gpt-4o", model_b="claude-3") for row in (*judged(True, 0), *judged(False, 20))]
    assert "no pair" in pair_biases(rows)[0].effect(SELF).why_not
    own = pair_biases(rows, own={"j": "GPT"})[0].effect(SELF)
    assert (own.effect.value, own.is_flagged) == (0.5, True)  # it prefers A whichever is right
    assert pair_biases(rows, own={"j": "claude"})[0].effect(SELF).effect.value == -0.5


@given(st.lists(st.tuples(st.sampled_from("ABt"), st.sampled_from("ABt"), st.booleans()), min_size=10, max_size=40))
def test_the_interval_leaves_0_out_exactly_where_an_effect_is_flagged(given: list[tuple[str, str, bool]]) -> None:
    said: dict[str, Choice] = {"A": "A", "B": "B", "t": "tie"}
    rows = [
        PairVerdict(str(k), "j", said[one], said[two], "A" if right else "B", 2, 1)
        for k, (one, two, right) in enumerate(given)
    ]
    for effect in pair_biases(rows)[0].effects:
        if not math.isnan(effect.p):
            assert (effect.effect.low > 0 or effect.effect.high < 0) == effect.is_flagged


def test_the_second_decision_names_the_answers_as_they_stood() -> None:
    line = {"judge": "j", "pair_id": "1", "label": "A>B", "decisions": ["A>B", "A>B"]}
    [row] = read_pair_verdicts(json.dumps(line))
    assert (row.a_first, row.b_first) == ("A", "B")  # the same slot won twice: two different answers


@pytest.mark.parametrize(
    "text", ["", "no json", "{}", '{"judge": "j", "pair_id": 1, "label": "A=B", "decisions": ["A>B", "A>B"]}',
             '{"judge": "j", "pair_id": 1, "label": "A>B", "decisions": ["A>B"]}',
             '{"judge": "j", "pair_id": 1, "label": "A>B", "decisions": ["A>B", "yes"]}'],
)  # fmt: skip
def test_what_are_no_verdicts_on_pairs_is_named(text: str) -> None:
    with pytest.raises(FileFormatError):
        read_pair_verdicts(text, name="v.jsonl")


def test_holm_is_that_of_statsmodels() -> None:
    p = np.random.default_rng(1).uniform(0, 0.1, size=20)
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1])
    with_gap = holm([0.01, math.nan, 0.04])
    assert with_gap[[0, 2]] == pytest.approx([0.02, 0.04])
    assert math.isnan(with_gap[1])
    # Three tests: .001 is tested at .05/3, .02 at .05/2, and .2 fails at .05/1.
    assert holm_levels([0.2, 0.001, 0.02, math.nan]) == pytest.approx([0.95, 1 - 0.05 / 3, 0.975, 0.95])


@pytest.mark.realdata
@pytest.mark.skipif(not RECORDED.is_file(), reason="the recorded verdicts are not there")
def test_recorded_verdicts_give_the_published_figures() -> None:
    """Accuracy .657 and .322, consistency .686 and .500, first slot .559 and .633; order decides for haiku, and not for
    reward models."""
    verdicts = read_pair_verdicts(gzip.decompress(RECORDED.read_bytes()).decode())
    by_judge = {bias.judge: bias for bias in pair_biases(verdicts)}
    assert len(by_judge) == 7
    expected = {"o1-mini-2024-09-12": (0.657, 0.686, 0.559), "claude-3-haiku-20240307": (0.322, 0.500, 0.633)}
    for judge, figures in expected.items():
        bias = by_judge[judge]
        assert tuple(round(each.value, 3) for each in (bias.accuracy, bias.consistent, bias.first_slot)) == figures
    assert round(by_judge["Skywork_Skywork-Reward-Gemma-2-27B"].accuracy.value, 3) == 0.643
    flagged = {judge for judge, bias in by_judge.items() if bias.effect(POSITION).is_flagged}
    assert flagged == set(expected)
    haiku = by_judge["claude-3-haiku-20240307"].effect(POSITION).effect
    assert (round(haiku.value, 3), haiku.low > 0.07) == (0.165, True)
    length = {judge: bias.effect(VERBOSITY) for judge, bias in by_judge.items()}
    assert round(length["claude-3-haiku-20240307"].effect.value, 3) == 0.013
    assert not length["claude-3-haiku-20240307"].is_flagged
