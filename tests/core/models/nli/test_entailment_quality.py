"""The default entailment model is worth its seconds: on small wrong details it beats words, cosines and numbers."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from benchmarks.quality import (
    COMBINED_ABOVE,
    Quality,
    above_overlap,
    drawn,
    methods,
    quality,
    ranked_right,
    standings,
    weighted_areas,
)
from benchmarks.quality_sets import handbook_edits, public_sets
from hcat.core.models.nli.loading import load_entailment

DATA = Path(__file__).parents[4].parent / "shared/data"


def areas(claims):
    truth = [claim.true for claim in claims]
    return {name: roc_auc_score(truth, values) for name, values in methods(claims, load_entailment()).items()}


def test_small_edits_of_the_handbook_are_told_from_the_truth():
    found = areas(drawn(handbook_edits().claims, 60))
    model = found["groundedness_nli_min"]
    assert model > 0.75
    assert model > found["token_groundedness"] + 0.05
    assert model > found["groundedness_min"] + 0.15


@pytest.mark.realdata
@pytest.mark.skipif(not DATA.is_dir(), reason="the public data sets are not beside the repository")
def test_held_out_dialogue_claims():
    begin = next(iter(public_sets(DATA)))
    found = areas(drawn(begin.claims, 60))
    assert found["groundedness_nli"] > 0.8
    assert found["token_groundedness"] > 0.85  # the opponent, read the same way


def test_quality_of_a_perfect_a_blind_and_an_inverted_method():
    truth, groups = np.array([True, False] * 20), np.array([str(index // 4) for index in range(40)])
    perfect = quality(truth, truth.astype(float), groups)
    assert (perfect.auc, perfect.low, perfect.high) == (1.0, 1.0, 1.0)
    assert quality(truth, np.zeros(40), groups).auc == 0.5
    assert quality(truth, -truth.astype(float), groups).auc == 0.0


def test_areas_with_counts_are_those_of_repeated_rows():
    rng = np.random.default_rng(4)
    truth, values = rng.uniform(size=30) < 0.5, rng.integers(5, size=30).astype(float)
    counts = rng.integers(3, size=(20, 30))
    repeated = [roc_auc_score(np.repeat(truth, row), np.repeat(values, row)) for row in counts]
    assert weighted_areas(truth, values, counts.astype(float)) == pytest.approx(repeated)
    assert np.isnan(weighted_areas(truth, values, truth[None, :].astype(float))[0])  # no wrong claim was drawn


def test_claims_of_one_document_are_ranked_with_ties_at_half():
    truth = np.array([True, False, True, False, True, True])
    values = np.array([0.9, 0.1, 0.5, 0.5, 0.2, 0.3])
    documents = np.array(["a", "a", "b", "b", "c", "c"])
    ranked = ranked_right(truth, values, documents, documents)
    assert (ranked.value, ranked.n) == (0.75, 2)  # right in a, tied in b; c has no wrong claim


def test_twins_stay_together_in_a_draw():
    claims = drawn(handbook_edits().claims, 20)
    assert [claim.true for claim in claims] == [True, False] * 10
    assert all(a.group == b.group for a, b in zip(claims[::2], claims[1::2], strict=True))


@pytest.mark.realdata
@pytest.mark.skipif(not DATA.is_dir(), reason="the public data sets are not beside the repository")
def test_no_document_of_the_training_pairs_is_measured():
    from training.sources import counterfactual_pairs, grounded_pairs

    held = {
        claim.group
        for one in public_sets(DATA)
        if "BEGIN" in one.name or "FaithDial" in one.name
        for claim in one.claims
    }
    used = {pair.group for pair in grounded_pairs(DATA) if pair.split != "test"}
    assert used and held and not used & held
    tested = {(c.context, c.text) for one in public_sets(DATA) if "NLI" in one.name for c in one.claims}
    fit = [pair for pair in counterfactual_pairs(DATA) if pair.split == "train"]
    assert tested and not {text for pair in tested for text in pair} & {
        t for p in fit for t in (p.premise, p.hypothesis)
    }


def test_the_difference_from_overlap_is_paired():
    rng = np.random.default_rng(6)
    truth, groups = rng.uniform(size=120) < 0.5, np.array([str(index // 3) for index in range(120)])
    overlap = truth + rng.normal(0, 1.5, 120)
    alike = above_overlap(truth, overlap, overlap, groups)
    assert (alike.auc, alike.low, alike.high) == (0.0, 0.0, 0.0)
    better = above_overlap(truth, truth.astype(float), overlap, groups)
    assert better.auc == pytest.approx(1.0 - roc_auc_score(truth, overlap))
    alone = quality(truth, overlap, groups)  # the perfect method's area is 1 in every draw
    assert (better.low, better.high) == pytest.approx((1.0 - alone.high, 1.0 - alone.low))


def test_a_set_is_better_level_or_worse_by_where_the_interval_of_the_difference_lies():
    differences = {"a": (0.2, 0.1, 0.3), "b": (-0.1, -0.2, -0.01), "c": (-0.1, -0.2, 0.0), "d": (0.1, 0.02, 0.2)}
    qualities = {name: Quality(*values) for name, values in differences.items()}
    assert [each.standing for each in qualities.values()] == ["better", "worse", "level", "better"]
    rows = {name: {COMBINED_ABOVE: f"{each}, {each.standing}"} for name, each in qualities.items()}
    lines = list(standings({**rows, "without": {"answer_recall": "0.9"}}))
    assert lines[0].endswith("against token overlap, 4 sets: better on 2, level on 1, worse on 1")
    assert [line.split()[0] for line in lines[2:]] == ["a", "b", "c", "d"]
    assert lines[3].endswith("-0.100 [-0.200, -0.010], worse")
