"""Scores by way of shards: the bits of `score_samples`, whatever was killed, damaged or left before."""

from __future__ import annotations

import functools
import json
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from hcat.core.errors import FileFormatError, ModelError, StorageError
from hcat.core.executors.executor import Work
from hcat.core.executors.local import LocalExecutor
from hcat.core.executors.shard import Shard
from hcat.core.executors.shard_folder import MANIFEST
from hcat.core.models.encoder.encoder import ENCODER, load_encoder
from hcat.core.models.model_set import ModelSet
from hcat.core.models.nli.loading import ENTAILMENT, load_entailment
from hcat.core.models.opened import OpenModels
from hcat.core.scoring.evaluate import score_samples
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.scoring.shards import shard as shards
from hcat.core.scoring.shards.sharded import SCORES, scored_in_shards
from hcat.core.types import Progress, Sample, Variant
from tests.core.executors.killing import ends_of_killed
from tests.core.scoring.shards.stub_run import METRICS, open_stub, score_some, stub_run

N, SIZE = 46, 10


@pytest.fixture(autouse=True)
def _small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "SHARD", SIZE)


class Counted(LocalExecutor):
    """Remembers the shards that it was given, and may stop after some of them."""

    def __init__(self, stop_after: int | None = None) -> None:
        self.scored: list[int] = []
        self._stop_after = stop_after

    def run(
        self,
        job: Work[Sample],
        given: Iterator[Shard[Sample]],  # type: ignore[override]
        on_done: Callable[[int], None],
        on_progress: Callable[[Progress], None] | None,
    ) -> None:
        def counted() -> Iterator[Shard[Sample]]:
            for shard in given:
                if self._stop_after is not None and len(self.scored) >= self._stop_after:
                    raise KeyboardInterrupt
                self.scored.append(shard.start)
                yield shard

        super().run(job, counted(), on_done, on_progress)


def _sharded(
    samples: Sequence[Sample],
    root: Path,
    executor: LocalExecutor | None = None,
    metrics: str | Sequence[str] = METRICS,
    open_models: Callable[[], OpenModels] = open_stub,
    on_progress: Callable[[Progress], None] | None = None,
) -> bytes:
    with scored_in_shards(
        samples,
        metrics=metrics,
        open_models=open_models,
        executor=executor or LocalExecutor(),
        root=str(root),
        on_progress=on_progress,
    ) as table:
        return table.to_bytes()


def _whole(samples: Sequence[Sample], metrics: str | Sequence[str] = METRICS) -> bytes:
    return score_samples(samples, metrics=metrics, models=open_stub().models).to_bytes()


def _files(root: Path) -> list[Path]:
    return [path for path in root.rglob("*") if path.is_file()]


@pytest.mark.parametrize("n", [0, 1, SIZE, N])
def test_shards_give_the_same_bytes_and_leave_no_files(tmp_path: Path, n: int) -> None:
    run = stub_run(n)
    assert _sharded(run, tmp_path) == _whole(run)
    assert not _files(tmp_path)


def test_clusters_designs_reasons_and_metrics_left_out_are_those_of_the_whole_run(tmp_path: Path) -> None:
    run = [replace(sample, test_case=f"case {number % 9}") for number, sample in enumerate(stub_run(N))]
    assert _sharded(run, tmp_path, metrics="all") == _whole(run, "all")
    linked = [
        *run[:20],
        *(replace(sample, test_case=None, variant=Variant("spelling", run[0].id)) for sample in run[20:30]),
        *(replace(sample, test_case=None, group="g", metadata={"probability": 0.5}) for sample in run[30:]),
    ]
    table = ScoreTable.from_bytes(_sharded(linked, tmp_path))
    assert table.to_bytes() == _whole(linked)
    assert table.provenance.cluster_sources == ("test case", "variant", "semantic group")


def test_a_metric_that_reads_the_whole_run_reads_all_of_it(tmp_path: Path) -> None:
    run = stub_run(30)
    models = functools.partial(_packaged, with_entailment=False)
    metrics = ["bertscore_f1_idf", "answer_f1"]
    expected = score_samples(run, metrics=metrics, models=models().models).to_bytes()
    assert _sharded(run, tmp_path, metrics=metrics, open_models=models) == expected
    part = score_samples(run[:SIZE], metrics=metrics, models=models().models)
    assert (
        part.values("bertscore_f1_idf").tolist()
        != ScoreTable.from_bytes(expected).values("bertscore_f1_idf")[:SIZE].tolist()
    )


def test_packaged_models_give_the_same_bits(tmp_path: Path) -> None:
    run = stub_run(24)
    metrics = ["groundedness_nli", "answer_relevancy", "bertscore_f1"]
    expected = score_samples(run, metrics=metrics, models=_packaged().models).to_bytes()
    assert _sharded(run, tmp_path, metrics=metrics, open_models=_packaged) == expected


