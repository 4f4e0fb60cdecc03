"""Two runs in the same slices, paired by sample."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hcat.core.capabilities.estimates.wording.paired import paired_sentences, paired_slice_sentence, until_paired
from hcat.core.errors import HcatError
from hcat.core.figures.paired_heatmap import paired_heatmap, paired_slice
from hcat.core.figures.shading import PALE_BETTER, PALE_WORSE
from hcat.core.slices.paired import PairedSlices, PairedValues, compare_slices, pair_by_sample
from hcat.core.slices.verdicts import n_until_shown
from hcat.core.types import Direction, Slice
from hcat.core.wording.figures import heatmap_in_words, scale_sentence

IDS = [f"q{i}" for i in range(120)]
FRAME = pd.DataFrame(
    {
        "topic": pd.Categorical([f"t{i % 3}" for i in range(120)]),
        "kind": pd.Categorical([("easy", "hard")[i % 2] for i in range(120)]),
        "rare": pd.Categorical(["once"] * 4 + ["often"] * 116),
    },
    index=pd.Index(IDS, dtype="str"),
)


def compared(direction: Direction = "higher", *, clusters: list[str] | None = None) -> PairedSlices:
    """The first run is 0.3 lower where topic is t2, and alike elsewhere."""
    rng = np.random.default_rng(5)
    other = rng.uniform(0.4, 0.8, 120)
    own = other + rng.normal(0, 0.05, 120) - 0.3 * (FRAME["topic"] == "t2").to_numpy()
    return compare_slices(
        FRAME,
        PairedValues(own, other, clusters or IDS),
        runs=("new", "old"),
        metric="m",
        direction=direction,
        by=["topic", "kind", "rare"],
        within=(0.0, 1.0),
    )


def test_a_planted_difference_is_found_in_its_slices_only() -> None:
    found = compared()
    verdicts = {each.slice.title: each.verdict for each in found.slices}
    assert verdicts["topic = t2"] == "lower"
    assert verdicts["topic = t2, kind = hard"] == "lower"
    assert verdicts["topic = t0"] == verdicts["topic = t1, kind = easy"] == "not shown to differ"
    assert verdicts["rare = once"] == "insufficient evidence"
    (t2,) = (each for each in found.slices if each.slice == Slice("topic", "t2"))
    assert t2.n == 40
    assert t2.difference.value == pytest.approx(t2.mean - t2.mean_against) == pytest.approx(-0.3, abs=0.03)
    assert t2.difference.low < -0.27 < t2.difference.high
    assert found.overall.difference.value == pytest.approx(-0.1, abs=0.02)


def test_clusters_count_once() -> None:
    tied = compared(clusters=[f"c{i // 6}" for i in range(120)])
    (t2,) = (each for each in tied.slices if each.slice == Slice("topic", "t2"))
    assert (t2.n, t2.cases) == (40, 20)
    (pair,) = (each for each in tied.slices if each.slice == Slice("topic", "t2", "kind", "hard"))
    assert (pair.n, pair.cases) == (20, 20)
    alike = compared(clusters=[f"c{i // 24}" for i in range(120)])
    assert {each.verdict for each in alike.slices} == {"insufficient evidence"}  # five clusters


def test_the_heatmap_of_differences_is_coloured_by_evidence() -> None:
    found = compared()
    order = (("t0", "t1", "t2", "empty"), ("easy", "hard"))
    data = paired_heatmap(found, rows="topic", columns="kind", order=order)
    turned = paired_heatmap(found, rows="kind", columns="topic", order=order[::-1])
    assert (data.rows, data.columns) == (("t0", "t1", "t2"), ("easy", "hard")) == (turned.columns, turned.rows)
    shades = {(cell.level_1, cell.level_2): cell.shade for cell in data.cells}
    assert shades["t2", "hard"] == 0  # more than a fifth of the range
    assert {shades["t0", "easy"], shades["t1", "hard"]} <= {PALE_WORSE, PALE_BETTER}
    better = paired_heatmap(compared("lower"), rows="topic", columns="kind", order=order)
    assert {cell.shade for cell in better.cells if cell.level_1 == "t2"} == {7}
    (worst,) = [cell for cell in data.cells if (cell.level_1, cell.level_2) == ("t2", "hard")]
    assert data.text(worst).startswith("−0.")
    assert "run old" in scale_sentence(data) and "t2 × " in heatmap_in_words(data, title="m")
    said = paired_slice_sentence(paired_slice(found, Slice("kind", "hard", "topic", "t2")), found)
    assert said.startswith("Lower than old") and "in new" in said
    assert "new less old, over 120 pairs" in paired_sentences(found)[0]


def test_samples_are_paired_by_id_and_else_by_test_case() -> None:
    paired = pair_by_sample(
        ["a", "b", "c", "d"],
        {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0},
        {"a": 0.5, "b-1": 1.0, "b-2": 2.0, "c": math.nan},
        clusters=({"a": "a", "b": "B", "c": "c", "d": "d"}, {"a": "a", "b-1": "B", "b-2": "B", "c": "c"}),
    )
    assert paired.clusters == ["a", "B", "c", "d"]
    assert paired.against.tolist()[:2] == [0.5, 1.5]
    assert np.isnan(paired.against[2:]).all()
    with pytest.raises(HcatError):
        compare_slices(FRAME, paired, runs=("a", "b"), metric="m", direction="higher", by=["nope"])


def test_differences_that_are_not_shown_say_how_many_pairs_would_show_them() -> None:
    found = compared()
    [said] = until_paired(found)
    nearest = min(
        (n, each.slice.title)
        for each in found.slices
        if (n := n_until_shown(each.p, each.q, each.n, error=found.q)) is not None
    )
    assert said.startswith("In some slices the two runs do not differ significantly (q > 0.05). Pairs needed")
    assert f"with 80% power: {nearest[1]}: about {nearest[0]:,} scored pairs" in said
    assert said == paired_sentences(found)[-1]
    people = replace(found, metric="pass_rate:correctness")
    assert "labelled pairs" in until_paired(people)[0]
    shown = replace(found, slices=tuple(each for each in found.slices if each.q <= found.q))
    assert shown.slices and until_paired(shown) == ()


def test_more_pairs_are_needed_the_weaker_the_evidence_and_the_larger_the_family() -> None:
    needed = [n_until_shown(p, q, 40, error=0.05) for p, q in ((0.04, 0.06), (0.04, 0.4), (0.2, 0.4), (0.9, 0.95))]
    assert all(n is not None for n in needed)
    assert needed == sorted(needed, key=lambda n: n or 0) and (needed[0] or 0) > 40
    assert n_until_shown(0.001, 0.01, 40, error=0.05) is None  # shown
    assert n_until_shown(1.0, 1.0, 40, error=0.05) is None
    assert n_until_shown(math.nan, math.nan, 40, error=0.05) is None
