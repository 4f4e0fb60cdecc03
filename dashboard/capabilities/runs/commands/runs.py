"""Texts of a file to find topics in, and the embedding cache shared with the dashboard."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hcat.core.errors import FileFormatError
from hcat.core.inputs.files import existing, read_samples
from hcat.core.records.file_limits import parse_document

if TYPE_CHECKING:
    from hcat.core.models.cache import EmbeddingStore
    from hcat.core.models.encoder.encoder import Encoder


def embedding_cache(encoder: Encoder) -> EmbeddingStore:
    """The cache on disk that commands, jobs and the dashboard share."""
    from hcat.core.models.cache import ParquetEmbeddings
    from hcat.core.settings import settings

    return ParquetEmbeddings(settings().artifacts, revision=encoder.revision)


def encoder_and_store() -> tuple[Encoder, EmbeddingStore]:
    """The encoder of the settings with that cache."""
    from hcat.core.models.encoder.encoder import load_encoder
    from hcat.core.settings import settings

    encoder = load_encoder(settings().embedder, device=settings().device)
    return encoder, embedding_cache(encoder)


def read_texts(path: Path, *, on: str) -> tuple[list[str], list[str], list[str] | None]:
    """Ids, texts and documents of the texts to find topics in. They are passages (`id`, `text`) as JSON Lines, a folder
    or document that is cut into passages, or a run's queries or contexts, which have no documents."""
    from hcat.dashboard.capabilities.corpus.commands.corpus_files import DOCUMENTS, passages_at

    if path.is_dir() or path.suffix.lower() in DOCUMENTS - {".csv"} or _holds_passages(existing(path)):
        passages = passages_at(path)
        columns = ([getattr(passage, name) for passage in passages] for name in ("id", "text", "document"))
        ids, texts, documents = columns
        return ids, texts, documents
    samples = read_samples(path)
    found = [s.query if on == "query" else "\n".join(passage.text for passage in s.contexts) for s in samples]
    used = [(sample.id, text) for sample, text in zip(samples, found, strict=True) if text.strip()]
    if not used:
        raise FileFormatError(f"no sample of {path.name} has text to find topics in")
    return [sample_id for sample_id, _ in used], [text for _, text in used], None


def _holds_passages(path: Path) -> bool:
    """Whether the first line of a file is a passage: an object with an id and a text, and no query."""
    with path.open(encoding="utf-8", errors="replace") as lines:
        first = next((line for line in lines if line.strip()), "")
    try:
        record = parse_document(first)
    except ValueError:
        return False
    return isinstance(record, dict) and {"id", "text"} <= set(record) and "query" not in record
