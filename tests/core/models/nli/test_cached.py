"""Distances kept by text: the same bits as fresh ones, each pair judged once, resumable."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from hcat.core.models.cache import MemoryEmbeddings, ParquetEmbeddings
from hcat.core.models.nli import cached as entailment_kept
from hcat.core.models.nli.cached import KIND, CachedEntailment, pair_key
from hcat.core.models.nli.entailment import EntailmentResult

PAIRS = [("a b", "c"), ("premise", "hypothesis"), ("a b", "c"), ("", "")]


class Thirds:
    """D is a third of the premise's length: a number that 32 bits do not hold."""

    name, revision, pieces = "thirds", "cd" * 32, 64

    def __init__(self, fail_after: int = 1000) -> None:
        self.calls: list[list[tuple[str, str]]] = []
        self._fail_after = fail_after

    def entail(self, pairs: Sequence[tuple[str, str]]) -> EntailmentResult:
        if len(self.calls) == self._fail_after:
            raise InterruptedError
        self.calls.append(list(pairs))
        return EntailmentResult.of(np.array([len(premise) / 3 for premise, _ in pairs]))


def test_rows_follow_the_pairs_and_each_distinct_one_is_judged_once() -> None:
    model = Thirds()
    found = CachedEntailment(model).entail(PAIRS)
    assert found.D.tolist() == [float(np.float32(n / 3)) for n in (3, 7, 3, 0)]
    assert [len(call) for call in model.calls] == [3]
    assert found.score[3] == 0.5  # σ(0)
    assert CachedEntailment(model).entail([]).n == 0


def test_a_kept_distance_is_bitwise_a_fresh_one(tmp_path: Path) -> None:
    fresh = CachedEntailment(Thirds(), MemoryEmbeddings()).entail(PAIRS)
    CachedEntailment(Thirds(), ParquetEmbeddings(str(tmp_path), revision=Thirds.revision, kind=KIND)).entail(PAIRS)
    idle = Thirds()
    again = CachedEntailment(idle, ParquetEmbeddings(str(tmp_path), revision=Thirds.revision, kind=KIND)).entail(PAIRS)
    assert idle.calls == []
    assert (again.D == fresh.D).all() and (again.score == fresh.score).all()
    assert {path.parent.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.parquet")} == {
        f"entailment/{Thirds.revision[:16]}"
    }


def test_interrupted_judging_goes_on_from_what_was_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entailment_kept, "CHUNK_SIZE", 2)
    pairs = [("p" * n, "h") for n in range(6)]

    def store() -> ParquetEmbeddings:
        return ParquetEmbeddings(str(tmp_path), revision=Thirds.revision, kind=KIND)

    with pytest.raises(InterruptedError):
        CachedEntailment(Thirds(fail_after=2), store()).entail(pairs)
    rest, done = Thirds(), []
    CachedEntailment(rest, store(), on_done=lambda *step: done.append(step)).entail(pairs)
    assert rest.calls == [pairs[4:]]
    assert done == [(2, 6), (4, 6), (6, 6)]


def test_where_the_hypothesis_begins_is_part_of_the_key() -> None:
    assert pair_key(("a", "bc")) != pair_key(("ab", "c"))
    assert pair_key(("1", ":x")) != pair_key(("1:", "x"))
    assert len(pair_key(("\ud800", "x"))) == 64
