"""Embeddings of texts, computed once per model revision and stored, so that interrupted work can continue."""

from __future__ import annotations

import io
import itertools
import json
import logging
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from hcat.core.errors import StorageError
from hcat.core.models.encoder.encoder import Encoder
from hcat.core.records.atomic import put_whole
from hcat.core.records.hashing import sha256_of_bytes, sha256_of_text
from hcat.core.records.parquet import read_table
from hcat.core.records.stores.file_store import open_store
from hcat.core.types import Progress

CHUNK_SIZE = 256
"""Texts per chunk: those that are encoded together and stored at once."""

Rows = NDArray[np.float32]
Item = TypeVar("Item", bound=Hashable)


class EmbeddingStore(Protocol):
    """Unit rows by `text_key`, for one model revision."""

    def get(self, keys: Sequence[str]) -> dict[str, Rows]:
        """The rows of those keys that are stored."""
        ...

    def each(self, keys: Sequence[str]) -> Iterator[dict[str, Rows]]:
        """The same, one part at a time, so that they need not be in memory together."""
        ...

    def put(self, keys: Sequence[str], rows: Rows) -> None:
        """Store row i under key i: all of them or, on failure, none."""
        ...


@dataclass(frozen=True, slots=True)
class IgnoredShard:
    """A file that is not the shard its name says, and why. Its texts are encoded again."""

    path: str
    reason: str


def text_key(text: str) -> str:
    """The SHA-256 of a text, as 64 hexadecimal digits."""
    return sha256_of_text(text)


def embed_texts(
    texts: Iterable[str],
    *,
    encoder: Encoder,
    store: EmbeddingStore,
    on_progress: Callable[[Progress], None] | None = None,
) -> dict[str, Rows]:
    """The unit row of every distinct text, from the store, or else encoded and stored.

    Texts are sorted by length and cut into chunks of `CHUNK_SIZE` before the store is queried, and each chunk is stored
    as soon as it is encoded. So the texts that are encoded together do not depend on where an earlier job was
    interrupted, and the rows are bitwise those of an undisturbed one."""
    distinct = sorted(set(texts), key=lambda text: (len(text), text))
    report = None if on_progress is None else _as_progress(on_progress, len(distinct))
    return cached_rows(distinct, key=text_key, compute=encoder.encode, store=store, size=CHUNK_SIZE, on_done=report)


def cached_rows(
    items: Sequence[Item],
    *,
    key: Callable[[Item], str],
    compute: Callable[[Sequence[Item]], Rows],
    store: EmbeddingStore,
    size: int,
    on_done: Callable[[int], None] | None = None,
) -> dict[Item, Rows]:
    """The row of each distinct item, from the store, or else computed and stored in chunks of `size` items.

    `on_done` is called after each chunk with the number of items that have rows."""
    keys = [key(item) for item in items]
    rows_by_name = store.get(keys)
    rows_by_item: dict[Item, Rows] = {}
    for start in range(0, len(items), size):
        chunk = list(zip(items[start : start + size], keys[start : start + size], strict=True))
        missing = [(item, name) for item, name in chunk if name not in rows_by_name]
        if missing:
            rows = compute([item for item, _ in missing])
            store.put([name for _, name in missing], rows)
            rows_by_name.update(zip((name for _, name in missing), rows, strict=True))
        rows_by_item.update((item, rows_by_name[name]) for item, name in chunk)
        if on_done is not None:
            on_done(start + len(chunk))
    return rows_by_item


def missing_chunks(texts: Iterable[str], store: EmbeddingStore) -> list[list[str]]:
    """The texts that `embed_texts` would encode, in the chunks in which it would encode them."""
    distinct = sorted(set(texts), key=lambda text: (len(text), text))
    held = {key for part in store.each([text_key(text) for text in distinct]) for key in part}
    chunks = (distinct[start : start + CHUNK_SIZE] for start in range(0, len(distinct), CHUNK_SIZE))
    missing = ([text for text in chunk if text_key(text) not in held] for chunk in chunks)
    return [chunk for chunk in missing if chunk]


def _as_progress(on_progress: Callable[[Progress], None], total: int) -> Callable[[int], None]:
    return lambda done: on_progress(Progress("encode", done, total))


