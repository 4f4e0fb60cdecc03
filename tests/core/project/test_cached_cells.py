"""Cells of stored runs are kept with the run's file, go with it, and are never wrong."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hcat.core.capabilities.weaknesses.weaknesses import compare_slices
from hcat.core.project.backups import back_up, restore
from hcat.core.project.installation.store_checks import check_store
from hcat.core.records.project import RunInfo
from hcat.core.settings import ROOT, Settings
from hcat.core.slices.cells import cached as cached_cells
from hcat.core.slices.cells.cached import CachedCells, count_labels
from hcat.core.slices.cells.counts import rows_of
from hcat.core.slices.cells.sums import sum_cells
from hcat.core.storage.artifacts import ArtifactStore
from hcat.core.storage.cell_files import CellFilesOf
from hcat.core.types import Criterion, Label, Sample
from hcat.core.workspace import Workspace
from tests.core.project.cached_cells_process import N, dimensions, labels

CRITERION = Criterion("correctness")
PLANTED = "quixotic"
WORKER = Path(__file__).parent / "cached_cells_process.py"


@pytest.fixture(autouse=True)
def small_runs_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached_cells, "WORTH_A_FILE", 0)


@pytest.fixture
def chosen(tmp_path: Path) -> Settings:
    folder = tmp_path / "store"
    return Settings(database_url=f"sqlite:///{folder / 'hcat.db'}", artifacts=str(folder / "files"))


@pytest.fixture
def workspace(chosen: Settings) -> Iterator[Workspace]:
    with Workspace.open(chosen, actor="tests") as opened:
        yield opened


def add_run(workspace: Workspace, name: str = "v1") -> RunInfo:
    samples = [
        Sample(
            f"s{k}",
            f"fee {k}?",
            f"fee {k}",
            reference=f"fee {k % 3}",
            dimensions={"area": "ab"[k % 2], "kind": "xyz"[k % 3]},
        )
        for k in range(600)
    ]
    samples[0] = replace(samples[0], query=f"{PLANTED} fee?")
    run = workspace.runs.add("bank", name, samples, source="x")
    workspace.scoring.score(run, "token_f1")
    return run


@pytest.fixture
def run(workspace: Workspace) -> RunInfo:
    project = workspace.projects.create("bank")
    workspace.criteria.add(project, CRITERION)
    run = add_run(workspace)
    add_labels(workspace, run, {f"s{k}": k % 4 > 0 for k in range(40)})
    return run


def add_labels(workspace: Workspace, run: RunInfo, passes: dict[str, bool]) -> None:
    given = [Label(name, CRITERION.name, int(good), "ann") for name, good in passes.items()]
    workspace.labels.add(run, CRITERION, given)


def cells_of(workspace: Workspace, run: RunInfo) -> list[str]:
    return workspace.store.artifacts.computed_of("cells").get(run.artifact, [])


def assert_as_without(workspace: Workspace, run: RunInfo) -> None:
    """Twice, since what is kept is read the second time."""
    cached = workspace.run_data.columns(run)
    for metric in ("token_f1", "pass_rate:correctness") * 2:
        tables = [
            compare_slices(workspace.run_data.open(run, columns=columns), metric, pairs=True).frame
            for columns in (cached, replace(cached, cells=None))
        ]
        pd.testing.assert_frame_equal(*tables, check_exact=True)


def test_tables_are_the_same_whatever_people_do(workspace: Workspace, run: RunInfo) -> None:
    assert_as_without(workspace, run)
    assert sorted(name.partition("-")[0] for name in cells_of(workspace, run)) == [
        "counts",
        "labels",
        "values",
        "values",
    ]
    add_labels(workspace, run, {"s0": False, "s50": True})
    assert_as_without(workspace, run)
    workspace.labels.add(run, CRITERION, [Label("s50", CRITERION.name, 0, "bob")])  # now they disagree
    assert_as_without(workspace, run)
    workspace.disagreements.adjudicate(run, CRITERION, "s50", 1, author="lee")
    assert_as_without(workspace, run)
    workspace.scoring.score(run, "token_recall")
    assert_as_without(workspace, run)
    second = add_run(workspace, "v2")
    add_labels(workspace, second, {f"s{k}": k % 3 > 0 for k in range(90)})
    assert_as_without(workspace, second)


def test_erasing_and_deleting_take_the_cells_along(workspace: Workspace, run: RunInfo) -> None:
    assert_as_without(workspace, run)
    folder = Path(workspace.settings.artifacts) / "cells"
    assert PLANTED.encode() not in b"".join(file.read_bytes() for file in folder.rglob("*.parquet"))
    workspace.erasures.erase(run, ["s0"], reason="asked to", author="lee")
    assert not cells_of(workspace, run)
    erased = workspace.runs.get("bank", "v1")
    assert_as_without(workspace, erased)
    assert list(workspace.store.artifacts.computed_of("cells")) == [erased.artifact]
    [item] = [item for item in workspace.housekeeping.all() if item.kind == "project"]
    seen = workspace.housekeeping.contents(item)
    workspace.housekeeping.delete(item, seen, confirmed=item.name, author="lee")
    assert not list(folder.rglob("*.parquet"))


def test_a_backup_leaves_them_out_and_a_restored_store_counts_again(
    workspace: Workspace, run: RunInfo, chosen: Settings, tmp_path: Path
) -> None:
    assert_as_without(workspace, run)
    back_up(tmp_path / "backup.zip", chosen)
    with zipfile.ZipFile(tmp_path / "backup.zip") as archive:
        assert not [name for name in archive.namelist() if "cells/" in name]
    elsewhere = Settings(
        database_url=f"sqlite:///{tmp_path / 'other' / 'hcat.db'}", artifacts=str(tmp_path / "other" / "files")
    )
    restore(tmp_path / "backup.zip", elsewhere, replace=False)
    with Workspace.open(elsewhere) as other:
        assert_as_without(other, other.runs.get("bank", "v1"))


def test_the_doctor_names_damaged_files_and_folders_of_no_run(
    workspace: Workspace, run: RunInfo, chosen: Settings
) -> None:
    assert_as_without(workspace, run)

    def cells() -> tuple[str, str]:
        [check] = [check for check in check_store(chosen, deep=True) if check.name == "cells"]
        return check.state, check.found

    assert cells() == ("fine", "4 files of 1 large runs")
    folder = Path(chosen.artifacts) / "cells"
    file = next((folder / run.artifact).glob("values-*.parquet"))
    file.write_bytes(file.read_bytes()[:-40])
    assert cells()[0] == "look" and file.stem in cells()[1]
    assert_as_without(workspace, run)
    assert cells()[0] == "fine"
    (folder / run.artifact).rename(folder / ("0" * 64))
    assert cells()[0] == "look" and "of no run" in cells()[1]


def test_of_a_run_that_is_gone_nothing_is_kept(workspace: Workspace, run: RunInfo) -> None:
    columns = workspace.run_data.columns(run)
    assert columns.dimensions is not None and columns.scores is not None
    workspace.store.artifacts.remove("samples", run.artifact)
    files = CellFilesOf(workspace.store.artifacts, run.artifact)
    files.write("counts-x", b"late")
    assert files.read("counts-x") is None


def test_where_nothing_can_be_kept_tables_are_the_same(
    workspace: Workspace, run: RunInfo, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError("read-only")

    monkeypatch.setattr(ArtifactStore, "put_beside", refused)
    assert_as_without(workspace, run)
    assert not cells_of(workspace, run)


@pytest.mark.parametrize("kills", [2, pytest.param(5, marks=pytest.mark.slow)])
def test_a_kill_at_any_moment_leaves_no_wrong_cells(tmp_path: Path, kills: int) -> None:
    """Two processes keep cells of the same run by different labels; each is killed, and what is left is read."""
    artifacts, rng = ArtifactStore(str(tmp_path)), random.Random(5)
    samples = artifacts.put("samples", b"a run")
    command = [sys.executable, str(WORKER), str(tmp_path), samples]
    cached, of, rows = CachedCells(CellFilesOf(artifacts, samples)), dimensions(), rows_of(N, None)
    for number in range(kills):
        both = [
            subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE)
            for _ in range(2)
        ]
        for process in both:
            assert process.stdout is not None and process.stdout.readline()
        time.sleep(rng.random() / 20)  # so that kills come at different moments of a write
        for process in both:
            os.kill(process.pid, signal.SIGKILL)
            process.communicate()
        for found, anew in zip(cached.sum_cells(of, rows), sum_cells(of, rows), strict=True):
            np.testing.assert_array_equal(found.counts, anew.counts)
        now = labels(1000 + number)
        for counted, again in zip(cached.count_labels(of, "correctness", now), count_labels(of, now), strict=True):
            np.testing.assert_array_equal(counted, again)
