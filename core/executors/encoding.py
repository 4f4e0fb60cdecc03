"""Encoding of many texts by workers, which write the rows to the shared store of embeddings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from hcat.core.executors.executor import DoShard, Executor
from hcat.core.executors.shard import Shard
from hcat.core.models.cache import CHUNK_SIZE, missing_chunks, text_key
from hcat.core.models.encoder.encoder import ENCODER
from hcat.core.models.opened import Opening, checked, openings_among
from hcat.core.records.hashing import sha256_of_text
from hcat.core.types import OnProgress, Progress


@dataclass(frozen=True, eq=False, slots=True)
class EncodingJob:
    """The job that encodes any shard of texts. `revision` is what the encoder must be."""

    open_models: Opening
    revision: str

    def worker(self) -> DoShard[str]:
        """Load the encoder. Raises ModelError if it is not that of the process that created the job."""
        models, store = self.open_models()
        encoder = models[ENCODER]
        checked({"encoder": encoder.revision}, {"encoder": self.revision})
        if store is None:
            raise ValueError("rows that another process is to read need a store")

        def encode(shard: Shard[str], _: OnProgress | None) -> None:
            store.put([text_key(text) for text in shard.items], encoder.encode(shard.items))

        return encode

    def among(self, workers: int) -> Sequence[EncodingJob]:
        """The job for each of so many workers."""
        return [replace(self, open_models=opening) for opening in openings_among(self.open_models, workers)]


def encode_by(
    executor: Executor | None,
    texts: Iterable[str],
    *,
    open_models: Opening,
    on_progress: Callable[[Progress], None] | None = None,
) -> None:
    """Encode, by the executor's workers, the texts that the store lacks, so that this process can read them there.

    The same texts are encoded together as in `hcat.core.models.cache.embed_texts` with an empty store. What was stored
    before a kill is not encoded again. Nothing is done without an executor, or for so few texts that starting workers
    does not pay: the caller then encodes them. Raises what the executor raises."""
    if executor is None:
        return
    models, store = open_models()
    if store is None:
        return
    chunks = missing_chunks(texts, store)
    total, done = sum(map(len, chunks)), 0
    if total <= CHUNK_SIZE:
        return

    def tell(encoded: int) -> None:
        nonlocal done
        done += encoded
        if on_progress is not None:
            on_progress(Progress("encode", done, total))

    executor.run(EncodingJob(open_models, models[ENCODER].revision), _shards(chunks), tell, None)


def _shards(chunks: Iterable[Sequence[str]]) -> Iterator[Shard[str]]:
    start = 0
    for chunk in chunks:
        yield Shard(start, sha256_of_text("\n".join(map(text_key, chunk))), tuple(chunk))
        start += len(chunk)
