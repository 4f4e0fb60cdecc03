from __future__ import annotations

import errno
import hashlib
import os
from pathlib import Path

import pyarrow as pa
import pytest

from hcat.core.errors import MissingExtraError, StorageError
from hcat.core.storage.artifacts import ArtifactStore


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_a_file_is_named_by_its_content_and_comes_back(tmp_path: Path):
    store = ArtifactStore(str(tmp_path))
    digest = store.put("scores", b"payload")
    assert digest == hashlib.sha256(b"payload").hexdigest()
    assert files(tmp_path) == [f"{digest}.parquet"]
    assert store.get("scores", digest) == b"payload"


def test_the_same_content_is_stored_once(tmp_path: Path):
    store = ArtifactStore(str(tmp_path))
    assert store.put("scores", b"payload") == store.put("scores", b"payload")
    assert len(files(tmp_path)) == 1


def test_a_table_comes_back_and_has_the_same_name_again(tmp_path: Path):
    store = ArtifactStore(str(tmp_path))
    table = pa.table({"id": ["a", "b"], "x": [1.5, None]})
    digest = store.write_table("topics", table)
    assert store.read_table("topics", digest).equals(table)
    assert ArtifactStore(str(tmp_path / "other")).write_table("topics", table) == digest


def test_a_url_with_a_scheme_works(tmp_path: Path):
    store = ArtifactStore(f"file://{tmp_path}/")
    assert store.get("scores", store.put("scores", b"x")) == b"x"
    memory = ArtifactStore("memory://hcat-artifacts")
    assert memory.get("scores", memory.put("scores", b"y")) == b"y"


def test_an_unknown_scheme_is_refused():
    with pytest.raises(MissingExtraError, match="nosuch:// that can't be opened"):
        ArtifactStore("nosuch://x").put("scores", b"x")


def test_a_damaged_file_is_named_with_what_to_do(tmp_path: Path):
    store = ArtifactStore(str(tmp_path))
    digest = store.put("scores", b"payload")
    (tmp_path / "scores" / f"{digest}.parquet").write_bytes(b"payloae")
    with pytest.raises(StorageError, match=rf"{digest}\.parquet is damaged .* score the run again"):
        store.get("scores", digest)


def test_storing_again_heals_a_damaged_file(tmp_path: Path):
    store = ArtifactStore(str(tmp_path))
    digest = store.put("samples", b"payload")
    (tmp_path / "samples" / f"{digest}.parquet").write_bytes(b"half")
    store.put("samples", b"payload")
    assert store.get("samples", digest) == b"payload"


def test_a_missing_file_is_named_with_what_to_do(tmp_path: Path):
    with pytest.raises(StorageError, match=r"abc\.parquet is missing: restore it from a backup, or import the run"):
        ArtifactStore(str(tmp_path)).get("samples", "abc")


@pytest.mark.parametrize("written", [0, 3])
def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: int):
    def full_after(descriptor: int) -> None:
        os.ftruncate(descriptor, written)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_after)
    with pytest.raises(StorageError, match="the disk is full"):
        ArtifactStore(str(tmp_path)).put("scores", b"payload")
    assert files(tmp_path) == []


def test_a_full_disk_at_the_rename_leaves_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(*args: object, **kwargs: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(StorageError, match="the disk is full"):
        ArtifactStore(str(tmp_path)).put("scores", b"payload")
    assert files(tmp_path) == []


def test_a_folder_in_the_way_is_named(tmp_path: Path):
    (tmp_path / "scores").write_text("a file where the folder should be")
    with pytest.raises(StorageError, match="scores"):
        ArtifactStore(str(tmp_path)).put("scores", b"payload")
