"""The sums of cells that passes over several dimensions come to, against counting each cell by itself."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.records.samples.columns import Levels
from hcat.core.refusals.state import ANSWER_STATES
from hcat.core.slices.cells import sums as cell_sums
from hcat.core.slices.cells.counts import rows_of
from hcat.core.slices.cells.sums import Pair, joint_passes, sum_cells
from hcat.core.slices.marginal import Grouping
from hcat.core.statistics.exact_sums import exact_values


def groupings(levels: list[int], n: int, rng: np.random.Generator) -> list[Grouping]:
    return [
        Grouping(f"d{place}", rng.integers(0, count, n), tuple(map(str, range(count))))
        for place, count in enumerate(levels)
    ]


@pytest.mark.parametrize("most", [1, 40, 10_000])
@pytest.mark.parametrize("known", [True, False])
def test_each_cell_holds_what_its_rows_do(most: int, known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cell_sums, "MOST_JOINT", most)
    rng = np.random.default_rng(7)
    own = groupings([4, 1, 3, 5, 2], 300, rng)
    of: list[Pair] = [(one, None) for one in own[:3]] + [(own[3], own[0]), *combinations(own, 2)]
    values = rng.beta(2, 2, 300)
    scored = rng.random(300) < 0.8
    known_states = (*ANSWER_STATES, None)
    states = [known_states[place] for place in rng.integers(0, len(known_states), 300)]
    rows, exact = rows_of(300, Levels.of(states) if known else None), exact_values(values[scored]).spread(scored)
    for (one, two), sums in zip(of, sum_cells(of, rows, exact), strict=True):
        counts = sums.counted(states=known)
        moments = sums.moments(exact, counts.places)
        at = 0
        for first in range(len(one.levels)):
            for second in range(1 if two is None else len(two.levels)):
                inside = (one.codes == first) & (two is None or two.codes == second)
                if not inside.any():
                    continue
                place = first * (1 if two is None else len(two.levels)) + second
                assert counts.places[at] == place and counts.n[at] == inside.sum()
                assert counts.samples[at] == rows.numbers[inside].sum()
                here = inside & scored
                if known:
                    assert counts.states is not None
                    names = [states[row] for row in np.flatnonzero(inside)]
                    assert counts.states[:, at].tolist() == [names.count(state) for state in ANSWER_STATES]
                assert moments.n[at] == here.sum()
                if here.any():
                    assert moments.means()[at] == pytest.approx(values[here].mean(), rel=1e-14)
                    assert moments.squares_about_means()[at] == pytest.approx(
                        here.sum() * values[here].var(), abs=1e-13
                    )
                at += 1
        assert at == len(counts.places)


@given(st.lists(st.integers(1, 60), min_size=1, max_size=9), st.data())
def test_every_wanted_pair_is_part_of_a_pass(levels: list[int], data: st.DataObject) -> None:
    possible = [(place,) for place in range(len(levels))] + list(combinations(range(len(levels)), 2))
    wanted = data.draw(st.lists(st.sampled_from(possible)))
    passes = list(joint_passes(levels, wanted))
    assert all(any(set(pair) <= set(chosen) for chosen in passes) for pair in wanted)
    # A pass is within bounds, or no more than one pair; and none is there for nothing.
    assert all(len(c) <= 2 or np.prod([levels[p] for p in c]) <= cell_sums.MOST_JOINT for c in passes)
    assert len(passes) <= len(set(map(frozenset, wanted)))


def test_twenty_dimensions_take_less_than_half_as_many_passes_as_they_have_pairs() -> None:
    assert len(list(joint_passes([20] * 20, list(combinations(range(20), 2))))) < 95
