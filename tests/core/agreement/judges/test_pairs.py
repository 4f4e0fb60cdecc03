"""Biases of judges on pairs in both orders: by hand, and on the verdicts recorded for JudgeBench."""

from __future__ import annotations

import gzip
import json
import math

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from core.agreement.judges.pair_file import read_pair_verdicts
from core.agreement.judges.pairs import (
    POSITION,
    SELF,
    VERBOSITY,
    PairVerdict,
    pair_biases,
)
from core.errors import FileFormatError
from core.settings import ROOT
from core.statistics.multiplicity import holm

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


def test_long_answers_that_are_right_are_no_bias() -> None:
    right = [PairVerdict(str(n), "j", "A", "A", "A", 200, 100) for n in range(20)]
    wrong = [PairVerdict(str(n), "j", "A", "A", "B", 200, 100) for n in range(20)]
    assert pair_biases(right)[0].effect(VERBOSITY).effect.value == 0
    biased = pair_biases(wrong)[0].effect(VERBOSITY)
    assert biased.effect.value == 1
    assert biased.is_flagged


def test_self_preference_needs_pairs_across_families() -> None:
    rows = [PairVerdict(str(n), "j", "A", "A", "B", model_a="gpt-4o", model_b="claude-3") for n in range(20)]
    assert "no pair" in pair_biases(rows)[0].effect(SELF).why_not
    own = pair_biases(rows, own={"j": "GPT"})[0].effect(SELF)
    assert (own.effect.value, own.is_flagged) == (1, True)
    assert pair_biases(rows, own={"j": "claude"})[0].effect(SELF).effect.value == -1


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
    assert haiku.low > 0.1  # an answer gains more than ten points by standing first