def _packaged(*, with_entailment: bool = True) -> OpenModels:
    loaded = [ENCODER.of(load_encoder())]
    return OpenModels(ModelSet((*loaded, ENTAILMENT.of(load_entailment())) if with_entailment else tuple(loaded)))


def test_what_was_scored_before_an_interruption_is_not_scored_again(tmp_path: Path) -> None:
    run = stub_run(N)
    with pytest.raises(KeyboardInterrupt):
        _sharded(run, tmp_path, Counted(stop_after=2))
    assert len(_files(tmp_path)) == 2
    again = Counted()
    assert _sharded(run, tmp_path, again) == _whole(run)
    assert again.scored == [20, 30, 40]
    assert not _files(tmp_path)


def test_scores_that_were_not_kept_are_taken_from_the_manifest(tmp_path: Path) -> None:
    run = stub_run(N)
    arguments = {"metrics": METRICS, "open_models": open_stub, "root": str(tmp_path)}
    with pytest.raises(OSError, match="disk"), scored_in_shards(run, executor=LocalExecutor(), **arguments):  # type: ignore[arg-type]
        raise OSError("the disk is full")
    (manifest,) = tmp_path.rglob(MANIFEST)
    listed = json.loads(manifest.read_text())["files"]
    assert sorted(listed) == sorted(path.name for path in _files(tmp_path) if path.name != MANIFEST)
    again = Counted()
    assert _sharded(run, tmp_path, again) == _whole(run)
    assert again.scored == []


@pytest.mark.parametrize("damage", [lambda path: path.write_bytes(path.read_bytes()[:-1]), Path.unlink])
@pytest.mark.parametrize("committed", [False, True])
def test_a_damaged_or_lost_shard_is_scored_again(
    tmp_path: Path, damage: Callable[[Path], object], committed: bool
) -> None:
    run = stub_run(N)
    with (
        pytest.raises(KeyboardInterrupt),
        scored_in_shards(run, metrics=METRICS, open_models=open_stub, executor=LocalExecutor(), root=str(tmp_path)),
    ):
        raise KeyboardInterrupt
    damage(sorted(tmp_path.rglob("*.parquet"))[2])
    if not committed:
        next(tmp_path.rglob(MANIFEST)).unlink()
    again = Counted()
    assert _sharded(run, tmp_path, again) == _whole(run)
    assert len(again.scored) == 1
    assert not _files(tmp_path)


def test_shards_of_other_samples_metrics_or_models_are_not_taken(tmp_path: Path) -> None:
    run = stub_run(N)
    with pytest.raises(KeyboardInterrupt):
        _sharded(run, tmp_path, Counted(stop_after=4))
    changed = [replace(run[0], answer="Something else."), *run[1:]]
    for samples, metrics, models in (
        (changed, METRICS, open_stub),
        (run, METRICS[:1], open_stub),
        (run, METRICS, functools.partial(open_stub, revision="b" * 64)),
    ):
        again = Counted()
        _sharded(samples, tmp_path, again, metrics, models)
        assert len(again.scored) == 5


def test_two_samples_of_one_id_are_refused_before_anything_is_scored(tmp_path: Path) -> None:
    run = stub_run(N)
    executor = Counted()
    with pytest.raises(FileFormatError, match="Two samples have the id 's3'"):
        _sharded([*run, run[3]], tmp_path, executor)
    assert executor.scored == []


def test_a_worker_with_another_model_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "SHARD", 2)
    revisions = iter(["a" * 64, "b" * 64])
    with pytest.raises(ModelError, match="A worker has other models"):
        _sharded(stub_run(3), tmp_path, open_models=lambda: open_stub(revision=next(revisions)))


def test_shards_that_vanish_again_and_again_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "SHARD", 2)

    class Forgets(LocalExecutor):
        def run(self, job, given, on_done, on_progress):  # type: ignore[no-untyped-def]
            list(given)

    with pytest.raises(StorageError, match="vanish"):
        _sharded(stub_run(3), tmp_path, Forgets())


def test_progress_reaches_the_end_and_never_goes_back(tmp_path: Path) -> None:
    run, told = stub_run(N), list[Progress]()
    with pytest.raises(KeyboardInterrupt):
        _sharded(run, tmp_path, Counted(stop_after=2))
    _sharded(run, tmp_path, on_progress=told.append)
    shares = [progress.share or 0.0 for progress in told]
    assert shares == sorted(shares)
    assert (told[-1].stage, told[-1].done, told[-1].total, told[-1].share) == ("score", N, N, 1.0)


def test_twenty_kills_at_random_leave_the_same_scores_and_no_files(tmp_path: Path) -> None:
    """Each process is to score 60 shards, and is killed by SIGKILL after it stored a random number of further ones."""
    output, store = tmp_path / "scores.parquet", tmp_path / "store"
    ends = ends_of_killed(score_some, store, output, kills=20, most_shards=3)
    assert ends == [-signal.SIGKILL] * 20 + [0]
    assert output.read_bytes() == _whole(stub_run(120))
    assert not [path for path in _files(store) if SCORES in path.parts]
