"""Files in a bucket of an S3-compatible store, and every layer that keeps files there."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hcat.core.errors import HcatError, StorageError
from hcat.core.executors.shard_folder import ShardFolder, forget_shards
from hcat.core.models.cache import ParquetEmbeddings, forget_texts, text_key
from hcat.core.records.atomic import put_file, put_whole
from hcat.core.records.stores import file_store
from hcat.core.records.stores.file_store import open_store
from hcat.core.storage.artifacts import ArtifactStore
from tests.core.executors.ray_watch import sent_outside
from tests.core.records.stores.object_store import BUCKET, ObjectStore, object_store, store_python

ROOT = f"s3://{BUCKET}/hcat"


@pytest.fixture(scope="module")
def server() -> Iterator[ObjectStore]:
    with object_store(store_python()) as store:
        yield store


@pytest.fixture
def store(server: ObjectStore, monkeypatch: pytest.MonkeyPatch) -> Iterator[ObjectStore]:
    """The server, as the environment names it."""
    for name, value in server.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    yield server
    server.empty()


def files(store: ObjectStore) -> list[str]:
    """The objects that are more than a folder's name."""
    return [name for name in store.names() if not name.endswith("/")]


def test_files_are_written_whole_read_in_parts_listed_and_deleted(store: ObjectStore, tmp_path: Path) -> None:
    filesystem, folder = open_store(f"{ROOT}/x")
    for content in (b"one", b"two and more"):
        put_whole(filesystem, f"{folder}/a.bin", content)
        assert filesystem.cat_file(f"{folder}/a.bin") == content
    (tmp_path / "large").write_bytes(b"0123456789" * 1_200_000)  # more than one part of an upload
    put_file(filesystem, f"{folder}/large.bin", tmp_path / "large")
    with filesystem.open(f"{folder}/large.bin", "rb") as file:
        file.seek(11_999_995)
        assert (file.read(3), file.read()) == (b"567", b"89")
    assert files(store) == ["hcat/x/a.bin", "hcat/x/large.bin"]
    assert sorted(filesystem.ls(folder, detail=False)) == [f"{folder}/a.bin", f"{folder}/large.bin"]
    filesystem.rm(folder, recursive=True)
    assert not files(store)
    assert not filesystem.exists(folder)


def test_what_fails_half_way_leaves_nothing(store: ObjectStore, monkeypatch: pytest.MonkeyPatch) -> None:
    filesystem, folder = open_store(f"{ROOT}/x")
    put_whole(filesystem, f"{folder}/a.bin", b"before")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(type(filesystem), "mv", interrupted)
    with pytest.raises(KeyboardInterrupt):
        put_whole(filesystem, f"{folder}/a.bin", b"after")
    assert files(store) == ["hcat/x/a.bin"]
    assert filesystem.cat_file(f"{folder}/a.bin") == b"before"


def test_artifacts(store: ObjectStore) -> None:
    artifacts = ArtifactStore(ROOT)
    table = pa.table({"n": list(range(1000))})
    digest, _ = artifacts.put_stream("samples", lambda file: pq.write_table(table, file))
    assert artifacts.names("samples") == [digest] and artifacts.has("samples", digest)
    artifacts.check("samples", digest)
    with artifacts.opened("samples", digest) as opened:
        assert pq.ParquetFile(opened).read()["n"].to_pylist() == table["n"].to_pylist()
    assert artifacts.put("samples", artifacts.get("samples", digest)) == digest
    absent = "0" * 64
    assert not artifacts.has("samples", absent) and artifacts.names("scores") == []
    for read in (artifacts.get, artifacts.check):
        with pytest.raises(StorageError, match="is missing"):
            read("samples", absent)


def test_shards_are_found_again_checked_and_removed(store: ObjectStore) -> None:
    folder = ShardFolder.of(ROOT, {"run": "x"}, kind="scores", ending="parquet")
    assert (folder.files(), folder.manifest()) == ({}, None)
    folder.put("a" * 64, b"first")
    (file,) = folder.files().values()
    folder.commit([file])
    assert (folder.manifest(), folder.read(file)) == ([file], b"first")
    filesystem, path = open_store(f"{ROOT}/scores/{folder.job[:32]}")
    put_whole(filesystem, f"{path}/{file}", b"damaged")
    assert folder.read(file) is None
    assert folder.files() == {}
    folder.withdraw()
    assert folder.manifest() is None
    folder.put("a" * 64, b"first")
    folder.remove()
    folder.remove()
    assert not files(store)
    folder.put("b" * 64, b"second")
    forget_shards(ROOT, "scores")
    assert not files(store)


def test_embeddings_are_shared_and_forgotten(store: ObjectStore) -> None:
    keys, rows = [text_key("a"), text_key("b")], np.arange(6, dtype=np.float32).reshape(2, 3)
    ParquetEmbeddings(ROOT, revision="r" * 40).put(keys, rows)
    found = ParquetEmbeddings(ROOT, revision="r" * 40).get(keys)
    assert np.array_equal(np.stack([found[key] for key in keys]), rows)
    forget_texts(ROOT, ["b"])
    assert not files(store)


def test_a_store_that_is_not_there_is_said_in_one_line(store: ObjectStore, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = ShardFolder.of("s3://other/hcat", {"run": "x"}, kind="scores", ending="parquet")
    with pytest.raises(StorageError, match=r"can't be written.*bucket does not exist"):
        folder.put("a" * 64, b"first")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    folder = ShardFolder.of(ROOT, {"run": "x"}, kind="scores", ending="parquet")
    for attempt in (folder.manifest, lambda: folder.put("a" * 64, b"first")):
        with pytest.raises(StorageError, match="Could not connect") as refused:
            attempt()
        assert "\n" not in str(refused.value)


def test_no_packet_goes_to_where_amazon_would_be_asked(tmp_path: Path) -> None:
    try:
        assert sent_outside("true") == 0
    except (OSError, AssertionError) as error:
        pytest.skip(f"no network namespace can be made here: {error}")
    ask = (
        "from hcat.core.records.stores.file_store import open_store; open_store('s3://bucket/x')[0].exists('bucket/x')"
    )
    nowhere = ObjectStore("http://127.0.0.1:1").environment | {"HOME": str(tmp_path), "AWS_MAX_ATTEMPTS": "1"}
    code = f"try:\n    {ask}\nexcept OSError:\n    pass"
    assert sent_outside(sys.executable, "-c", code, **nowhere) == 0


def test_keys_in_an_address_are_refused_and_not_repeated() -> None:
    with pytest.raises(HcatError, match="AWS_SECRET_ACCESS_KEY") as refused:
        open_store("s3://key:SECRETPW@bucket/x")
    assert "SECRETPW" not in str(refused.value)


def test_the_address_of_a_store_is_that_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str | None] = []
    monkeypatch.setattr(file_store, "_buckets", lambda endpoint, _: asked.append(endpoint))
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    monkeypatch.delenv("AWS_ENDPOINT_URL_S3", raising=False)
    assert open_store("s3://bucket/hcat/scores")[1] == "bucket/hcat/scores"
    monkeypatch.setenv("AWS_ENDPOINT_URL", "https://store.example")
    open_store("s3a://bucket/hcat")
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "https://s3.example")
    open_store("s3://bucket")
    assert asked == [None, "https://store.example", "https://s3.example"]
