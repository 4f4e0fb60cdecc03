"""The passages and the documents of a corpus, each as one Parquet file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import cast

import pyarrow as pa

from hcat.core.records.documents import Block, Document
from hcat.core.records.passages import CorpusPassage
from hcat.core.storage.artifacts import ArtifactStore

PASSAGES = "passages"
DOCUMENTS = "documents"

_TEXT, _NUMBER = pa.large_string(), pa.int64()
_BLOCK = pa.struct([("kind", pa.string()), ("start", _NUMBER), ("end", _NUMBER), ("level", _NUMBER), ("page", _NUMBER)])
_DOCUMENT = pa.schema(
    [("id", _TEXT), ("text", _TEXT), ("blocks", pa.list_(_BLOCK)), ("format", _TEXT), ("pages", _NUMBER)]
)
_PASSAGE = pa.schema(
    [
        *(("id", _TEXT), ("text", _TEXT), ("document", _TEXT), ("page", _NUMBER), ("heading", pa.list_(_TEXT))),
        *(("start", _NUMBER), ("end", _NUMBER), ("header", _TEXT)),
    ]
)


@dataclass(frozen=True)
class CorpusFiles:
    """The files of corpora in a store of artifacts, by the artifact that names each."""

    artifacts: ArtifactStore

    def write_passages(self, passages: Sequence[CorpusPassage]) -> str:
        """Store passages, and give the name of their file."""
        rows = [asdict(passage) for passage in passages]
        return self.artifacts.write_table(PASSAGES, pa.Table.from_pylist(rows, schema=_PASSAGE))

    def passages(self, artifact: str) -> tuple[CorpusPassage, ...]:
        """All passages in order. StorageError when the file is missing or damaged."""
        rows = self.artifacts.read_table(PASSAGES, artifact).to_pylist()
        return tuple(CorpusPassage(**{**row, "heading": tuple(row["heading"])}) for row in rows)

    def write_documents(self, documents: Sequence[Document]) -> str:
        """Store documents with their texts and blocks, and give the name of their file."""
        rows = [asdict(document) for document in documents]
        return self.artifacts.write_table(DOCUMENTS, pa.Table.from_pylist(rows, schema=_DOCUMENT))

    def documents(self, artifact: str) -> tuple[Document, ...]:
        """All documents in order. StorageError when the file is missing or damaged."""
        rows = self.artifacts.read_table(DOCUMENTS, artifact).to_pylist()
        return tuple(_document(row) for row in rows)


def _document(row: Mapping[str, object]) -> Document:
    blocks = cast("list[dict[str, object]]", row["blocks"])
    return Document(**{**row, "blocks": tuple(Block(**block) for block in blocks)})  # type: ignore[arg-type]