class MemoryEmbeddings:
    """Rows for the life of the process: all of them, or the `most` that were stored last."""

    def __init__(self, *, most: int | None = None) -> None:
        self._rows: dict[str, Rows] = {}
        self._most = most

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all rows, the oldest first."""
        return tuple(self._rows)

    def get(self, keys: Sequence[str]) -> dict[str, Rows]:
        """The rows of those keys that are stored."""
        return {key: self._rows[key] for key in keys if key in self._rows}

    def each(self, keys: Sequence[str]) -> Iterator[dict[str, Rows]]:
        """The same, at once."""
        yield self.get(keys)

    def put(self, keys: Sequence[str], rows: Rows) -> None:
        """Store row i under key i."""
        self._rows.update(zip(keys, rows, strict=True))
        if self._most is not None:
            for key in list(itertools.islice(self._rows, max(0, len(self._rows) - self._most))):
                del self._rows[key]


class ParquetEmbeddings:
    """Rows as Parquet shards `<root>/<kind>/<revision[:16]>/<content hash>.parquet`, by fsspec.

    The kind is "embeddings"; verdicts of an entailment model are rows of one number in a folder of their own.

    A shard is written under a temporary name and then renamed, and is checked against the hash in its name when its
    rows are first needed. One that fails is ignored and listed in `ignored`. Several processes may share a root."""

    def __init__(self, root: str, *, revision: str, kind: str = "embeddings") -> None:
        self._filesystem, base = open_store(root)
        self._folder = f"{base.rstrip('/')}/{kind}/{revision[:16]}"
        self._about = {"kind": kind, "revision": revision}
        self._seen: set[str] = set()
        self._shard_of: dict[str, str] = {}
        self.ignored: tuple[IgnoredShard, ...] = ()

    def get(self, keys: Sequence[str]) -> dict[str, Rows]:
        """The rows of those keys that are stored. Only shards with one of them are fully read."""
        loaded = {key: row for part in self.each(keys) for key, row in part.items()}
        return {key: loaded[key] for key in keys if key in loaded}

    def each(self, keys: Sequence[str]) -> Iterator[dict[str, Rows]]:
        """The same, one shard at a time."""
        if any(key not in self._shard_of for key in keys):
            self._index_new_shards()
        missing = set(keys)
        while wanted := {self._shard_of[key] for key in missing if key in self._shard_of}:
            for path in sorted(wanted):
                part = {key: row for key, row in self._load(path).items() if key in missing}
                missing.difference_update(part)
                yield part

    def put(self, keys: Sequence[str], rows: Rows) -> None:
        """Write one shard: under a temporary name first, so that a reader sees all of it or nothing."""
        rows = np.ascontiguousarray(rows, dtype=np.float32)
        if rows.ndim != 2 or len(keys) != len(rows):
            raise ValueError(f"{len(keys)} keys need a matrix of as many rows, not one of shape {rows.shape}")
        path = f"{self._folder}/{_content_hash(keys, rows)}.parquet"
        try:
            self._filesystem.makedirs(self._folder, exist_ok=True)
            put_whole(self._filesystem, path, _shard_bytes(keys, rows, self._about))
        except OSError as error:
            raise StorageError(f"Model results can't be written under {self._folder}: {error}") from error
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
            shard = pq.ParquetFile(file, pre_buffer=False)
            stored = json.loads((shard.schema_arrow.metadata or {})[b"hcat"])
            if stored != self._about:
                raise ValueError("rows of another kind or model revision")
            return [str(key) for key in shard.read(columns=["key"], use_threads=False)["key"].to_pylist()]

    def _load(self, path: str) -> dict[str, Rows]:
        from pyarrow import ArrowException

        try:
            table = read_table(io.BytesIO(self._filesystem.cat_file(path)))
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
        logging.getLogger(__name__).warning("ignored the shard %s: %s", path, reason)


def _content_hash(keys: Sequence[str], rows: Rows) -> str:
    return sha256_of_bytes(["\n".join(keys).encode(), np.ascontiguousarray(rows, dtype="<f4").tobytes()])


def _shard_bytes(keys: Sequence[str], rows: Rows, about: Mapping[str, str]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    little_endian = np.ascontiguousarray(rows, dtype="<f4")
    table = pa.table({"key": pa.array(keys, pa.string()), "row": pa.array([row.tobytes() for row in little_endian])})
    table = table.replace_schema_metadata({"hcat": json.dumps(about)})
    sink = io.BytesIO()
    pq.write_table(table, sink, compression="none", use_dictionary=False)
    return sink.getvalue()


def _matrix(cells: Sequence[bytes]) -> Rows:
    return np.frombuffer(b"".join(cells), dtype="<f4").reshape(len(cells), -1).astype(np.float32, copy=False)


def forget_texts(root: str, texts: Iterable[str]) -> None:
    """Remove the shards of every model with a row for one of these texts.

    Their other texts are computed again when needed. StorageError if one can't be removed."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    filesystem, base = open_store(root)
    keys = pa.array([text_key(text) for text in texts], pa.string())
    for path in sorted(filesystem.glob(f"{base.rstrip('/')}/*/*/*.parquet")):
        try:
            with filesystem.open(path, "rb") as file:
                shard = pq.ParquetFile(file, pre_buffer=False)
                if b"hcat" not in (shard.schema_arrow.metadata or {}):
                    continue
                held = shard.read(columns=["key"], use_threads=False)["key"]
            if pc.any(pc.is_in(held, value_set=keys)).as_py():
                filesystem.rm_file(path)
        except FileNotFoundError:
            continue
        except (pa.ArrowException, KeyError):  # a damaged shard can't be told: its texts are computed again
            filesystem.rm_file(path)
        except OSError as error:
            raise StorageError(f"{path} can't be removed: {error}") from error
