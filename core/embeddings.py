"""Embeddings of texts, each computed once a model revision and kept, so that interrupted work can go on."""

from __future__ import annotations

import hashlib
import io
import json
import logging
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.errors import StorageError
from core.models.encoder import Encoder
from core.types import Progress

CHUNK_SIZE = 256
"""Texts a chunk: what is encoded together and put at once."""

Rows = NDArray[np.float32]


class EmbeddingStore(Protocol):
    """Unit rows by `text_key`, for one model revision."""

    def get(self, keys: Sequence[str]) -> dict[str, Rows]:
        """The rows of those keys that are held."""
        ...

    def put(self, keys: Sequence[str], rows: Rows) -> None:
        """Keep row i under key i: all of them or, on failure, none."""
        ...


@dataclass(frozen=True, slots=True)
class IgnoredShard:
    """A file that is not the shard its name promises, and why. Its texts are encoded again."""

    path: str
    reason: str


def text_key(text: str) -> str:
    """The SHA-256 of a text, as 64 hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def embed_texts(
    texts: Iterable[str],
    *,
    encoder: Encoder,
    store: EmbeddingStore,
    on_progress: Callable[[Progress], None] | None = None,
) -> dict[str, Rows]:
    """The unit row of every distinct text, from the store or else encoded and put there.

    Texts are sorted by length and cut into chunks of `CHUNK_SIZE` before the store is asked, and each chunk is put
    as soon as it is encoded. So what is encoded together does not depend on where an earlier job was interrupted,
    and the rows are bitwise those of an undisturbed one.
    """
    distinct = sorted(set(texts), key=lambda text: (len(text), text))
    keys = [text_key(text) for text in distinct]
    known = store.get(keys)
    found: dict[str, Rows] = {}
    for start in range(0, len(distinct), CHUNK_SIZE):
        chunk = list(zip(distinct[start : start + CHUNK_SIZE], keys[start : start + CHUNK_SIZE], strict=True))
        missing = [(text, key) for text, key in chunk if key not in known]
        if missing:
            rows = encoder.encode([text for text, _ in missing])
            store.put([key for _, key in missing], rows)
            known.update(zip((key for _, key in missing), rows, strict=True))
        found.update((text, known[key]) for text, key in chunk)
        if on_progress is not None:
            on_progress(Progress("encode", start + len(chunk), len(distinct)))
    return found


class MemoryEmbeddings:
    """Embeddings for the life of the process."""

    def __init__(self) -> None:
        self._rows: dict[str, Rows] = {}

    def get(self, keys: Sequence[str]) -> dict[str, Rows]:
        """The rows of those keys that are held."""
        return {key: self._rows[key] for key in keys if key in self._rows}

    def put(self, keys: Sequence[str], rows: Rows) -> None:
        """Keep row i under key i."""
        self._rows.update(zip(keys, rows, strict=True))


class ParquetEmbeddings:
    """Embeddings as Parquet shards `<root>/embeddings/<revision[:16]>/<content hash>.parquet`, by fsspec.

    A shard is written under a temporary name and then renamed, and is checked against the hash in its name when its
    rows are first needed. One that fails is ignored and listed in `ignored`. Several processes may share a root.
    """

    def __init__(self, root: str, *, revision: str) -> None:
        import fsspec

        self._filesystem, base = fsspec.core.url_to_fs(root)
        self._folder = f"{base.rstrip('/')}/embeddings/{revision[:16]}"
        self._revision = revision
        self._seen: set[str] = set()
        self._shard_of: dict[str, str] = {}
        self.ignored: tuple[IgnoredShard, ...] = ()

    def get(self, keys: Sequence[str]) -> dict[str, Rows]:
        """The rows of those keys that are held. Only shards that hold one of them are read whole."""
        if any(key not in self._shard_of for key in keys):
            self._index_new_shards()
        found: dict[str, Rows] = {}
        while wanted := {self._shard_of[key] for key in keys if key in self._shard_of and key not in found}:
            for path in sorted(wanted):
                found.update(self._load(path))
        return {key: found[key] for key in keys if key in found}

    def put(self, keys: Sequence[str], rows: Rows) -> None:
        """Write one shard: under a temporary name first, so that a reader sees all of it or nothing."""
        rows = np.ascontiguousarray(rows, dtype=np.float32)
        if rows.ndim != 2 or len(keys) != len(rows):
            raise ValueError(f"{len(keys)} keys need a matrix of as many rows, not one of shape {rows.shape}")
        path = f"{self._folder}/{_content_hash(keys, rows)}.parquet"
        temporary = f"{self._folder}/.{uuid.uuid4().hex}.part"
        try:
            self._filesystem.makedirs(self._folder, exist_ok=True)
            self._filesystem.pipe_file(temporary, _shard_bytes(keys, rows, self._revision))
            self._filesystem.mv(temporary, path)
        except OSError as error:
            raise StorageError(f"Embeddings can't be written under {self._folder}: {error}") from error
        self._seen.add(path)
        self._shard_of.update(dict.fromkeys(keys, path))

    def _index_new_shards(self) -> None:
        from pyarrow import ArrowException

        if not self._filesystem.exists(self._folder):
            return
        self._filesystem.invalidate_cache(self._folder)
        for path in sorted(self._filesystem.ls(self._folder, detail=False)):
            if not path.endswith(".parquet") or path in self._seen:
                continue
            self._seen.add(path)
            try:
                self._shard_of.update(dict.fromkeys(self._read_keys(path), path))
            except (ArrowException, OSError, KeyError, ValueError) as error:
                self._ignore(path, str(error))

    def _read_keys(self, path: str) -> list[str]:
        import pyarrow.parquet as pq

        with self._filesystem.open(path, "rb") as file:
            shard = pq.ParquetFile(file)
            stored = json.loads((shard.schema_arrow.metadata or {})[b"hcat"])
            if stored["revision"] != self._revision:
                raise ValueError("rows of another model revision")
            return [str(key) for key in shard.read(columns=["key"])["key"].to_pylist()]

    def _load(self, path: str) -> dict[str, Rows]:
        import pyarrow.parquet as pq
        from pyarrow import ArrowException

        try:
            table = pq.read_table(io.BytesIO(self._filesystem.cat_file(path)))
            keys = [str(key) for key in table["key"].to_pylist()]
            rows = _matrix(table["row"].to_pylist())
            if f"{_content_hash(keys, rows)}.parquet" != path.rsplit("/", 1)[-1]:
                raise ValueError("the content does not have the hash in the name")
        except (ArrowException, OSError, KeyError, ValueError) as error:
            self._ignore(path, str(error))
            return {}
        return dict(zip(keys, rows, strict=True))

    def _ignore(self, path: str, reason: str) -> None:
        self._shard_of = {key: shard for key, shard in self._shard_of.items() if shard != path}
        self.ignored = (*self.ignored, IgnoredShard(path, reason))
        logging.getLogger(__name__).warning("ignored the embedding shard %s: %s", path, reason)


def _content_hash(keys: Sequence[str], rows: Rows) -> str:
    digest = hashlib.sha256("\n".join(keys).encode())
    digest.update(np.ascontiguousarray(rows, dtype="<f4").tobytes())
    return digest.hexdigest()


def _shard_bytes(keys: Sequence[str], rows: Rows, revision: str) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    little_endian = np.ascontiguousarray(rows, dtype="<f4")
    table = pa.table({"key": pa.array(keys, pa.string()), "row": pa.array([row.tobytes() for row in little_endian])})
    table = table.replace_schema_metadata({"hcat": json.dumps({"kind": "embeddings", "revision": revision})})
    sink = io.BytesIO()
    pq.write_table(table, sink, compression="none", use_dictionary=False)
    return sink.getvalue()


def _matrix(cells: Sequence[bytes]) -> Rows:
    return np.frombuffer(b"".join(cells), dtype="<f4").reshape(len(cells), -1).astype(np.float32, copy=False)
