"""Cells that are kept: whatever happened before, they are those of counting anew, bit for bit."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hcat.core.records.samples.columns import Levels
from hcat.core.refusals.state import ANSWER_STATES
from hcat.core.slices.cells import cached as cached_cells
from hcat.core.slices.cells.cached import CachedCells, LabelStates, count_labels
from hcat.core.slices.cells.counts import Rows, rows_of
from hcat.core.slices.cells.sums import Pair, sum_cells
from hcat.core.slices.marginal import Grouping
from hcat.core.statistics.exact_sums import ExactValues, Whole, exact_values

N = 60


@pytest.fixture(autouse=True)
def small_runs_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached_cells, "WORTH_A_FILE", 0)


@dataclass
class Files:
    """Files in memory, which count how often they are written; a write may be lost."""

    content: dict[str, bytes] = field(default_factory=dict)
    written: int = 0
    lost: bool = False

    def read(self, name: str) -> bytes | None:
        return self.content.get(name)

    def write(self, name: str, content: bytes) -> None:
        self.written += 1
        if not self.lost:
            self.content[name] = content


@dataclass
class Run:
    """The columns of a run as they stand."""

    of: list[Pair]
    rows: Rows
    exact: ExactValues
    labels: LabelStates


def made_run(seed: int = 0) -> Run:
    rng = np.random.default_rng(seed)
    own = [Grouping(f"d{k}", rng.integers(0, 3, N), ("a", "b", "c")) for k in range(3)]
    known = (*ANSWER_STATES, None)
    states = [known[place] for place in rng.integers(0, len(known), N)]
    return Run(
        [*((one, None) for one in own), *combinations(own, 2)],
        rows_of(N, Levels.of(states)),
        scores(seed),
        labels_of(seed),
    )


def scores(seed: int) -> ExactValues:
    rng = np.random.default_rng([seed, 1])
    scored = rng.random(N) < 0.9
    return exact_values(rng.beta(2, 2, int(scored.sum()))).spread(scored)


def labels_of(seed: int) -> LabelStates:
    return np.random.default_rng([seed, 2]).integers(0, 3, N).astype(np.uint8)


def tables(cached: CachedCells | None, run: Run) -> list[Whole]:
    if cached is None:
        sums, labels = sum_cells(run.of, run.rows, run.exact), count_labels(run.of, run.labels)
    else:
        sums = cached.sum_cells(run.of, run.rows, run.exact)
        labels = cached.count_labels(run.of, "correctness", run.labels)
    return [*(each.counts for each in sums), *(each.values for each in sums), *labels]


def assert_as_anew(cached: CachedCells, run: Run) -> None:
    for found, anew in zip(tables(cached, run), tables(None, run), strict=True):
        np.testing.assert_array_equal(found, anew)


EVENTS = st.one_of(
    st.tuples(st.just("label"), st.integers(0, N - 1), st.integers(1, 2)),
    st.tuples(st.just("withdraw"), st.integers(0, N - 1), st.just(0)),
    st.tuples(st.just("adjudicate"), st.integers(0, N - 1), st.integers(0, 2)),
    st.tuples(st.just("score"), st.integers(0, 3), st.just(0)),
    st.tuples(st.just("dimensions"), st.integers(1, 6), st.just(0)),
    st.tuples(st.just("topics"), st.integers(0, 3), st.just(0)),
    st.tuples(st.just("run"), st.integers(0, 1), st.just(0)),
    st.tuples(st.just("lose the write"), st.just(0), st.just(0)),
    st.tuples(st.just("cut a file"), st.integers(0, 100), st.just(0)),
    st.tuples(st.just("flip a bit"), st.integers(0, 10**6), st.just(0)),
    st.tuples(st.just("older files"), st.just(0), st.just(0)),
)


def changed(run: Run, event: str, place: int, state: int) -> Run:
    if event in ("label", "withdraw", "adjudicate"):
        labels = run.labels.copy()
        labels[place] = state
        return replace(run, labels=labels)
    if event == "score":
        return replace(run, exact=scores(10 + place))
    if event == "topics":
        topic = Grouping("topic", np.random.default_rng([place, 3]).integers(0, 4, N), ("p", "q", "r", "s"))
        others = [pair for pair in run.of if "topic" not in [each.name for each in pair if each is not None]]
        return replace(run, of=[*others, (topic, None), (others[0][0], topic)])
    if event == "run":
        return made_run(place)
    return run


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(EVENTS, st.booleans()), max_size=12))
def test_after_any_events_the_cells_are_those_of_counting_anew(
    events: list[tuple[tuple[str, int, int], bool]],
) -> None:
    """Two processes share the files, each with the run as it saw it last."""
    files, older = Files(), dict[str, bytes]()
    runs = [made_run(), made_run()]
    for (event, place, state), second in events:
        own = int(second)
        run = runs[own] = changed(runs[own], event, place, state)
        shown = replace(run, of=run.of[:place]) if event == "dimensions" else run
        names = sorted(files.content)
        files.lost = event == "lose the write"
        if event == "cut a file" and names:
            name = names[place % len(names)]
            files.content[name] = files.content[name][: len(files.content[name]) * place // 100]
        elif event == "flip a bit" and names:
            name = names[place % len(names)]
            content = bytearray(files.content[name])
            if content:
                content[place % len(content)] ^= 1 << place % 8
            files.content[name] = bytes(content)
        elif event == "older files":
            files.content, older = older, files.content  # as from a backup
        assert_as_anew(CachedCells(files), shown)
    for run in runs:
        assert_as_anew(CachedCells(files), run)


def test_what_is_kept_is_not_summed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    files, run = Files(), made_run()
    first = tables(CachedCells(files), run)
    written = files.written

    def never(*_: object) -> None:
        raise AssertionError("summed again")

    monkeypatch.setattr(cached_cells, "cell_tables", never)
    monkeypatch.setattr(cached_cells, "count_labels", never)
    for found, before in zip(tables(CachedCells(files), run), first, strict=True):
        np.testing.assert_array_equal(found, before)
    assert files.written == written


def test_a_label_looks_at_its_own_row_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    files, run = Files(), made_run()
    tables(CachedCells(files), run)
    seen: list[int] = []

    def counted(of: list[Pair], states: LabelStates) -> list[Whole]:
        seen.append(len(states))
        return count_labels(of, states)

    monkeypatch.setattr(cached_cells, "count_labels", counted)
    labels = run.labels.copy()
    labels[7] = 2 - labels[7] // 2
    assert_as_anew(CachedCells(files), replace(run, labels=labels))
    assert seen == [1, 1]


def test_scores_of_another_metric_share_what_does_not_depend_on_them() -> None:
    files, run = Files(), made_run()
    tables(CachedCells(files), run)
    before = set(files.content)
    tables(CachedCells(files), replace(run, exact=scores(99)))
    assert [name.partition("-")[0] for name in set(files.content) - before] == ["values"]


def test_neither_names_nor_levels_are_in_the_files() -> None:
    files, run = Files(), made_run()
    secret = Grouping("of Jane Doe", run.of[0][0].codes, ("Jane Doe", "John Doe", "nobody"))
    cached = CachedCells(files)
    cached.sum_cells([(secret, None)], run.rows, run.exact)
    cached.count_labels([(secret, None)], "on Jane Doe", run.labels)
    assert len(files.content) == 3
    for name, content in files.content.items():
        assert b"Doe" not in content and "Doe" not in name
